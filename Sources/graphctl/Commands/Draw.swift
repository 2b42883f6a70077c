import ArgumentParser
import GraphKit

/// `graphctl draw`
struct Draw: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw",
    abstract: "Draw a graph as SVG, Mermaid or DOT.",
    discussion: """
      Drawn is the plan with its formats, stages and queues, or the graph as written. A node that \
      is a graph of another file is one box, unless it is opened.
      """)

  /// The drawing languages.
  enum Language: String, ExpressibleByArgument, CaseIterable { case svg, mermaid, dot }

  @OptionGroup var graph: GraphOptions
  @Option(help: "The language of the drawing.") var format = Language.svg
  @Flag(help: "Draw the graph as it is written, without what planning adds.")
  var asWritten = false

  @Option(
    help: ArgumentHelp(
      "Draw the nodes of a graph within the graph; all opens each.",
      discussion: "May be given several times.", valueName: "node"))
  var open: [String] = []

  func run() throws {
    let (checked, plan) = try graph.planned(in: OverwritingEnvironment())
    let opened = try openedGraphs(of: checked)
    let drawing = (asWritten ? Drawing(checked) : Drawing(plan)).folded(checked, opening: opened)
    switch format {
    case .svg: try Console.data(drawing.svg)
    case .mermaid: try Console.data(drawing.mermaid)
    case .dot: try Console.data(drawing.dot)
    }
  }
  private func openedGraphs(of graph: Graph) throws -> OpenedGraphs {
    if open.contains("all") { return .all }
    let names = graph.includedGraphs.keys.sorted()
    for name in open where !names.contains(name) {
      let known = names.map { "`\($0)`" }.joined(separator: ", ")
      let remedy =
        suggestion(for: name, names)
        ?? (names.isEmpty ? "it has none" : "it has \(known)")
      throw CommandFailure(
        status: .badUsage,
        message: "graphctl: error: `\(name)` is no node of the type `graph`; \(remedy)")
    }
    return .named(Set(open))
  }
}
