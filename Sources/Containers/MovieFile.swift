import Media
import GraphKitSystem

/// An open movie: its outermost boxes, and its index once read.
package struct MovieFile {
  let path: String
  let file: File
  /// The outermost boxes before the first fragment, and before the first that is broken. That is
  /// no error here: a recording that was cut off ends in such a box.
  let boxes: [MovieBox]
  /// The offset of the first fragment. An hour may have a hundred thousand: they are read one by
  /// one.
  let fragmentStart: Int?

  package init(_ path: String, for access: File.Access) throws(NodeError) {
    self.path = path
    do {
      file = try File(path, for: access)
      (boxes, fragmentStart) = try Self.outermostBoxes(of: file)
    } catch { throw .unusable(path, error) }
  }

  /// Whether a file begins as a movie does, and nothing in it says what its samples are: it was cut off
  /// while it was recorded or copied.
  package static func lacksIndex(_ path: String) -> Bool {
    guard let movie = try? MovieFile(path, for: .reading), movie.boxes.first?.type == "ftyp" else {
      return false
    }
    // Still pictures have a `meta` box instead.
    return movie.fragmentStart == nil
      && !movie.boxes.contains { ["moov", "meta"].contains($0.type) }
  }

  private static func outermostBoxes(of file: File)
    throws(File.Failure) -> ([MovieBox], fragmentStart: Int?)
  {
    var boxes: [MovieBox] = []
    var offset = 0
    let size = file.size
    while offset < size {
      // The header alone, so that the box's own offsets are relative to it.
      let header = MovieBytes(bytes: try file.read(at: offset, count: 16))
      guard let box = header.box(at: 0, limit: size - offset) else { break }
      if box.type == "moof" { return (boxes, offset) }
      boxes.append(
        MovieBox(
          type: box.type, start: offset, content: offset + box.content, end: offset + box.end))
      offset += box.end
    }
    return (boxes, nil)
  }

  /// Whether the index is in front of the samples.
  var isIndexFirst: Bool {
    let index = boxes.firstIndex { $0.type == "moov" }
    let samples = boxes.firstIndex { $0.type == "mdat" }
    return index.map { index in samples.map { index < $0 } ?? true } ?? false
  }

  var indexBox: MovieBox? { boxes.first { $0.type == "moov" } }

  func bytes(of box: MovieBox) throws(NodeError) -> MovieBytes {
    guard box.size <= 1 << 30 else { throw .noMovie(path, "its index is over 1 GiB") }
    do {
      return MovieBytes(bytes: try file.read(at: box.start, count: box.size))
    } catch { throw .unusable(path, error) }
  }

  func index() throws(NodeError) -> MovieIndex {
    guard let box = indexBox else { throw .noIndex(path) }
    guard let index = MovieIndex(try bytes(of: box)) else { throw .brokenIndex(path) }
    return index
  }

  /// Has `body` look at the numbers of the index, which are read block by block meanwhile: that of an
  /// hour has some megabytes.
  func withSkimmedIndex<Result>(
    _ body: (MovieIndex) throws(NodeError) -> Result
  ) throws(NodeError) -> Result {
    guard let box = indexBox else { throw .noIndex(path) }
    let blocks = FileBlocks(file, box.start..<box.end)
    let index = MovieIndex(MovieBytes(blocks))
    if let failure = blocks.failure { throw .unusable(path, failure) }
    guard let index else { throw .brokenIndex(path) }
    let result = try body(index)
    if let failure = blocks.failure { throw .unusable(path, failure) }
    return result
  }
}

extension NodeError {
  static func unusable(_ path: String, _ failure: File.Failure) -> NodeError {
    NodeError(
      "the movie `\(path)` can't be read or written: \(failure.text)",
      remedy: "check the file and its disk", key: "path")
  }

  /// That a movie was cut off before its index.
  package static func movieWithoutIndex(_ path: String) -> NodeError {
    NodeError(
      "`\(path)` is a movie without its index: it was cut off before its `moov` box, which says what "
        + "its samples are",
      remedy:
        "copy all of it from where it came from; what was recorded without fragments can't be "
        + "repaired",
      key: "path")
  }

  fileprivate static func noIndex(_ path: String) -> NodeError {
    noMovie(path, "it has no `moov` box")
  }

  fileprivate static func brokenIndex(_ path: String) -> NodeError {
    noMovie(path, "its `moov` box is broken")
  }

  static func noMovie(_ path: String, _ reason: String) -> NodeError {
    NodeError("`\(path)` is no whole movie: \(reason)", remedy: "record it again", key: "path")
  }
}
