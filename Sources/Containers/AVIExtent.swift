import GraphKitSystem

/// Where an AVI file ends by the sizes of its RIFF chunks: one of type `AVI `, and in files of more than a
/// gigabyte others of type `AVIX` behind it (OpenDML AVI File Format Extensions, 1996).
enum AVIExtent {
  /// How many chunks are looked at: of 1 GB each, or one that says it has no bytes.
  private static let mostChunks = 4_096

  /// By how much programs are wrong that count the chunk's own head.
  private static let tolerance = 8

  /// `nil` of other files, of whole ones, and where a program that couldn't go back in the file has left
  /// no size.
  static func end(of file: File) -> Int? {
    var end = 0
    for number in 0..<mostChunks {
      guard let size = size(ofChunk: number == 0 ? "AVI " : "AVIX", at: end, of: file) else {
        break
      }
      guard size != 0, size != 0xffff_ffff else { return nil }
      end += 8 + size
    }
    return end - file.size > tolerance ? end : nil
  }

  private static func size(ofChunk type: String, at place: Int, of file: File) -> Int? {
    guard let head = try? file.read(at: place, count: 12), head.count == 12,
      head.starts(with: "RIFF".utf8), head.suffix(4).elementsEqual(type.utf8)
    else { return nil }
    return head[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
