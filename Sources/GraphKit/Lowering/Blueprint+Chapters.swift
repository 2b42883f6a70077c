import Containers

/// The chapters of the files that are read, at their times in those that are written.
extension Blueprint {
  /// Those of the file that a wire into a sink comes from. A text's are those of what it belongs to, which
  /// may come at other times.
  func chapters(for wire: PlanWire) -> [MovieChapter] {
    let others = plan.inputs(of: wire.to.node).filter { $0.format.kind != .text }
    guard
      wire.format.kind != .text
        || !plan.names(leadingTo: others.map(\.from.node)).contains(wire.from.node)
    else { return [] }
    var seen: Set<String> = []
    return chapters(on: wire, &seen)
  }

  /// Those of the file, or of its part, through nodes of which it is known when what comes leaves; none
  /// where it isn't. Of several files that are mixed those of the first that has some.
  private func chapters(on wire: PlanWire, _ seen: inout Set<String>) -> [MovieChapter] {
    if let stream = fileStream(wire.from) {
      return stream.range.map { stream.chapters.inRange($0) } ?? stream.chapters
    }
    guard let node = plan[wire.from.node], node.type.saysTimes(of: node.node),
      seen.insert(node.name).inserted
    else { return [] }
    for input in plan.inputs(of: node.name)
    where input.format.kind != .text || wire.format.kind == .text {
      let found = chapters(on: input, &seen)
      if !found.isEmpty {
        return node.node.traits.timeChange.map { found.changed(by: $0) } ?? found
      }
    }
    return []
  }
}

extension [MovieChapter] {
  /// The chapters of a range: the first may begin before it.
  fileprivate func inRange(_ range: MediaTimeRange) -> [MovieChapter] {
    let start = Int((range.start.seconds * 1_000).rounded())
    let end = range.duration.isNumeric ? Int((range.end.seconds * 1_000).rounded()) : .max
    let first = lastIndex { $0.start <= start }
    return enumerated().filter { index, chapter in
      chapter.start < end && (index == first || chapter.start > start)
    }.map { MovieChapter(start: Swift.max(0, $1.start - start), title: $1.title) }
  }

  /// The chapters at the times at which a node hands on what they are of.
  fileprivate func changed(by change: TimeChange) -> [MovieChapter] {
    inRange(change.range).map { chapter in
      let start = (Double(chapter.start) / change.speed).rounded()
      return MovieChapter(start: Int(exactly: start) ?? .max, title: chapter.title)
    }
  }
}
