/// A node whose work is done in Swift, on the streaming thread of its stage.
///
/// The engine calls ``prepare(for:on:to:)`` before the samples of each format of an input,
/// ``process(_:on:to:)`` for every sample, ``finish(input:to:)`` at the end of an input, and
/// ``finish(to:)`` once, when every input has ended. Calls never overlap, but they may come from
/// other threads than the last one, and take as long as they need: what feeds the node waits, or
/// drops where it is live. After ``Pipeline/cancel()`` no call follows.
///
/// Each of them may throw. An error fails the run, named by node: of a `NodeError` message and
/// remedy are kept. What ``NodeOutputs`` throws is to be let through: it is no fault. A node that
/// takes no more of an input throws ``FlowStopped/enough`` in ``process(_:on:to:)``.
public protocol SwiftNode: Node {
  /// Takes the format of the samples that follow on an input, and announces those of outputs. The
  /// same format may come twice. By default the format is handed on to every output.
  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs) throws

  /// Takes one sample of an input, numbered as ``Node/portDeclarations`` lists the inputs, and owns
  /// it: sending hands it on, letting it go frees it. A sample may be empty.
  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs) throws

  /// Says that an input has ended, while others may go on. By default of no interest.
  mutating func finish(input: Int, to outputs: NodeOutputs) throws

  /// Sends what the node still holds; no sample follows.
  mutating func finish(to outputs: NodeOutputs) throws

  /// The nodes of the graph whose work this one does, where it does that of several.
  var members: [NodeMember] { get }

  /// Takes a new value of a live parameter: its own, or that of a member by its name in the graph.
  /// The value was checked when it was asked for. Called on the streaming thread, before
  /// ``process(_:on:to:)`` of the first sample at or after the time of the change.
  mutating func set(
    _ parameter: String, to value: JSONValue, ofNode name: String, type: NodeType)
}

/// A node of the graph that another one does the work of.
public struct NodeMember: Sendable {
  /// The node's name in the graph.
  public let name: String
  /// Its type.
  public let type: NodeType
  /// The node with its parameters.
  public let node: any Node

  /// Names a node.
  public init(_ name: String, _ type: NodeType, _ node: any Node) {
    self.name = name
    self.type = type
    self.node = node
  }
}

extension SwiftNode {
  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    for output in 0..<outputs.count { try outputs.announce(format, on: output) }
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {}

  public mutating func finish(to outputs: NodeOutputs) throws {}

  public var members: [NodeMember] { [] }

  public mutating func set(
    _ parameter: String, to value: JSONValue, ofNode name: String, type: NodeType
  ) {
    var erased: any Node = self
    guard type.set(parameter, to: value, of: &erased), let changed = erased as? Self else { return }
    self = changed
  }
}

/// A node that makes samples in Swift: it has outputs only.
///
/// Its functions are called one after another on a thread of the source's own, which begins when
/// the graph first plays. Each may throw: an error fails the run, named by node, but for what
/// ``NodeOutputs`` throws, which is to be let through.
public protocol SourceNode: Node {
  /// Takes what sinks ask of packets, by the outputs that these leave by, where another process reads them
  /// (``NodeTraits/isReadApart``). Called once, before ``start(to:)``. By default nothing is made of it.
  mutating func settle(demands: [String: PacketDemand])
  /// Announces the formats of outputs, before the first sample. Called once.
  mutating func start(to outputs: NodeOutputs) throws
  /// Makes the next samples and sends them; `false` where there are none left. Sending waits
  /// while the wire isn't ready for more. Between two calls the source waits while the run is
  /// paused, and ends where that is asked of it, so a call makes few samples. No call follows the
  /// last one: the engine ends the outputs.
  mutating func produce(to outputs: NodeOutputs) throws -> Bool
}

extension SourceNode {
  public mutating func settle(demands: [String: PacketDemand]) {}
}

/// An effect on audio: one function over one block, in place.
///
/// What ``SwiftNode`` says of threads and errors holds here, too. The block keeps its time, length
/// and format.
public protocol AudioEffect: SwiftNode where Ports == EffectPorts<Audio> {
  /// Takes the format of the blocks that follow: interleaved or planar, as the ports allow.
  mutating func prepare(_ format: AudioFormat) throws
  /// Changes a block in place, of any number of frames. Where others hold its samples, too, they
  /// were copied before. The block can't be kept.
  mutating func process(_ block: inout AudioBlock) throws
}

extension AudioEffect {
  public mutating func prepare(_ format: AudioFormat) throws {}

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .audio(let audio) = format.format else {
      throw NodeError("\(format) is not raw audio", remedy: "wire raw audio here")
    }
    try prepare(audio)
    try outputs.announce(format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    do {
      var block = try sample.audioBlock()
      try process(&block)
    }
    try outputs.send(sample, on: 0)
  }
}

/// An effect on video: one function over one frame, in place.
///
/// What ``SwiftNode`` says of threads and errors holds here, too. The frame keeps its time, size and
/// format.
public protocol VideoEffect: SwiftNode where Ports == EffectPorts<Video> {
  /// Takes the format of the frames that follow.
  mutating func prepare(_ format: VideoFormat) throws
  /// Changes a frame in place. Where others hold its pixels, too, they were copied before. The frame
  /// can't be kept.
  mutating func process(_ frame: inout VideoFrame) throws
}

extension VideoEffect {
  public mutating func prepare(_ format: VideoFormat) throws {}

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    try prepare(video)
    try outputs.announce(format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    do {
      var frame = try sample.videoFrame()
      try process(&frame)
    }
    try outputs.send(sample, on: 0)
  }
}

/// Where samples enter the graph from Swift code: ``Pipeline/input(_:)`` hands out its writing end.
///
/// Asked while the pipeline is made, on the caller's thread.
public protocol EntryNode: Node {
  /// The format of the samples that will enter.
  var entryFormat: MediaFormat { get }
  /// The same to the last detail, such as a codec's header. By default what the format says. Throws
  /// where there is no such format; ``Pipeline/init(_:environment:configuration:)`` then fails with
  /// the node's name.
  func entryDescription() throws(NodeError) -> FormatDescription
  /// How long what enters will be, where the program knows; `nil`, the default, where it doesn't. It
  /// is what progress is measured by, and no sample is refused for it.
  var expectedDuration: MediaTime? { get }
  /// Whether times of encoded audio are those at which it is heard: then what an encoder put before it
  /// comes before the first video, and is skipped by that alone. By default times count from the first
  /// packet.
  var hasPresentationTimes: Bool { get }
}

extension EntryNode {
  public var hasPresentationTimes: Bool { false }
  public var expectedDuration: MediaTime? { nil }

  public func entryDescription() throws(NodeError) -> FormatDescription {
    try FormatDescription(entryFormat)
  }
}

/// Where samples leave the graph for Swift code: ``Pipeline/output(_:)`` hands out its reading end.
public protocol ExitNode: Node {}
