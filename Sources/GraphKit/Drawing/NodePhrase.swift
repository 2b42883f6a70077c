/// What a node of a graph does, from its type's phrase or help and the parameters that it has.
struct NodePhrase {
  private let node: GraphNode

  init(_ node: GraphNode) { self.node = node }

  /// What becomes of a stream, after "is": `encoded as AAC at 128 kbit/s`.
  var text: String {
    guard let phrase = node.type.phrase else {
      let more = given(except: [])
      return "passed through `\(node.name)` (\(plainHelp)\(more.isEmpty ? "" : "; \(more)"))"
    }
    var used: Set<String> = []
    let filled = fill(phrase, &used)
    let more = given(except: used)
    return filled + (more.isEmpty ? "" : " (\(more))")
  }

  /// The help with the node as its subject: `shows several videos beside each other (columns 2)`.
  var help: String {
    let more = given(except: [])
    return plainHelp + (more.isEmpty ? "" : " (\(more))")
  }

  private var plainHelp: String {
    let help = node.type.help
    return help.prefix(1).lowercased() + help.dropFirst().prefix { $0 != "." }
  }

  /// Puts values for `{…}`, and leaves out what is in brackets where the graph doesn't give them.
  private func fill(_ phrase: String, _ used: inout Set<String>) -> String {
    let parts = phrase.split(separator: "[", omittingEmptySubsequences: false)
    return parts.enumerated().map { number, part in
      guard number > 0, let end = part.firstIndex(of: "]") else {
        return values(in: part, &used)
      }
      let (inside, outside) = (part[..<end], part[part.index(after: end)...])
      let isGiven = names(in: inside).allSatisfy { node.parameters[$0] != nil }
      return (isGiven ? values(in: inside, &used) : "") + values(in: outside, &used)
    }.joined()
  }

  private func names(in part: Substring) -> [String] {
    part.split(separator: "{", omittingEmptySubsequences: false).dropFirst()
      .map { String($0.prefix { $0 != "}" }) }
  }

  private func values(in part: Substring, _ used: inout Set<String>) -> String {
    let pieces = part.split(separator: "{", omittingEmptySubsequences: false)
    return pieces.enumerated().map { number, piece in
      guard number > 0, let end = piece.firstIndex(of: "}") else { return String(piece) }
      let name = String(piece[..<end])
      used.insert(name)
      return value(of: name) + piece[piece.index(after: end)...]
    }.joined()
  }

  /// The parameters that the graph gives, in the order of the type: `columns 2, gap 8`.
  private func given(except used: Set<String>) -> String {
    node.type.parameters.filter { !used.contains($0.name) && node.parameters[$0.name] != nil }
      .map { "\($0.name) \(value(of: $0.name))" }.joined(separator: ", ")
  }

  private func value(of name: String) -> String {
    let parameter = node.type.parameters.first { $0.name == name }
    let value = node.parameters[name] ?? parameter?.read(node.node)
    guard let value else { return "its choice" }
    guard case .number(let number) = value, let unit = parameter?.unit else {
      return excerpt(value.plain, limit: 60)
    }
    return Self.words(number, unit)
  }

  /// A number with its unit; pixels and frames are counted without one.
  private static func words(_ number: Double, _ unit: String) -> String {
    func plain(_ number: Double) -> String { JSONValue.number(number).plain }
    switch unit {
    case "px", "frames", "1/s": return plain(number)
    case "bit/s" where number >= 1_000_000: return "\(plain(number / 1_000_000)) Mbit/s"
    case "bit/s" where number >= 1_000: return "\(plain(number / 1_000)) kbit/s"
    default: return "\(plain(number)) \(unit)"
    }
  }
}
