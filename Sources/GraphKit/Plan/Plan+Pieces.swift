/// A graph run in pieces by several processes or machines: each reduces a piece of its audio, or encodes
/// a piece of its video, and writes what it has made to a file; and one puts them together and does the
/// rest.
///
/// The cuts depend on the stream alone, so all plans of one graph for a number of pieces fit together.
extension Plan {
  /// About so many pieces of a graph's stream, with where each begins, in seconds. Throws which node it
  /// is that forbids cutting.
  package static func pieces(
    _ count: Int, of graph: Graph
  ) throws(PlanError) -> [(piece: StreamPiece, start: Double)] {
    let before = standardPasses.prefix { !($0 is SplitReducers) }
    let plan = try Plan(graph, passes: Array(before), cores: 1)
    guard plan.videoEncoders.isEmpty else {
      let pieces = try VideoCut(plan).pieces(count, in: plan)
      return pieces.map { (.video($0), Double($0.start) / 1e9) }
    }
    let cut = try AudioCut(plan)
    return try cut.pieces(count, in: plan).map { (.audio($0), cut.start(of: $0)) }
  }

  /// Plans one of the pieces, whose summaries or packets a file is to have.
  package init(
    _ graph: Graph, piece: StreamPiece, writing path: String, cores: Int? = nil
  ) throws(PlanError) {
    let pass: any PlanPass =
      switch piece {
      case .audio(let piece): CutReducers(piece, writing: path)
      case .video(let piece): CutEncoders(piece, writing: path)
      }
    try self.init(graph, passes: Self.standardPasses(with: pass), cores: cores)
  }

  /// Plans what is to be done once all pieces' files are there: what the graph makes of the whole.
  package init(_ graph: Graph, merging paths: [String], cores: Int? = nil) throws(PlanError) {
    try self.init(graph, passes: Self.standardPasses(with: MergeParts(paths)), cores: cores)
  }

  /// The passes of every run, with another in place of ``SplitReducers``.
  static func standardPasses(with pass: any PlanPass) -> [any PlanPass] {
    standardPasses.map { $0 is SplitReducers ? pass : $0 }
  }
}
