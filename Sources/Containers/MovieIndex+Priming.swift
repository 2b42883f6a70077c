/// What an encoder added to the audio of a track, where no edit list says so.
struct TrackPriming: Equatable {
  /// Samples before those that the encoder was given, in the track's units.
  var start: Int
  /// How many it was given; `nil` where the file doesn't say.
  var count: Int?
}

extension MovieIndex {
  /// What an encoder added to the audio of a track whose edit list presents all of it, or that has
  /// none.
  func priming(of track: MovieTrack) -> TrackPriming? {
    let part = track.edits.first { $0.mediaTime >= 0 }
    if track.codec == "Opus", part?.mediaTime ?? 0 == 0 { return opusPriming(of: track) }
    guard track.codec == "mp4a", part == nil,
      tracks.count(where: { $0.kind == .encodedAudio }) == 1
    else { return nil }
    return gaplessComment.flatMap { TrackPriming(comment: $0, length: track.duration) }
  }

  /// The pre-skip in the header of an Opus track, in samples of 48 kHz (Encapsulation of Opus in
  /// ISO Base Media File Format, 4.3.2).
  private func opusPriming(of track: MovieTrack) -> TrackPriming? {
    guard let table = data.first("stsd", in: track.table),
      let entry = data.box(at: table.content + 8, limit: table.end),
      let header = boxes(from: entry.content + 28, to: entry.end).first(where: { $0.type == "dOps" }
      ),
      let skip = data.u16(header.content + 2)
    else { return nil }
    return TrackPriming(start: skip * track.timescale / 48_000)
  }

  /// iTunes' comment `iTunSMPB`, which its encoders write in place of an edit list: a free-form item
  /// of the movie's metadata (QuickTime File Format, "Metadata").
  private var gaplessComment: String? {
    guard
      let list = data.first("udta", "meta", in: movie).flatMap({ meta in
        // The box is a full one in MP4: its children begin after a version.
        boxes(from: meta.content + 4, to: meta.end).first { $0.type == "ilst" }
      })
    else { return nil }
    for item in data.boxes(of: list) where item.type == "----" {
      guard let name = data.first("name", in: item),
        text(from: name.content + 4, to: name.end)
          == "iTunSMPB", let value = data.first("data", in: item)
      else { continue }
      return text(from: value.content + 8, to: value.end)
    }
    return nil
  }

  private func boxes(from start: Int, to end: Int) -> [MovieBox] {
    guard start <= end else { return [] }
    return data.boxes(of: MovieBox(type: "", start: start, content: start, end: end))
  }

  private func text(from start: Int, to end: Int) -> String? {
    guard start >= 0, start <= end, end <= data.bytes.count else { return nil }
    return String(decoding: data.bytes[start..<end], as: UTF8.self)
  }
}

extension TrackPriming {
  /// Reads hexadecimal numbers in a row: zero, the samples before those that were encoded, the
  /// samples after them, and their count. What doesn't fit a track of a length isn't believed.
  package init?(comment: String, length: Int) {
    let numbers = comment.split(separator: " ").map { Int($0, radix: 16) }
    guard numbers.count >= 4, let before = numbers[1], let after = numbers[2],
      (0..<16_384).contains(before), (0..<16_384).contains(after), before < length
    else { return nil }
    start = before
    count = numbers[3].flatMap { $0 > 0 && $0 <= length - before ? $0 : nil }
  }
}
