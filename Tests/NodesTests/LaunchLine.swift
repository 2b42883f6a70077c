import GraphKit

/// A row of element nodes as an argument list of `gst-launch-1.0`: their chains are tried without
/// the scheduler.
func launch(_ rows: [(nodes: [any ElementNode], port: String)], into sink: any ElementNode) throws {
  var formats: [String: FormatConstraint] = [:]
  for row in rows { formats[row.port] = row.nodes.last?.portDeclarations.last?.format }
  var words: [String] = []
  guard let chain = try sink.elements(in: LiveEnvironment(), formats: formats).first else { return }
  let file = ["filesink", "location=\(quoted(chain.output?.file.path ?? ""))"]
  words = chain.elements.dropLast().flatMap { description(of: $0) + ["!"] } + file
  words.insert("name=end", at: 1)
  for row in rows {
    for (index, node) in row.nodes.enumerated() {
      let previous = index > 0 ? row.nodes[index - 1].portDeclarations.last?.format : nil
      let elements = try node.elements(
        in: LiveEnvironment(), formats: previous.map { ["in": $0] } ?? [:])
      words += (elements.first?.elements ?? []).flatMap { description(of: $0) + ["!"] }
    }
    words += (chain.inputElements[row.port] ?? []).flatMap { description(of: $0) + ["!"] }
    words += ["queue", "max-size-time=5000000000", "max-size-buffers=0", "!", "end."]
  }
  try tool("gst-launch-1.0", ["-q", "-e"] + words)
}

/// An element as words of a launch line.
private func description(of spec: ElementSpec) -> [String] {
  [spec.factory]
    + spec.properties.sorted { $0.key < $1.key }.map { "\($0.key)=\(quoted($0.value))" }
}

private func quoted(_ text: String) -> String {
  let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
  return "\"\(escaped)\""
}
