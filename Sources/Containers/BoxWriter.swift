/// Writes boxes of an ISO base media file (ISO/IEC 14496-12, 4.2) one after another.
///
/// What it has written is in memory, or in a file but for the newest: the index of an hour has megabytes.
struct BoxWriter {
  /// Takes bytes at an offset from the first that is written.
  typealias Output = (_ bytes: Span<UInt8>, _ offset: Int) throws -> Void

  /// All that was written; where there is an output what that doesn't have yet.
  private(set) var bytes: [UInt8] = []
  private let output: Output?
  private var spilledCount = 0
  /// The first error of the output, after which it gets nothing more.
  private var failure: (any Error)?
  private static let mostBytes = 1 << 16

  init() { output = nil }

  /// A writer whose bytes go to an output, in their order but for the sizes of boxes, until ``finish()``.
  init(to output: @escaping Output) { self.output = output }

  /// How many bytes were written.
  var count: Int { spilledCount + bytes.count }

  mutating func reserve(_ count: Int) { if output == nil { bytes.reserveCapacity(count) } }

  /// Hands what is left to the output; throws what that threw.
  mutating func finish() throws {
    spill()
    if let failure { throw failure }
  }

  private mutating func spill() {
    put(bytes, at: spilledCount)
    spilledCount += bytes.count
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func put(_ bytes: [UInt8], at offset: Int) {
    guard failure == nil, let output else { return }
    do { try output(bytes.span, offset) } catch { failure = error }
  }

  /// Writes the low bytes of a number, the highest first.
  mutating func write(_ value: Int, bytes count: Int) {
    if bytes.count >= Self.mostBytes, output != nil { spill() }
    for index in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index)))
    }
  }

  mutating func write(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func writeZeros(_ count: Int) {
    bytes.append(contentsOf: repeatElement(0, count: count))
  }

  /// Writes over four bytes that are there already.
  mutating func replace(at offset: Int, with value: Int) {
    let number = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * (3 - $0))) }
    guard offset >= spilledCount else { return put(number, at: offset) }
    for (index, byte) in number.enumerated() { bytes[offset - spilledCount + index] = byte }
  }

  /// Writes a box around whatever `content` writes.
  mutating func box(_ type: String, _ content: (inout BoxWriter) -> Void) {
    box(Array(type.utf8), content)
  }

  /// Writes a box whose type has other letters than ASCII's.
  mutating func box(_ type: [UInt8], _ content: (inout BoxWriter) -> Void) {
    write(0, bytes: 4)
    let start = count - 4
    write(type)
    content(&self)
    replace(at: start, with: count - start)
  }

  /// The 16 bytes that make so many, themselves among them, the inside of a box of samples. Not every
  /// reader knows sizes of eight bytes: where four suffice, an empty box is in front.
  static func sampleHeader(of size: Int) -> [UInt8] {
    var writer = BoxWriter()
    let isLong = size - 8 > Int(UInt32.max)
    if !isLong { writer.box("free") { _ in } }
    writer.write(isLong ? 1 : size - 8, bytes: 4)
    writer.write("mdat")
    if isLong { writer.write(size, bytes: 8) }
    return writer.bytes
  }

  /// Writes a full box: one with a version and flags.
  mutating func fullBox(
    _ type: String, version: Int = 0, flags: Int = 0, _ content: (inout BoxWriter) -> Void
  ) {
    box(type) { writer in
      writer.write(version << 24 | flags, bytes: 4)
      content(&writer)
    }
  }

  /// Writes a box as it is elsewhere.
  mutating func copy(_ box: MovieBox, of data: MovieBytes) {
    write(data.bytes[box.start..<box.end])
  }

  /// Writes an edit list (8.6.6), with wide fields only where they are needed.
  mutating func edits(_ edits: [MovieTrack.Edit]) {
    let isLong = edits.contains { max($0.duration, $0.mediaTime) > Int(Int32.max) }
    box("edts") { writer in
      writer.fullBox("elst", version: isLong ? 1 : 0) { writer in
        writer.write(edits.count, bytes: 4)
        for edit in edits {
          writer.write(edit.duration, bytes: isLong ? 8 : 4)
          writer.write(edit.mediaTime, bytes: isLong ? 8 : 4)
          writer.write(0x1_0000, bytes: 4)
        }
      }
    }
  }

  /// Writes the header of a movie, a track or its media with another duration (8.2.2, 8.3.2 and
  /// 8.4.2): in version 0 with fields of 32 bits, in version 1 of 64.
  mutating func header(_ box: MovieBox, of data: MovieBytes, duration: Int) {
    let isLong = data.version(box) == 1
    let width = isLong ? 8 : 4
    // Between the two dates and the duration are a timescale, or an identifier and four zeros.
    let between =
      box.content + 4 + 2 * width..<box.content + 4 + 2 * width + (box.type == "tkhd" ? 8 : 4)
    guard between.upperBound + width <= box.end else { return copy(box, of: data) }
    let becomesLong = isLong || duration > Int(UInt32.max)
    let newWidth = becomesLong ? 8 : 4
    self.box(box.type) { writer in
      writer.write(becomesLong ? 1 : 0, bytes: 1)
      writer.write(data.bytes[box.content + 1..<box.content + 4])
      for date in 0..<2 {
        let value = data.integer(at: box.content + 4 + date * width, bytes: width) ?? 0
        writer.write(value, bytes: newWidth)
      }
      writer.write(data.bytes[between])
      writer.write(duration, bytes: newWidth)
      writer.write(data.bytes[between.upperBound + width..<box.end])
    }
  }
}
