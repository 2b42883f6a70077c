import Media
import GraphKitSystem

/// Whether a file ends where it says that it does. GStreamer's readers take the end of a file that
/// was cut off for that of its streams.
package enum FileExtent {
  /// What is missing of a file, in words; `nil` where it is whole, or doesn't say how long it is.
  package static func shortfall(of path: String, _ file: File) -> String? {
    guard let head = try? file.read(at: 0, count: 64) else { return nil }
    if head.starts(with: "fLaC".utf8) { return FLACExtent(file, head)?.shortfall(of: path) }
    if head.starts(with: "OggS".utf8) { return OggExtent(file)?.shortfall(of: path) }
    if let cut = try? FlashTags.shortfall(of: path, file, head) { return cut }
    let exact =
      WAVHeader.statedEnd(of: file) ?? AIFFExtent.end(of: file) ?? CAFHeader(file)?.statedEnd
      ?? MatroskaExtent.end(head) ?? MovieExtent.end(of: file) ?? AVIExtent.end(of: file)
    guard let stated = exact ?? GaplessHeader(file)?.end else {
      return damage(of: path, file, head)
    }
    // Programs that cut MP3 leave its header as it was.
    let tolerance = exact == nil ? min(65_536, max(0, stated) / 100) : 0
    return shortfall(of: path, file.size, stated: stated, tolerance: tolerance)
      ?? damage(of: path, file, head)
  }

  private static func damage(of path: String, _ file: File, _ head: [UInt8]) -> String? {
    guard let place = try? MatroskaExtent.damage(file, head) else { return nil }
    return "`\(path)` is damaged at byte \(place), where no part of a Matroska file begins: what "
      + "follows may be missing"
  }

  /// What is missing of a file of some bytes that says how many it has.
  static func shortfall(
    of path: String, _ size: Int, stated: Int, tolerance: Int = 0
  ) -> String? {
    let missing = stated - size
    guard missing > tolerance else { return nil }
    return "`\(path)` was cut off: its last \(missing) of \(stated) bytes are missing"
  }

  /// When the only stream of a file ends, of audio in a container that says so exactly: Matroska
  /// (RFC 9559, 5.1.2.10), or Ogg, whose last page does (RFC 3533, 6).
  package static func statedEnd(
    of format: MediaFormat, lasting duration: MediaTime?, _ head: [UInt8]
  ) -> MediaTime? {
    guard case .encoded(let format) = format, format.codec.kind == .encodedAudio,
      head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]) || head.starts(with: "OggS".utf8)
    else { return nil }
    return duration
  }
}
