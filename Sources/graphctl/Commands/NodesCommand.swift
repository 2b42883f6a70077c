import ArgumentParser
import GraphKit

/// `graphctl nodes`
struct NodesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "List the node types, or show the ports and parameters of one, or of a graph.")

  @Argument(
    help: "A node type to show, or the file of a graph that is to be a node.",
    completion: .custom { _, _, _ in Catalog.builtIn.all.map(\.name) })
  var type: String?
  @Option(help: "With `gst`: the element of GStreamer to show, its ports, caps and properties.")
  var element: String?
  @OptionGroup var types: CatalogOptions
  @Option(help: "How to write the listing.") var format = OutputFormat.text

  func validate() throws {
    guard element != nil, type != "gst" else { return }
    throw ValidationError("only the node `gst` has elements: graphctl nodes gst --element NAME")
  }

  func run() throws {
    if let element { return try show(element: element) }
    let catalog = try types.catalog()
    guard let name = type else {
      let pages = catalog.all.map(NodePage.init)
      return try format == .json
        ? Console.json(pages) : Console.data(NodePage.table(of: pages))
    }
    if name.hasSuffix(".json") { return try show(graph: name, catalog) }
    guard let type = catalog[name] else {
      let remedy = suggestion(for: name, catalog.all.map(\.name))
      throw CommandFailure(
        status: .unavailable,
        message: "graphctl: error: there is no node type `\(name)`; "
          + (remedy ?? "`graphctl nodes` lists them all"))
    }
    try show(NodePage(type))
  }

  private func show(_ page: NodePage) throws {
    try format == .json ? Console.json(page) : Console.data(page.text)
  }

  private func show(element name: String) throws {
    let page: ElementPage
    do throws(NodeError) { page = try ElementPage(of: name) } catch {
      throw CommandFailure(status: .unavailable, message: "graphctl: error: \(error)")
    }
    try format == .json ? Console.json(page) : Console.data(page.text)
  }

  private func show(graph path: String, _ catalog: Catalog) throws {
    let text = try GraphFile(path: path).text()
    let document: GraphDocument
    do throws(GraphErrors) {
      document = try GraphDocument(json: text.bytes, file: path)
    } catch {
      throw CommandFailure(status: .badGraph, message: error.description, graphErrors: error)
    }
    guard document.diagnostics.isEmpty else {
      let lines = document.diagnostics.map(\.description)
      throw CommandFailure(status: .badGraph, message: lines.joined(separator: "\n"))
    }
    try show(NodePage(document, catalog))
  }
}
