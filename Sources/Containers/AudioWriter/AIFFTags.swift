import GraphKitSystem
import Media

/// The tags of an AIFF file: a chunk `ID3 ` with a tag after ID3v2.4, as most programs read it.
package enum AIFFTags {
  /// Adds tags at the end of a finished file; does nothing where there is nothing to say. A file that
  /// it fails on is left as it was.
  package static func append(_ tags: MovieTags, to path: String) throws(NodeError) {
    let bytes = ID3Writer.bytes(tags)
    guard !bytes.isEmpty else { return }
    do throws(File.Failure) {
      try append(bytes, to: File(path, for: .changing))
    } catch {
      throw NodeError(
        "the audio of `\(path)` is whole, but its tags couldn't be written: \(error.text)",
        remedy: "make room on its disk, or leave `title` and `tags` out", key: "tags")
    }
  }

  private static func append(_ bytes: [UInt8], to file: File) throws(File.Failure) {
    let size = file.size
    let head = MovieBytes(bytes: try file.read(at: 0, count: 12))
    guard head.type(at: 0) == "FORM", let length = head.u32(4), length + 8 == size else {
      throw .saying("it isn't the AIFF file that was written")
    }
    let padding = [UInt8](repeating: 0, count: bytes.count % 2)
    let chunk = Array("ID3 ".utf8) + UInt32(bytes.count).bigEndianBytes + bytes + padding
    guard let total = UInt32(exactly: length + chunk.count) else { throw .tooLarge }
    do throws(File.Failure) {
      try file.write(chunk, at: size)
      // Only now is the chunk a part of the file.
      try file.write(total.bigEndianBytes, at: 4)
    } catch {
      try? file.truncate(to: size)
      throw error
    }
  }
}

extension UInt32 {
  fileprivate var bigEndianBytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
  }
}
