/// Reads the numbers, tables and blocks of a GIF; `nil` where the bytes end.
struct GIFReader {
  private let bytes: [UInt8]
  private var offset: Int

  init(_ bytes: [UInt8], at offset: Int) { (self.bytes, self.offset) = (bytes, offset) }

  mutating func byte() -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// A number of two bytes.
  mutating func number() -> Int? {
    guard let low = byte(), let high = byte() else { return nil }
    return Int(low) | Int(high) << 8
  }

  /// The table of colours that some flags announce; empty where there is none.
  mutating func colors(_ flags: UInt8) -> [UInt8] {
    guard flags & 0x80 != 0 else { return [] }
    let end = min(offset + 3 << (Int(flags & 7) + 1), bytes.count)
    defer { offset = end }
    return Array(bytes[min(offset, end)..<end])
  }

  /// The data of a run of blocks, joined.
  mutating func blocks() -> [UInt8]? {
    var data: [UInt8] = []
    while let size = byte() {
      guard size > 0 else { return data }
      let end = min(offset + Int(size), bytes.count)
      data += bytes[offset..<end]
      offset = end
    }
    return nil
  }
}

/// The data of a picture of a GIF, compressed by variable-length codes (GIF89a, appendix F).
struct GIFCodes {
  private let data: [UInt8]
  private let bits: Int
  private var offset = 0
  private var held = 0
  private var heldBits = 0

  init(_ data: [UInt8], bits: Int) { (self.data, self.bits) = (data, bits) }

  /// The indices of colours, as far as the data go.
  mutating func decode(upTo count: Int) -> [UInt8] {
    let clear = 1 << bits
    var table = Strings(literals: clear)
    var (width, former) = (bits + 1, -1)
    var output: [UInt8] = []
    output.reserveCapacity(count)
    while output.count < count, let code = next(width) {
      if code == clear {
        table = Strings(literals: clear)
        (width, former) = (bits + 1, -1)
        continue
      }
      if code == clear + 1 || code > table.count || code == table.count && former < 0 { break }
      if former >= 0 { table.add(former, then: table.first(code < table.count ? code : former)) }
      guard code < table.count else { break }
      table.append(code, to: &output)
      former = code
      if table.count == 1 << width, width < 12 { width += 1 }
    }
    if output.count > count { output.removeLast(output.count - count) }
    return output
  }

  private mutating func next(_ width: Int) -> Int? {
    while heldBits < width {
      guard offset < data.count else { return nil }
      held |= Int(data[offset]) << heldBits
      (offset, heldBits) = (offset + 1, heldBits + 8)
    }
    defer { (held, heldBits) = (held >> width, heldBits - width) }
    return held & (1 << width - 1)
  }

  /// The strings that codes stand for: each is another one and an index after it.
  private struct Strings {
    private var formers: [Int]
    private var lasts: [UInt8]
    private var firsts: [UInt8]
    var count: Int { formers.count }

    init(literals: Int) {
      // The two after the literals are the codes that clear the table and end the picture.
      formers = Array(repeating: -1, count: literals + 2)
      lasts = (0..<literals + 2).map { UInt8(truncatingIfNeeded: $0) }
      firsts = lasts
    }

    func first(_ code: Int) -> UInt8 { firsts[code] }

    mutating func add(_ former: Int, then last: UInt8) {
      guard count < 4096 else { return }
      formers.append(former)
      lasts.append(last)
      firsts.append(firsts[former])
    }

    func append(_ code: Int, to output: inout [UInt8]) {
      let start = output.count
      var code = code
      while code >= 0 {
        output.append(lasts[code])
        code = formers[code]
      }
      output[start...].reverse()
    }
  }
}
