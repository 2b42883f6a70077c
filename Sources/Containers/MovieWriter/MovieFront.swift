/// The index in front of the fragments while a movie is recorded. It has room for what the tracks'
/// samples become on the way.
struct MovieFront {
  private var header: MovieHeader
  /// Where it is in the file, and how long.
  let offset: Int
  let byteCount: Int

  /// Room for some descriptions, of 150 to 300 bytes each: with what is before it in the file, the index
  /// of usual movies fits into one page, which is written at once.
  private static let room = 2_048

  /// What a disk writes as a whole or not at all.
  private static let pageByteCount = 4_096

  /// Whether it can be written anew in place: a cut of power in the middle of several pages would leave
  /// an index that is none.
  private var isInOnePage: Bool {
    offset / Self.pageByteCount == (offset + byteCount - 1) / Self.pageByteCount
  }

  /// An index that begins at an offset. Only that of a movie with video has room.
  init(_ header: MovieHeader, at offset: Int, hasRoom: Bool) {
    self.header = header
    self.header.room = hasRoom && header.tracks.contains(where: \.format.isVideo) ? Self.room : 0
    self.offset = offset
    byteCount = self.header.bytes.count
  }

  var bytes: [UInt8] { header.bytes }

  /// How many descriptions it has of a track's samples.
  func descriptionCount(of track: Int) -> Int {
    header.tracks.first { $0.identifier == track }.map { 1 + $0.laterFormats.count } ?? 0
  }

  /// Takes what the samples of a track are besides; `false`, and nothing has changed, where there is no
  /// room for it, or it isn't in one page.
  mutating func describe(_ track: Int, later formats: [MovieTrackFormat]) -> Bool {
    guard isInOnePage,
      let index = header.tracks.firstIndex(where: { $0.identifier == track })
    else { return false }
    var longer = header
    longer.tracks[index].laterFormats = formats
    longer.room = 0
    longer.room = byteCount - longer.bytes.count
    guard longer.room == 0 || longer.room >= 8 else { return false }
    header = longer
    return true
  }
}
