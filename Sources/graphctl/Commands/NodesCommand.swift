import ArgumentParser
import GraphKit

/// `graphctl nodes`
struct NodesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "List the node types, or show the ports and parameters of one.")

  @Argument(help: "A node type to show.") var type: String?
  @OptionGroup var types: CatalogOptions
  @Option(help: "How to write the listing.") var format = OutputFormat.text

  func run() throws {
    let catalog = try types.catalog()
    guard let name = type else {
      let pages = catalog.all.map(NodePage.init)
      return try format == .json
        ? Console.json(pages) : Console.data(NodePage.table(of: pages))
    }
    guard let type = catalog[name] else {
      let remedy = suggestion(for: name, catalog.all.map(\.name))
      throw CommandFailure(
        status: .unavailable,
        message: "graphctl: error: there is no node type `\(name)`; "
          + (remedy ?? "`graphctl nodes` lists them all"))
    }
    let page = NodePage(type)
    try format == .json ? Console.json(page) : Console.data(page.text)
  }
}
