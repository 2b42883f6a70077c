import ArgumentParser
import GraphKit

/// `graphctl schema`
struct Schema: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Write the JSON Schema of graph files, for editors.")

  @OptionGroup var types: CatalogOptions

  func run() throws {
    try Console.data(GraphSchema.json(for: types.catalog()))
  }
}
