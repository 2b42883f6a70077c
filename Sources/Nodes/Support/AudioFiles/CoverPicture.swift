import GraphKit

/// A picture that players show with a file.
enum CoverPicture {
  /// Bytes of a picture at most.
  static let largest = 16 << 20
  /// Bytes of all pictures of a file at most.
  static let most = 64 << 20

  /// Reads a JPEG or PNG file of so many bytes at most.
  static func read(_ path: String, upTo largest: Int = largest) throws(NodeError) -> [UInt8] {
    do throws(NodeError) {
      let file = try InputFile(path)
      guard file.byteCount <= largest else {
        throw NodeError(
          "`\(path)` has \(file.byteCount) bytes, and a cover at most \(largest)",
          remedy: "scale it down")
      }
      let bytes = try file.bytes(at: 0, count: file.byteCount)
      if bytes.starts(with: [0xff, 0xd8, 0xff]) || bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) {
        return bytes
      }
      throw NodeError(
        "`\(path)` is neither JPEG nor PNG", remedy: "save the picture as one of the two")
    } catch {
      throw NodeError(error.message, remedy: error.remedy, key: "cover")
    }
  }
}

extension [AttachedPicture] {
  /// Those that are as covers are, the front cover first, as far as each has so many bytes at most, and
  /// all together.
  func covers(
    upTo largest: Int = CoverPicture.most, together most: Int = CoverPicture.most
  ) -> [AttachedPicture] {
    var rest = most
    return frontCoverFirst.filter { picture in
      guard picture.isCover, picture.bytes.count <= Swift.min(rest, largest) else { return false }
      rest -= picture.bytes.count
      return true
    }
  }
}
