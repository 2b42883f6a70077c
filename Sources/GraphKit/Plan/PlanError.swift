/// Why a graph that is valid can't be planned.
///
/// With the built-in catalog and passes only ``delayTooLong(_:delay:bytes:limit:)`` is left: what a
/// wire has to hold is known once converters are inserted; and ``cannotBeCut(node:_:)`` where a graph
/// is to be planned in pieces. The others are for catalogs without the
/// converters that a graph needs, for latencies of other node types, and for passes of a program.
public enum PlanError: Error, Hashable, Sendable {
  /// A wire needs a node of a type that the catalog doesn't have.
  case missingType(String, from: PortReference, to: PortReference)
  /// A node that a wire needs can't be set up as the wire needs it.
  case refusedParameter(String, value: String, type: String, from: PortReference, to: PortReference)
  /// No node that a pass may insert converts what one port gives into what the other takes.
  case noConversion(from: PortReference, to: PortReference, FormatConflict)
  /// Wires lead from these nodes back to themselves.
  case cycle([String])
  /// A node's latency is no length of time.
  case latency(node: String)
  /// Wires would have to hold more than memory is given to a wire, or the run would stand still.
  case delayTooLong([PortReference], delay: MediaTime, bytes: Int, limit: Int)
  /// Pieces of the graph's stream can't be worked on apart, for what a node is.
  case cannotBeCut(node: String, CutObstacle)
}

extension PlanError: CustomStringConvertible {
  public var description: String { "\(message); \(remedy)" }

  /// What is wrong.
  public var message: String {
    switch self {
    case .missingType(let type, let from, let to):
      "\(from) -> \(to) needs a node of type `\(type)`, which the catalog lacks"
    case .refusedParameter(let name, let value, let type, let from, let to):
      "\(from) -> \(to) needs a `\(type)` with `\(name)` \(value), which that type doesn't take"
    case .noConversion(let from, let to, let conflict):
      "\(from) gives \(conflict.first), \(to) takes \(conflict.second), "
        + "and no \(conflict.field) is both"
    case .cycle(let nodes):
      "the nodes \(nodes.joined(separator: ", ")) are wired in a circle"
    case .latency(let node):
      "the latency of `\(node)` is not a length of time"
    case .delayTooLong(let inputs, let delay, let bytes, let limit):
      "\(inputs.map(\.description).joined(separator: ", ")) would have to wait "
        + "\(delay.shortSeconds) for the other inputs of that node, which takes "
        + "\(bytes.shortBytes) a wire; a wire holds \(limit.shortBytes) at most"
    case .cannotBeCut(let node, let obstacle):
      "`\(node)` can't be cut into pieces: \(obstacle.message)"
    }
  }

  /// What to do.
  public var remedy: String {
    switch self {
    case .missingType(let type, _, _):
      "add `\(type)` to the catalog, or wire ports whose formats agree"
    case .refusedParameter: "wire a node between them that makes the format"
    case .noConversion(_, _, let conflict):
      conflict.field == "kind"
        ? "wire an encoder, a decoder or a node of the right kind between them"
        : "wire a node between them that makes what the input takes"
    case .cycle: "leave out one of the wires between them"
    case .latency: "have the node give zero or a positive, finite time"
    case .delayTooLong: "shorten the lookahead of the slower path, or scale its frames down"
    case .cannotBeCut: "run the graph on one machine"
    }
  }
}

extension MediaTime {
  /// The time in seconds with up to three decimals: `1.5 s`.
  var shortSeconds: String { "\(Double((seconds * 1000).rounded()) / 1000) s".droppingZero }
}

extension Int {
  /// A count of bytes in the largest unit that leaves at least one: `64 MiB`.
  var shortBytes: String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    guard let (size, unit) = units.first(where: { self >= $0.0 }) else { return "\(self) B" }
    let tenths = (Double(self) / Double(size) * 10).rounded() / 10
    return "\(tenths) \(unit)".droppingZero
  }
}

extension String {
  /// The text with `.0` before its unit left out.
  fileprivate var droppingZero: String {
    guard let range = firstRange(of: ".0 ") else { return self }
    return replacingCharacters(in: range)
  }

  private func replacingCharacters(in range: Range<String.Index>) -> String {
    String(self[..<range.lowerBound]) + " " + String(self[range.upperBound...])
  }
}
