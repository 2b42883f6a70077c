import GraphKitSystem

/// The files that a run reads, as they were before it: where another program cuts one off meanwhile,
/// its readers take the new end for that of its streams, and what is made of it is too short.
struct ReadFiles: Sendable {
  private let files: [(node: String, path: String, stamp: FileStamp)]

  /// Notes the files of a plan's sources, each once. What a filter or a sink reads, such as a picture,
  /// it has read when its stream begins.
  init(_ plan: Plan) {
    var known: Set<String> = []
    files = plan.inputs.compactMap { node, path in
      guard plan[node]?.type.role == .source, known.insert(path).inserted else { return nil }
      return FileStamp(path).map { (node, path, $0) }
    }
  }

  /// What to say of those that are shorter now.
  func findDamage() -> [PipelineFailure] {
    files.compactMap { node, path, stamp in
      guard let now = FileStamp(path), let lost = now.lost(since: stamp) else { return nil }
      return PipelineFailure(
        node: node,
        message: "`\(path)` was cut off by another program while it was read: \(lost) of its "
          + "\(stamp.size) bytes went",
        remedy: "run the graph again, with a file that no other program changes")
    }
  }
}
