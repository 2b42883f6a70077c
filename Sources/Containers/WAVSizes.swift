import GraphKitSystem
import Media

/// The sizes in the head of a WAV file. They have 32 bits, so that a file beyond 4 GiB needs others: those
/// of RF64 (EBU Tech 3306), in a chunk `ds64` in front of all others. A chunk `JUNK`, which readers pass
/// over, keeps the room for it.
package enum WAVSizes {
  /// The head of a file as an encoder writes it, with that room in it, and with the speakers of its
  /// channels where the encoder says none; `nil` for other bytes.
  package static func withRoom(_ head: Span<UInt8>, speakers: Speakers) -> [UInt8]? {
    guard (minimum...longest).contains(head.count) else { return nil }
    var bytes = head.indices.map { head[$0] }
    guard isText("RIFF", at: 0, in: bytes), isText("WAVE", at: 8, in: bytes) else { return nil }
    place(speakers, in: &bytes)
    let size = number(at: 4, in: bytes) &+ UInt32(room)
    return bytes[..<4] + littleEndian(size) + bytes[8..<12] + Array("JUNK".utf8)
      + littleEndian(UInt32(ds64Size)) + [UInt8](repeating: 0, count: ds64Size) + bytes[12...]
  }

  private static func place(_ speakers: Speakers, in head: inout [UInt8]) {
    let (tag, mask) = (20, 40)
    guard isText("fmt ", at: 12, in: head), head.count >= mask + 4,
      head[tag] == 0xfe, head[tag + 1] == 0xff, number(at: mask, in: head) == 0
    else { return }
    head.replaceSubrange(mask..<mask + 4, with: littleEndian(speakers.rawValue))
  }

  /// Writes the sizes of RF64 into a finished file whose own are too small for it: they are those of its
  /// audio but for multiples of 4 GiB. Other files stay as they are, and so does what is none.
  package static func complete(_ path: String) throws(NodeError) {
    guard FileStamp(path)?.exceedsChunkSizes == true else { return }
    do throws(File.Failure) {
      try complete(File(path, for: .changing))
    } catch {
      throw NodeError(
        "`\(path)` has more than 4 GiB, and its sizes couldn't be written: \(error.text)",
        remedy: "its audio is whole: read it with a program that can ignore what the head says, as "
          + "`ffmpeg -ignore_length 1` does")
    }
  }

  private static func complete(_ file: File) throws(File.Failure) {
    let size = file.size
    let head = try file.read(at: 0, count: longest + room)
    guard isText("RIFF", at: 0, in: head), isText("JUNK", at: 12, in: head),
      let data = place(of: "data", in: head)
    else { throw .saying("it isn't the WAV file that was written") }
    let start = data + 8
    let stated = UInt64(number(at: data + 4, in: head))
    guard size - start >= stated else { throw .saying("its sizes are another program's") }
    let count = stated + (UInt64(size - start) - stated) & ~UInt64(UInt32.max)
    let frameSize = UInt64(head[12 + room + 20]) | UInt64(head[12 + room + 21]) << 8
    let sizes =
      littleEndian(UInt64(size - 8)) + littleEndian(count)
      + littleEndian(count / max(1, frameSize)) + littleEndian(UInt32(0))
    let unknown = littleEndian(UInt32.max)
    try file.write(unknown, at: data + 4)
    let chunk = Array("ds64".utf8) + littleEndian(UInt32(ds64Size)) + sizes
    try file.write(Array("RF64".utf8) + unknown + Array("WAVE".utf8) + chunk, at: 0)
  }

  /// Bytes of the chunk `ds64` without and with its own head.
  private static let (ds64Size, room) = (28, 36)
  /// Bytes of a head at least, and at most with the format of many channels and a chunk `fact`.
  private static let (minimum, longest) = (44, 92)

  /// Where a chunk begins.
  private static func place(of chunk: String, in head: [UInt8]) -> Int? {
    var place = 12
    while place + 8 <= head.count {
      if isText(chunk, at: place, in: head) { return place }
      let size = Int(number(at: place + 4, in: head))
      place += 8 + size + size % 2
    }
    return nil
  }

  private static func isText(_ text: String, at place: Int, in bytes: [UInt8]) -> Bool {
    bytes.count >= place + 4 && bytes[place..<place + 4].elementsEqual(text.utf8)
  }

  private static func number(at place: Int, in bytes: [UInt8]) -> UInt32 {
    bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
