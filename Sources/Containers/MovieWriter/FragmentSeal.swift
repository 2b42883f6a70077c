import GraphKitSystem

/// What a fragment of a movie says of itself, so that a part of it that never got to the disk is
/// found: a checksum of the `moof` box with its samples, and how much of the file was on the disk for
/// certain when it was written. After a power cut the writes since then are there, or not, or in part,
/// in any order.
///
/// It is a `free` box in the `moof`, after its header, where other readers pass over it: the word
/// `gks1`, the checksum with its own eight bytes as zeros, and the length, in 64 bits each.
struct FragmentSeal {
  /// The file's bytes that were on its disk when the fragment was written.
  var flushedCount: Int
  private let sum: UInt64

  /// Where the checksum is in a `moof` box: after its header, an `mfhd`, and the word.
  private static let place = 8 + 16 + 12
  private static let word = "gks1"

  /// Writes it after the header of a fragment, with room for the checksum.
  static func writeEmpty(flushedCount: Int, to writer: inout BoxWriter) {
    writer.box("free") { writer in
      writer.write(word)
      writer.writeZeros(8)
      writer.write(flushedCount, bytes: 8)
    }
  }

  /// Puts the checksum of a fragment into its box.
  static func close(_ box: inout [UInt8], with sum: Checksum) {
    var writer = BoxWriter()
    writer.write(Int(truncatingIfNeeded: sum.value), bytes: 8)
    box.replaceSubrange(place..<place + 8, with: writer.bytes)
  }

  /// The seal in a `moof` box; `nil` where it has none.
  init?(in data: MovieBytes) {
    guard data.type(at: Self.place - 8) == "free", data.type(at: Self.place - 4) == Self.word,
      let high = data.u32(Self.place), let low = data.u32(Self.place + 4),
      let flushed = data.u64(Self.place + 8)
    else { return nil }
    (sum, flushedCount) = (UInt64(high) << 32 | UInt64(low), flushed)
  }

  /// Whether the fragment at a place of a file is as it was written: `size` bytes with its samples.
  func holds(for file: File, at start: Int, size: Int) -> Bool {
    var found = Checksum()
    var bytes: [UInt8] = []
    var offset = 0
    while offset < size {
      let count = min(1 << 20, size - offset)
      guard (try? file.read(into: &bytes, at: start + offset, count: count)) == count else {
        return false
      }
      if offset == 0 {
        for index in Self.place..<Self.place + 8 where index < count { bytes[index] = 0 }
      }
      found.add(bytes.span.extracting(first: count))
      offset += count
    }
    return found.value == sum
  }
}
