import Media
import GraphKitSystem

/// A format of files that no plug-in of GStreamer reads, known by how its files begin.
package enum UnreadFormat: Equatable {
  case tak, optimFROG, musepack, wavPackDSD
  /// AIFF-C with audio that `aiffparse` (1.22) refuses, which is called so.
  case compressedAIFF(String)
  /// A Core Audio file, with the four letters of what is in it.
  case coreAudio(String)

  /// The format of a file that begins so; `nil` for all others.
  package init?(_ head: [UInt8], _ file: File) {
    let signatures: [(String, UnreadFormat)] = [
      ("tBaK", .tak), ("OFR ", .optimFROG), ("MPCK", .musepack), ("MP+", .musepack),
    ]
    if let found = signatures.first(where: { head.starts(with: $0.0.utf8) }) {
      self = found.1
    } else if Self.isWavPackDSD(head) {
      self = .wavPackDSD
    } else if let name = AIFFExtent.compression(of: file) {
      self = .compressedAIFF(name)
    } else if let codec = CAFHeader.unreadCodec(of: file) {
      self = .coreAudio(codec)
    } else {
      return nil
    }
  }

  /// Whether the highest of the flags in the first block's header is set (WavPack 4 and 5 file
  /// format, "Block Header").
  private static func isWavPackDSD(_ head: [UInt8]) -> Bool {
    head.count >= 28 && head.starts(with: "wvpk".utf8) && head[27] & 0x80 != 0
  }

  /// Why a file of the format isn't read, and what to do.
  package func error(_ path: String) -> NodeError {
    let flac = "convert it, for example with ffmpeg to FLAC"
    let (what, remedy) =
      switch self {
      case .tak: ("is TAK, which no plug-in of GStreamer reads", flac)
      case .optimFROG:
        (
          "is OptimFROG, which no plug-in of GStreamer reads",
          "convert it with OptimFROG's own program, for example to WAV"
        )
      case .musepack:
        ("is Musepack, which GStreamer's decoder takes straight from a file only", flac)
      case .wavPackDSD: ("is DSD in WavPack, which no plug-in of GStreamer reads", flac)
      case .compressedAIFF(let name):
        ("is AIFF-C with \(name), which no plug-in of GStreamer reads", flac)
      case .coreAudio("lpcm"):
        (
          "is CAF with PCM that isn't read: none, floating-point with the highest byte first, or 2 GiB of it",
          "convert it, for example with ffmpeg to WAV"
        )
      case .coreAudio(let codec):
        (
          "is CAF with `\(codec)`, which no plug-in of GStreamer reads",
          "convert it to M4A, for example with ffmpeg or Apple's afconvert"
        )
      }
    return NodeError("`\(path)` \(what)", remedy: remedy, key: "path")
  }
}
