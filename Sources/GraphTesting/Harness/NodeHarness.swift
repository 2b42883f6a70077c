import GraphKit

/// A node that is written in Swift, as a function: no pipeline, no threads.
///
/// ```swift
/// let harness = NodeHarness(Gain(decibels: -6))
/// try harness.push([1, 0.5] as [Float], format: AudioFormat(.f32, sampleRate: 48_000, channels: 1))
/// try harness.finish()
/// try harness.values(as: Float.self)  // [0.501, 0.251]
/// ```
///
/// The harness keeps the engine's contract: a format is announced before the samples that have it,
/// calls never overlap, and the node ends when all of its inputs have. Whatever the node throws
/// comes out of the call that made it; what the harness itself finds wrong is a ``HarnessError``. An input
/// of which the node takes no more, as it says by `FlowStopped.enough`, ends, and what is pushed to it
/// afterwards is refused by the same error. The node's functions run on the calling thread, and a harness
/// belongs to one.
public final class NodeHarness<N: Node> {
  /// The node in its present state.
  public internal(set) var node: N
  /// The inputs, as the node numbers them.
  public let inputs: [String]
  let collectors: [OutputCollector]
  let outputs: NodeOutputs
  private let log = WarningLog()
  var states: [InputState]
  /// Whether a source was started.
  var hasStarted = false
  /// Whether the node knows how many inputs it has.
  var hasBegun = false

  /// What the node warned of, in order.
  private final class WarningLog { var warnings: [String] = [] }

  struct InputState {
    var format: FormatDescription?
    var isFinished = false
    /// Whether the node has said that it takes no more.
    var hasEnough = false
    /// PCM frames that have been pushed.
    var frames = 0
  }

  /// Sets a node up.
  /// - Parameters:
  ///   - node: the node.
  ///   - inputs: the inputs that are wired, by name, where the node has repeatable ones
  ///     (`["in", "in.2"]`) or optional ones; by default one of each. Where one is named twice, or the
  ///     node doesn't have it, the functions that push and finish throw.
  public init(_ node: N, inputs: [String]? = nil) {
    self.node = node
    let ports = node.portDeclarations
    let declared = ports.filter { $0.direction == .input }.map(\.name)
    self.inputs = inputs ?? declared
    collectors = ports.filter { $0.direction == .output }.map { OutputCollector(name: $0.name) }
    outputs = NodeOutputs(collectors, names: collectors.map(\.name)) { [log] in
      log.warnings.append($0)
    }
    states = self.inputs.map { _ in InputState() }
  }

  /// How many more samples each output takes; `nil` for any number.
  ///
  /// A node that sends more gets an error, as it does where a run ends. The call that made it send
  /// throws ``HarnessError/noDemand(output:)``, or, where the node keeps the error to itself,
  /// ``HarnessError/refusalIgnored(output:)``.
  public var demand: Int? {
    get { collectors.compactMap(\.demand).min() }
    set { for collector in collectors { collector.demand = newValue } }
  }

  /// The samples that have left an output; the only one where none is named. Throws where there is no
  /// such output, or several and none is named; so do the functions that follow.
  public func samples(of output: String? = nil) throws -> [CollectedSample] {
    try collector(output).samples
  }

  /// The same, and the harness forgets them.
  public func takeSamples(of output: String? = nil) throws -> [CollectedSample] {
    try collector(output).take()
  }

  /// The PCM samples that have left an output, one block after another.
  public func values<Value: BitwiseCopyable>(
    as type: Value.Type, of output: String? = nil
  ) throws -> [Value] {
    try samples(of: output).flatMap { $0.values(as: type) }
  }

  /// The formats that an output has announced, each change once.
  public func formats(of output: String? = nil) throws -> [MediaFormat] {
    try collector(output).formats
  }

  /// What the node has warned of, in order.
  public var warnings: [String] { log.warnings }

  /// Whether the node has ended.
  public var hasEnded: Bool { collectors.allSatisfy(\.hasEnded) && states.allSatisfy(\.isFinished) }

  /// Sets a parameter as a graph file or a live change does; `false` where the node's type doesn't
  /// declare it or it doesn't take the value. What the node then has against its parameters together
  /// refuses a graph, and is for the test to ask: ``node`` has it as its `problem`.
  public func set(_ parameter: String, to value: JSONValue) -> Bool {
    var erased: any Node = node
    guard NodeType(N.self).set(parameter, to: value, of: &erased), let changed = erased as? N
    else { return false }
    node = changed
    return true
  }

  private func collector(_ output: String?) throws -> OutputCollector {
    let names = collectors.map(\.name)
    return collectors[try Self.index(of: output, among: names)]
  }

  /// Throws where the inputs that are wired can't be the node's.
  func checkInputs() throws(HarnessError) {
    let ports = node.portDeclarations
    let areKnown = inputs.allSatisfy { ports.input(named: $0) != nil }
    guard areKnown, Set(inputs).count == inputs.count else {
      let declared = ports.filter { $0.direction == .input }.map(\.name)
      throw .wrongInputs(inputs, ports: declared)
    }
  }

  static func index(of port: String?, among names: [String]) throws -> Int {
    guard let port else {
      guard names.count == 1 else { throw HarnessError.needsPort(names) }
      return 0
    }
    guard let index = names.firstIndex(of: port) else {
      throw HarnessError.noSuchPort(port, ports: names)
    }
    return index
  }

  /// Calls the node, and sees to it that the node doesn't hide that an output took no more.
  func call<Result>(_ body: (inout N, NodeOutputs) throws -> Result) throws -> Result {
    for collector in collectors { collector.hasRefused = false }
    let result = try body(&node, outputs)
    if let refused = collectors.first(where: \.hasRefused) {
      throw HarnessError.refusalIgnored(output: refused.name)
    }
    return result
  }
}
