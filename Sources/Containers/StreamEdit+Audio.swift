import Media
import GraphKitSystem

/// Edits of files that hold one stream of audio, as their own headers say.
extension StreamEdit {
  /// What the header of a file of MP3 that is nothing else has presented; `offset` is where its frames
  /// begin, where that isn't right after its tags.
  package static func stated(
    by file: File, at offset: Int? = nil, of format: MediaFormat
  ) -> StreamEdit? {
    guard case .encoded(let encoded) = format, encoded.codec == .mp3 else { return nil }
    return GaplessHeader(file, at: offset)?.edit
  }

  /// An Ogg file's audio, up to where its last page says (Vorbis I, A.2; RFC 7845, 4.5).
  ///
  /// GStreamer's demuxer gives that as a time that is rounded, after which decoders of Vorbis mostly
  /// leave a sample too many.
  package static func stated(byPages head: [UInt8], of format: MediaFormat) -> StreamEdit? {
    guard case .encoded(let encoded) = format, [.vorbis, .opus].contains(encoded.codec),
      let rate = encoded.sampleRate.flatMap(Int32.init(exactly:)),
      head.starts(with: "OggS".utf8)
    else { return nil }
    var edit = StreamEdit()
    edit.start = MediaTime(value: 0, timescale: rate)
    (edit.keepsSegments, edit.hasRoundedEnd) = (true, true)
    // The header is all that the first page holds, after 28 bytes, and has its lowest bytes first.
    if encoded.codec == .opus, head.count > 39, head[28..<36].elementsEqual("OpusHead".utf8) {
      edit.preSkip = Int(head[38]) | Int(head[39]) << 8
    }
    return edit
  }
}
