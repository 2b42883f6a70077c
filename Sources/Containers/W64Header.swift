import GraphKitSystem
import Media

/// Reads the header of a Wave64 file, as recorders and editors write it where 4 GiB don't suffice (Sony
/// Pictures Digital, "Sony Wave64 File Format Specification").
///
/// It is that of a WAV file, but for its chunks: their names are GUIDs, their sizes have 64 bits and count the
/// head as well, and each begins at a multiple of eight. GStreamer (1.22) doesn't read it.
package struct W64Header {
  private let file: File
  private var format: AudioFormat?

  private static let ends: (riff: [UInt8], others: [UInt8]) = (
    [0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0, 0],
    [0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a]
  )
  private static let headCount = 24
  private static let mostChunks = 1_000

  /// The position of the file's PCM; `nil` where it is no such file, or holds something other than PCM.
  package static func locate(_ path: String, _ file: File) -> PCMLocation? {
    var header = W64Header(file: file)
    guard header.isW64, let data = header.data(), let format = header.format else { return nil }
    // A recorder that was cut off leaves no size, or that of no samples.
    let isStated = data.count > 0 && data.upperBound < 1 << 60
    let end = isStated ? min(data.upperBound, file.size) : file.size
    let count = max(0, end - data.lowerBound) / format.bytesPerFrame
    var location = PCMLocation(
      path: path, format: format, offset: data.lowerBound, frameCount: count)
    if isStated {
      location.shortfall = FileExtent.shortfall(of: path, file.size, stated: data.upperBound)
    }
    return location
  }

  private init(file: File) { self.file = file }

  private var isW64: Bool {
    guard let bytes = try? file.read(at: 0, count: 40), bytes.count == 40 else { return false }
    return name(bytes, Self.ends.riff) == "riff"
      && name(Array(bytes[24...]), Self.ends.others) == "wave"
  }

  /// Where the samples are said to be; what comes before is read.
  private mutating func data() -> Range<Int>? {
    var offset = 40
    // A file of nothing but small chunks would be walked for long.
    for _ in 0..<Self.mostChunks {
      guard let head = try? file.read(at: offset, count: Self.headCount),
        head.count == Self.headCount
      else { return nil }
      let start = offset + Self.headCount
      let stated = head[16..<24].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let size = max(Self.headCount, Int(clamping: min(stated, 1 << 61)))
      switch name(head, Self.ends.others) {
      case "fmt ":
        let count = min(size - Self.headCount, WAVFormat.byteCount)
        format = (try? file.read(at: start, count: count)).flatMap(WAVFormat.init)?.pcm
      case "data": return start..<offset + size
      default: break
      }
      offset += (size + 7) & -8
    }
    return nil
  }

  /// The four letters that a GUID begins with, which ends so.
  private func name(_ head: [UInt8], _ end: [UInt8]) -> String? {
    head[4..<16].elementsEqual(end) ? String(decoding: head[..<4], as: UTF8.self) : nil
  }
}
