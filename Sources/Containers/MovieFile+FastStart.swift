import Media
import GraphKitSystem

extension MovieFile {
  /// Writes the movie anew with its index before its samples, beside the old file, which it then
  /// replaces: whatever happens on the way, one of the two is whole.
  func moveIndexToFront(_ index: MovieIndex, flushed: Bool) throws(NodeError) {
    guard boxes.contains(where: { $0.type == "mdat" }) else { return }
    var index = index
    // The index is after all samples, so that it pushes every one of them on by its own size.
    guard index.shiftChunks(by: index.data.bytes.count) else {
      throw NodeError(
        "`\(path)` is too long to have its index in front",
        remedy: "leave `optimizeForNetworkUse` out", key: "optimizeForNetworkUse")
    }
    let copyPath = "\(path).faststart"
    File.remove(copyPath)
    do {
      try writeCopy(copyPath, with: index, flushed: flushed)
      try File.rename(copyPath, to: path)
      if flushed { File.synchronizeFolder(of: path) }
    } catch {
      File.remove(copyPath)
      throw NodeError(
        "the movie `\(path)` is whole, but its index is still at the end: \(error.text)",
        remedy: error.isFull
          ? "make room for a second file of its size beside it, or leave `optimizeForNetworkUse` out"
          : error.writingRemedy, key: "optimizeForNetworkUse")
    }
  }

  /// Writes all boxes into a new file, an index before the first that holds samples.
  private func writeCopy(
    _ path: String, with index: MovieIndex, flushed: Bool
  ) throws(File.Failure) {
    let copy = try File(path, for: .creating)
    let others = boxes.filter { $0.type != "moov" }
    let samples = others.firstIndex { $0.type == "mdat" } ?? others.endIndex
    var end = try append(others[..<samples], to: copy, at: 0)
    try copy.write(index.data.bytes, at: end)
    end += index.data.bytes.count
    _ = try append(others[samples...], to: copy, at: end)
    if flushed { try copy.synchronize() }
    try copy.close()
  }

  /// Copies some boxes; returns where they end.
  private func append(_ boxes: ArraySlice<MovieBox>, to copy: File, at start: Int)
    throws(File.Failure) -> Int
  {
    var end = start
    for box in boxes {
      try file.copy(box.start..<box.end, to: copy, at: end)
      end += box.size
    }
    return end
  }
}
