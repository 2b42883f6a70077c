import Media
import GraphKitSystem

extension MovieFile {
  /// Writes the movie anew with its index before its samples, beside the old file, which it then
  /// replaces: whatever happens on the way, one of the two is whole.
  func moveIndexToFront(_ index: MovieIndex, flushed: Bool) throws(NodeError) {
    guard let samples = boxes.firstIndex(where: { $0.type == "mdat" }) else { return }
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
      let copy = try File(copyPath, for: .creating)
      var end = try append(boxes[..<samples], to: copy, at: 0)
      try copy.write(index.data.bytes, at: end)
      end += index.data.bytes.count
      _ = try append(boxes[samples...].filter { $0.type != "moov" }[...], to: copy, at: end)
      if flushed { try copy.synchronize() }
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
