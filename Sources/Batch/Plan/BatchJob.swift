import GStreamer
import GraphKit

/// What a batch does to each item: the graph, and what it takes to check it.
package struct BatchJob: Sendable {
  /// The graph as it is written.
  package var document: GraphDocument
  /// The graph's text.
  package var text: [UInt8]
  package var catalog: Catalog
  /// The parameter that an item's file becomes.
  package var inputParameter: String
  /// The version of the program.
  package var program: String
  /// What brings inputs and outputs.
  package var staging: Staging
  /// The exit codes that failures have.
  package var codes: ExitCodes

  package init(
    _ document: GraphDocument, text: [UInt8], catalog: Catalog, inputParameter: String,
    program: String, staging: Staging = Staging(), codes: ExitCodes
  ) {
    (self.document, self.text, self.catalog) = (document, text, catalog)
    (self.inputParameter, self.program, self.staging) = (inputParameter, program, staging)
    self.codes = codes
  }

  /// The exit code of a run whose graph is wrong so.
  func status(of errors: GraphErrors) -> Int { Int(codes.ofErrors(errors, document, catalog)) }

  /// The graph with the parameters of an item.
  func graph(
    _ input: String, _ values: [String: String], in environment: any Environment
  ) throws(GraphErrors) -> Graph {
    try Graph(
      checking: document, catalog: catalog, environment: environment,
      set: values.merging([inputParameter: input]) { $1 })
  }
}

extension Graph {
  /// A digest of all that a run's outputs depend on, but for the contents of the input: nodes,
  /// parameters, wires, and the other files that are read.
  /// - Parameter standIn: the file that the graph has in place of the input; often the input itself.
  func digest(program: String, input: String, standIn: String, facts: String) -> String {
    let nodes = nodes.map { node in
      "\(node.name) \(node.type.name) "
        + JSONTree(value: .object(node.parameters)).jsonLine.replacing(standIn, with: input)
    }
    let wires = wires.map { "\($0.from.node).\($0.from.port) \($0.to.node).\($0.to.port)" }
    let others = readPaths.filter { $0 != standIn }.map { "\($0) \(BatchItem.facts(of: $0))" }
    let lines = ["batch 1 \(program)", input, facts] + nodes + wires + others
    let sum = FileDigest.hexadecimal(of: Array(lines.joined(separator: "\n").utf8))
    return String(sum.prefix(32))
  }

  /// The files that its nodes read.
  private var readPaths: [String] {
    let paths = nodes.flatMap { node -> [String] in
      let named = node.node.namedFiles.filter { !$0.isWritten }.map(\.path)
      guard node.type.role != .sink else { return named }
      return named
        + node.type.parameters.filter { $0.kind == .path }.compactMap {
          if case .string(let text)? = node.parameters[$0.name] { text } else { nil }
        }
    }
    return Set(paths).sorted()
  }
}
