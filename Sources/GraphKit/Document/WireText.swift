/// The text of a wire, taken apart: `node[.port] -> node[.port] -> …`.
struct WireText {
  /// The ends, as far as they can be read.
  private(set) var ends: [GraphDocument.End] = []
  /// What is wrong with the text.
  private(set) var diagnostics: [Diagnostic] = []

  private let scalars: [Unicode.Scalar]
  private let tree: JSONTree

  init(_ text: String, in tree: JSONTree) {
    self.tree = tree
    scalars = Array(text.unicodeScalars)
    var start = 0
    for index in scalars.indices.dropLast() where scalars[index] == "-" && scalars[index + 1] == ">"
    {
      readEnd(start..<index)
      start = index + 2
    }
    readEnd(start..<scalars.count)
    if start == 0, diagnostics.isEmpty { report(.shortWire, at: 0) }
  }

  /// A single end, as the ports of a whole graph name it.
  init(end text: String, in tree: JSONTree) {
    self.tree = tree
    scalars = Array(text.unicodeScalars)
    readEnd(scalars.indices)
  }

  /// Every word of the text that may be a node's name.
  var mentioned: [String] {
    scalars.split { !isNameScalar($0) && $0 != "/" }.map { word in
      var name = String.UnicodeScalarView()
      name.append(contentsOf: word)
      return String(name)
    }
  }

  private mutating func readEnd(_ range: Range<Int>) {
    let first = range.first { !isSpace(scalars[$0]) } ?? range.lowerBound
    let last = range.last { !isSpace(scalars[$0]) } ?? first - 1
    let text = text(first..<(last + 1))
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let port = parts.count > 1 ? String(parts[1]) : nil
    guard let node = parts.first.map(String.init), isNodeName(node), port.map(isPortName) ?? true
    else { return report(.badEnd(text), at: first) }
    ends.append(.init(node: node, port: port, place: tree.place(ofScalar: first)))
  }

  private func text(_ range: Range<Int>) -> String {
    scalars[range].reduce(into: "") { $0.unicodeScalars.append($1) }
  }

  private mutating func report(_ problem: DocumentProblem, at offset: Int) {
    diagnostics.append(Diagnostic(.document(problem), at: tree.place(ofScalar: offset)))
  }
}

private func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

/// Whether a text can name a node or a parameter.
func isName(_ text: String) -> Bool {
  !text.isEmpty && text.unicodeScalars.allSatisfy(isNameScalar)
}

/// Whether a text can name a node: a name, or those of the nodes that it is within before it, as in
/// `look/blur`.
func isNodeName(_ text: String) -> Bool {
  text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { isName(String($0)) }
}

/// Whether a text can name a port: names with points between them, as in `audio.2`.
func isPortName(_ text: String) -> Bool {
  text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { isName(String($0)) }
}

func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
  default: false
  }
}
