import Media
import GraphKitSystem

/// Where the frames of an MP3 file begin that has something else between its tags and them: the rest
/// of a frame, or what a program left there. GStreamer's parser (1.22) would take the first bytes that
/// look like the head of a frame for one.
package struct MP3Beginning {
  /// The offset of the first frame.
  package let offset: Int
  /// How the file is to be read: all before its frames is a tag.
  package let reading: StreamEdit
  /// What is lost, in words; `nil` where it is nothing but zeros.
  package let loss: String?

  /// How far frames are looked for, how many in a row are believed, and bytes of one at most.
  private static let reach = 65_536
  private static let frames = 4
  private static let longestFrame = 2_881

  /// Looks into a file; `nil` for those of other names, and where a frame is where it should be.
  package init?(_ path: String, _ file: File) {
    guard path.lowercased().hasSuffix(".mp3") else { return nil }
    let start = ID3Tag.end(in: file)
    let room = Self.reach + Self.frames * Self.longestFrame
    guard let bytes = try? file.read(at: start, count: room),
      Self.length(of: bytes, at: 0, frames: 2) == nil,
      let skipped = (1..<max(2, min(bytes.count, Self.reach))).first(where: {
        Self.length(of: bytes, at: $0, frames: Self.frames) != nil
      })
    else { return nil }
    offset = start + skipped
    // The size of a tag is written in four times seven bits (ID3v2.4.0, 3.1).
    let size = [21, 14, 7, 0].map { UInt8(skipped >> $0 & 0x7f) }
    reading = StreamEdit(insertions: [start: Array("ID3".utf8) + [4, 0, 0] + size])
    let isEmpty = bytes[..<skipped].allSatisfy { $0 == 0 }
    loss =
      isEmpty
      ? nil : "`\(path)`: \(skipped) bytes before the first whole frame are left out"
  }

  /// The length of some frames of the same version, layer and rate that follow one another; `nil` where
  /// they don't.
  private static func length(of bytes: [UInt8], at start: Int, frames: Int) -> Int? {
    var (place, kind) = (start, Int?.none)
    for _ in 0..<frames {
      guard let word = MovieBytes(bytes: bytes).u32(place), let size = frameSize(word) else {
        return nil
      }
      guard kind == nil || kind == word >> 10 & 0x783 else { return nil }
      kind = word >> 10 & 0x783
      place += size
    }
    return place - start
  }

  /// Bytes of a frame whose head this is (ISO/IEC 11172-3, 2.4.1.3); `nil` where it is none.
  private static func frameSize(_ word: Int) -> Int? {
    guard word >> 21 == 0x7ff, word >> 17 & 3 == 1, word >> 19 & 3 != 1,
      (1...14).contains(word >> 12 & 15), word >> 10 & 3 != 3
    else { return nil }
    let isFirst = word >> 19 & 3 == 3
    let rates =
      isFirst
      ? [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
      : [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    let halving = [3: 0, 2: 1, 0: 2][word >> 19 & 3, default: 0]
    let sampleRate = [44_100, 48_000, 32_000][word >> 10 & 3] >> halving
    return (isFirst ? 144_000 : 72_000) * rates[word >> 12 & 15] / sampleRate + (word >> 9 & 1)
  }
}
