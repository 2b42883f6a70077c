@testable import Containers

/// Every write to a file, in order, and when its disk was flushed.
final class WriteLog: MovieDestination {
  /// A flush: all writes before its beginning are on the disk at its end.
  struct Flush {
    /// Numbers of writes.
    var begin: Int
    var end: Int
    /// The file's size at its beginning.
    var size: Int
  }

  private(set) var writes: [(offset: Int, bytes: [UInt8])] = []
  private(set) var flushes: [Flush] = []
  private(set) var size = 0
  /// After how many writes a flush begins on its own, and how many later it ends; 0 for none.
  private let period: Int
  private let delay: Int
  private var pending: Flush?

  init(flushEvery period: Int = 0, taking delay: Int = 0) {
    (self.period, self.delay) = (period, delay)
  }

  func write(_ bytes: Span<UInt8>, at offset: Int) {
    writes.append((offset, bytes.indices.map { bytes[$0] }))
    size = max(size, offset + bytes.count)
    if let flush = pending, writes.count >= flush.end {
      flushes.append(flush)
      pending = nil
    }
    guard period > 0, pending == nil, writes.count % period == 0 else { return }
    pending = Flush(begin: writes.count, end: writes.count + delay, size: size)
  }

  func flush() { flushes.append(Flush(begin: writes.count, end: writes.count, size: size)) }

  var flushedCount: Int? { period > 0 ? flushes.last?.size ?? 0 : nil }

  var byteCount: Int { writes.reduce(0) { $0 + $1.bytes.count } }

  /// The file after so many bytes were written: what a process leaves that is killed there.
  func file(after count: Int) -> [UInt8] {
    var (file, left) = ([UInt8](), count)
    for (offset, bytes) in writes where left > 0 {
      let written = bytes.prefix(left)
      left -= written.count
      file.overwrite(written, at: offset)
    }
    return file
  }

  var file: [UInt8] { file(after: byteCount) }

  /// The file after so many writes.
  func file(afterWrites count: Int) -> [UInt8] {
    writes[..<count].reduce(into: []) { $0.overwrite($1.bytes[...], at: $1.offset) }
  }

  /// How many writes are on the disk for certain after so many.
  func durableWrites(after count: Int) -> Int {
    flushes.last { $0.end <= count }?.begin ?? 0
  }

  /// What a power cut after so many writes leaves: of each sector what it held at any moment since the
  /// last flush, and of the file any size that it had since then.
  func file(
    powerCutAfter count: Int, sector: Int, using generator: inout some RandomNumberGenerator
  ) -> [UInt8] {
    let durable = durableWrites(after: count)
    var file = file(afterWrites: durable)
    let least = file.count
    var moments: [Int: Int] = [:]
    for index in durable..<count {
      let (offset, bytes) = writes[index]
      var place = offset
      while place < offset + bytes.count {
        let number = place / sector
        let end = min((number + 1) * sector, offset + bytes.count)
        let moment = moments[number] ?? Int.random(in: durable...count, using: &generator)
        moments[number] = moment
        if index < moment { file.overwrite(bytes[(place - offset)..<(end - offset)], at: place) }
        place = end
      }
    }
    let sizes = (durable...count).map { self.file(afterWrites: $0).count }
    let size = max(least, sizes.randomElement(using: &generator) ?? least)
    return Array(file.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - file.count))
  }
}

extension [UInt8] {
  fileprivate mutating func overwrite(_ bytes: ArraySlice<UInt8>, at offset: Int) {
    let missing = offset + bytes.count - count
    if missing > 0 { self += [UInt8](repeating: 0, count: missing) }
    replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}

/// Random numbers that are the same each time (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
