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
