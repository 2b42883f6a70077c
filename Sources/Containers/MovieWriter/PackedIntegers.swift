/// Whole numbers in as few bytes as each needs, in order: seven bits a byte, the lowest first, with
/// the sign in the lowest bit.
///
/// An hour of video and audio has 300,000 samples, whose tables are kept until the movie ends.
struct PackedIntegers: Sendable {
  /// Blocks that are full, and the one that is filled: an array that grows would at times be there twice,
  /// and have room for as much again.
  private var full: [[UInt8]] = []
  private var bytes: [UInt8] = []
  private(set) var count = 0
  private static let blockSize = 1 << 15

  mutating func append(_ value: Int) {
    var rest = UInt64(bitPattern: Int64(value << 1 ^ value >> 63))
    while rest > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
    count += 1
    if bytes.count > Self.blockSize - 10 {
      full.append(bytes)
      bytes = []
      bytes.reserveCapacity(Self.blockSize)
    }
  }

  func forEach(_ body: (Int) -> Void) {
    for block in full { Self.forEach(in: block, body) }
    Self.forEach(in: bytes, body)
  }

  private static func forEach(in bytes: [UInt8], _ body: (Int) -> Void) {
    var (value, shift) = (UInt64(0), UInt64(0))
    for byte in bytes {
      value |= UInt64(byte & 0x7f) << shift
      shift += 7
      guard byte & 0x80 == 0 else { continue }
      body(Int(value >> 1) ^ -Int(value & 1))
      (value, shift) = (0, 0)
    }
  }
}

/// Values of which many in a row are equal.
struct PackedRuns: Sendable {
  /// Count and value by turns, but for the last run.
  private var runs = PackedIntegers()
  private(set) var last: (count: Int, value: Int)?
  /// The value of the run before the last.
  private(set) var previous: Int?

  /// The number of runs.
  var count: Int { runs.count / 2 + (last == nil ? 0 : 1) }
  private(set) var isAllZero = true
  private(set) var hasNegative = false
  private(set) var first: Int?

  mutating func append(_ value: Int) {
    if first == nil { first = value }
    if value != 0 { isAllZero = false }
    if value < 0 { hasNegative = true }
    if let run = last, run.value == value {
      last = (run.count + 1, value)
      return
    }
    if let run = last {
      runs.append(run.count)
      runs.append(run.value)
      previous = run.value
    }
    last = (1, value)
  }

  /// Changes the value of the last run.
  mutating func replaceLast(with value: Int) {
    if let run = last { last = (run.count, value) }
  }

  /// Takes the last value away. Once, before the next is added.
  mutating func removeLast() {
    guard let run = last else { return }
    last = run.count > 1 ? (run.count - 1, run.value) : nil
    if count == 0 { first = nil }
  }

  func forEach(_ body: (_ count: Int, _ value: Int) -> Void) {
    var pending: Int?
    runs.forEach { number in
      if let count = pending {
        body(count, number)
        pending = nil
      } else {
        pending = number
      }
    }
    if let last { body(last.count, last.value) }
  }
}
