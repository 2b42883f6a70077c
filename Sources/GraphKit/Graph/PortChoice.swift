/// Which ports a wire joins, where the graph doesn't name them: those that fit best.
///
/// An input that is named, or taken by an earlier wire, is no candidate. A repeatable input always
/// has another instance. Where two pairs of ports fit equally well the wire has to name one.
struct PortChoice {
  /// How well an output fits an input, from not at all to the very same kind.
  enum Fit: Int, Comparable {
    case not, withEncoder, withDecoder, anything, same

    init(_ from: MediaKind, _ to: MediaKind) {
      if from == .any || to == .any {
        self = from == to ? .same : .anything
      } else if from == to {
        self = .same
      } else if from.decoded != to.decoded {
        self = .not
      } else {
        self = from.isEncoded ? .withDecoder : .withEncoder
      }
    }

    static func < (a: Fit, b: Fit) -> Bool { a.rawValue < b.rawValue }
  }

  /// Who feeds an input.
  private var feeders: [PortReference: PortReference] = [:]
  /// What kind of media enters an input.
  private var kinds: [PortReference: MediaKind] = [:]
  /// The next instance of a repeatable input that isn't in use yet.
  private var next: [PortReference: Int] = [:]

  /// The next free instance of a repeatable input.
  mutating func free(_ port: PortDeclaration, of node: String) -> PortDeclaration? {
    guard feeders[PortReference(node, port.name)] != nil else { return port }
    guard port.isRepeatable else { return nil }
    let first = PortReference(node, port.baseName)
    var number = next[first] ?? 2
    while feeders[PortReference(node, "\(first.port).\(number)")] != nil { number += 1 }
    next[first] = number
    var instance = port
    instance.name = "\(first.port).\(number)"
    return instance
  }

  /// Takes an input for an output and its kind of media; returns who has it already.
  mutating func take(
    _ input: PortReference, for output: PortReference, _ kind: MediaKind
  ) -> PortReference? {
    if let feeder = feeders[input] { return feeder }
    feeders[input] = output
    kinds[input] = kind
    return nil
  }

  /// The kind of media that an output gives: what hands on any gives that of its input, as far as
  /// that is wired already.
  func kind(of output: PortDeclaration, at node: String) -> MediaKind {
    guard output.format.kind == .any, let input = output.follows else { return output.format.kind }
    return kinds[PortReference(node, input)] ?? .any
  }

  /// Who feeds an input already.
  func feeder(of input: PortReference) -> PortReference? { feeders[input] }

  /// The pairs that fit best, and how well they do.
  static func best(
    _ outputs: [(port: PortDeclaration, kind: MediaKind)], _ inputs: [PortDeclaration]
  ) -> (pairs: [(output: PortDeclaration, input: PortDeclaration)], fit: Fit) {
    let rated = outputs.flatMap { output in
      inputs.map { (output: output.port, input: $0, fit: Fit(output.kind, $0.format.kind)) }
    }
    let fit = rated.map(\.fit).max() ?? .not
    return (rated.filter { $0.fit == fit }.map { ($0.output, $0.input) }, fit)
  }
}
