import GraphKitSystem

/// Room for a file to be finished in: a run whose disk gets full ends in order before it is.
extension OutputClaim {
  /// Whether there is room for so many bytes after what is written. The disk keeps it, and more for
  /// what is to come; where it has no more, the run is ended in order.
  func makeRoom(for count: Int, more: Int) -> Bool {
    let (hasRoom, limit) = takeRoom(for: count, more: more)
    if let limit { context.endEarly(failure(limit)) }
    return hasRoom
  }

  private func failure(_ limit: WrittenFile.Limit) -> PipelineFailure {
    let what =
      switch limit {
      case .disk: "the disk that it is on is full"
      case .size(let most): "a file may have at most \(most) bytes here"
      }
    var failure = PipelineFailure(
      node: node,
      message: "`\(file.path)` was finished early: \(what), "
        + "but for the room that its index needs",
      remedy: limit == .disk
        ? "make room on the disk, or give a path on one with more"
        : "raise the limit of files' sizes (`ulimit -f`), or write to a disk that takes larger ones"
    )
    failure.kind = .outOfRoom
    return failure
  }
}
