import ArgumentParser
import GraphKit

/// `graphctl explain`
struct Explain: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say in sentences what a graph does.",
    discussion: """
      A file that isn't there yet is taken for a movie with video and audio; a parameter without a \
      value stands for itself, as ${name}.
      """)

  @OptionGroup var graph: GraphOptions

  func run() throws {
    var text = try graph.file.text()
    let document = try text.document()
    let open = document.parameters.filter { parameter in
      parameter.defaultValue.content == .null
        && !text.settings.contains { $0.name == parameter.name.value }
    }
    for parameter in open {
      let name = parameter.name.value
      text.settings.append(Setting(name: name, value: "${\(name)}"))
    }
    let environment = SupposingEnvironment()
    let checked = try text.checked(in: environment)
    for path in environment.supposed where !path.contains("${") {
      Console.message("note: `\(path)` isn't there; taken for a movie with video and audio")
    }
    let parts = [document.summary, Explanation(checked).description, parameters(of: document)]
    try Console.data(parts.compactMap(\.self).joined(separator: "\n\n"))
  }

  /// The graph's parameters, one a line, with the values that they have.
  private func parameters(of document: GraphDocument) -> String? {
    guard !document.parameters.isEmpty else { return nil }
    let rows = document.parameters.map { parameter in
      let name = parameter.name.value
      let isOpen = parameter.defaultValue.content == .null
      let value = isOpen ? "must be set" : "= \(parameter.defaultValue.value.plain)"
      let set = graph.settings.last { $0.name == name }
      return [name, set.map { "= \($0.value)" } ?? value]
    }
    return "Parameters, which --set replaces:\n" + Table.text(rows, indent: 2)
  }
}
