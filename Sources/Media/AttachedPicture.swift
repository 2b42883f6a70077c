/// A picture that goes with a file, such as its cover.
public struct AttachedPicture: Hashable, Sendable {
  /// The picture as its own file would have it.
  public var bytes: [UInt8]
  /// What it shows, by the numbers of ID3v2 (4.14) and FLAC (RFC 9639, 8.8), from 0 to 20: 3 for the
  /// front cover, 4 for the back cover, 0 for something else.
  public private(set) var kind: Int

  /// The number of the front cover.
  public static let frontCover = 3
  /// The numbers that there are.
  package static let kinds = 0...20

  /// A picture; by default the front cover.
  public init(_ bytes: [UInt8], kind: Int = frontCover) {
    (self.bytes, self.kind) = (bytes, Self.kinds.contains(kind) ? kind : 0)
  }

  /// Whether it is the front cover.
  public var isFrontCover: Bool { kind == Self.frontCover }
}

extension [AttachedPicture] {
  /// The same with front covers before the others.
  package var frontCoverFirst: [AttachedPicture] {
    filter(\.isFrontCover) + filter { !$0.isFrontCover }
  }
}

extension AttachedPicture {
  /// The format of its file by its first bytes: `JPEG`, `PNG`; `nil` where that isn't known.
  public var format: String? {
    let starts: [(String, [UInt8])] = [
      ("JPEG", [0xff, 0xd8]), ("PNG", [0x89, 0x50]), ("GIF", Array("GIF8".utf8)),
      ("BMP", Array("BM".utf8)), ("TIFF", [0x49, 0x49, 0x2a, 0]), ("TIFF", [0x4d, 0x4d, 0, 0x2a]),
    ]
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return "WebP"
    }
    return starts.first { bytes.starts(with: $0.1) }?.0
  }

  /// Whether it is one as covers are: JPEG or PNG.
  package var isCover: Bool { format == "JPEG" || format == "PNG" }
}

extension AttachedPicture {
  /// What it shows, in words.
  package var kindWords: String {
    Self.words.indices.contains(kind) ? Self.words[kind] : Self.words[0]
  }

  /// By ID3v2's numbers (4.14).
  private static let words = [
    "picture", "icon", "other icon", "front cover", "back cover", "leaflet", "medium",
    "lead artist", "artist", "conductor", "band", "composer", "lyricist", "place of recording",
    "recording", "performance", "frame of a video", "fish", "illustration", "artist's logo",
    "studio's logo",
  ]
}
