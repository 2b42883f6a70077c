import ArgumentParser
import GraphKit

/// `graphctl draw`
struct Draw: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw a graph as SVG, Mermaid or DOT.",
    discussion: "Drawn is the plan with its formats, stages and queues, or the graph as written.")

  /// The drawing languages.
  enum Language: String, ExpressibleByArgument, CaseIterable { case svg, mermaid, dot }

  @OptionGroup var graph: GraphOptions
  @Option(help: "The language of the drawing.") var format = Language.svg
  @Flag(help: "Draw the graph as it is written, without what planning adds.")
  var asWritten = false

  func run() throws {
    let (checked, plan) = try graph.planned(in: OverwritingEnvironment())
    let drawing = asWritten ? Drawing(checked) : Drawing(plan)
    switch format {
    case .svg: try Console.data(drawing.svg)
    case .mermaid: try Console.data(drawing.mermaid)
    case .dot: try Console.data(drawing.dot)
    }
  }
}
