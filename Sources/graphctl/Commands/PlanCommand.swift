import ArgumentParser
import GraphKit

/// `graphctl plan`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Show what a run would do: converters, stages, formats and queues.")

  @OptionGroup var graph: GraphOptions
  @Option(help: "How to write the plan.") var format = OutputFormat.text

  func run() throws {
    let (_, plan) = try graph.planned(in: OverwritingEnvironment())
    switch format {
    case .text: try Console.data(plan.description)
    case .json: try Console.json(PlanListing(plan))
    }
  }
}
