/// A graph whose audio is only reduced, run in pieces by several processes or machines: each reduces
/// one piece and writes the summaries to a file, and one puts them together and does the rest.
///
/// The cuts depend on the stream alone, so all plans of one graph for a number of pieces fit together.
extension Plan {
  /// About so many pieces of a graph's audio, with where each begins, in seconds. Throws which node it
  /// is that forbids cutting.
  package static func pieces(
    _ count: Int, of graph: Graph
  ) throws(PlanError) -> [(piece: AudioPiece, start: Double)] {
    let before = standardPasses.prefix { !($0 is SplitReducers) }
    let plan = try Plan(graph, passes: Array(before), cores: 1)
    let cut = try AudioCut(plan)
    return try cut.pieces(count, in: plan).map { ($0, cut.start(of: $0)) }
  }

  /// Plans one of the pieces, whose summaries a file is to have.
  package init(
    _ graph: Graph, piece: AudioPiece, writing path: String, cores: Int? = nil
  ) throws(PlanError) {
    let pass = CutReducers(piece, writing: path)
    try self.init(graph, passes: Self.passes(with: pass), cores: cores)
  }

  /// Plans what is to be done once all pieces' files are there: what the graph makes of the whole.
  package init(_ graph: Graph, merging paths: [String], cores: Int? = nil) throws(PlanError) {
    try self.init(graph, passes: Self.passes(with: MergeParts(paths)), cores: cores)
  }

  private static func passes(with pass: any PlanPass) -> [any PlanPass] {
    standardPasses.map { $0 is SplitReducers ? pass : $0 }
  }
}
