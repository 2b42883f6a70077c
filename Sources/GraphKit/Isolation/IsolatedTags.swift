/// What another process says that the stream of a track says of itself, and its file: no more of it than
/// a file may say.
struct IsolatedTags {
  /// Those of the file, and those of the stream.
  private var known: [Bool: StreamTags] = [:]

  /// Texts that a stream has at most, and bytes of a picture.
  private static let mostTexts = 200
  static let largestPicture = 16 << 20
  /// Pictures that a stream has at most, and their bytes together.
  private static let mostPictures = 32
  private static let mostBytes = 64 << 20

  /// Takes a text; `false` where there are too many.
  mutating func add(_ name: String, _ text: String, ofFile: Bool) -> Bool {
    var tags = tags(ofFile: ofFile)
    tags.texts[name] = text
    guard tags.texts.count <= Self.mostTexts else { return false }
    known[ofFile] = tags
    return true
  }

  /// Takes a picture, which may be said again; one that is too many is left out.
  mutating func add(_ picture: AttachedPicture, ofFile: Bool) {
    var tags = tags(ofFile: ofFile)
    let count = tags.pictures.reduce(picture.bytes.count) { $0 + $1.bytes.count }
    guard !tags.pictures.contains(picture), tags.pictures.count < Self.mostPictures,
      count <= Self.mostBytes
    else { return }
    tags.pictures.append(picture)
    known[ofFile] = tags
  }

  private func tags(ofFile: Bool) -> StreamTags {
    if let tags = known[ofFile] { return tags }
    var tags = StreamTags([:])
    tags.areOfFile = ofFile
    return tags
  }

  /// All that has come since it was taken.
  mutating func take() -> [StreamTags] {
    defer { known = [:] }
    return [true, false].compactMap { known[$0] }
  }
}
