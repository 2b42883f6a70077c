import GraphKitSystem

/// Bytes of a file that are looked at here and there: of what was read, some blocks are kept, so that
/// large tables side by side take little memory.
final class FileBlocks: Sendable {
  private struct Block {
    var number: Int
    var bytes: [UInt8]
    var lastUse: Int
  }

  private struct State {
    var blocks: [Block] = []
    /// The block that was used last, by its place in ``blocks``.
    var current = 0
    var useCount = 0
    var failure: File.Failure?
  }

  private let file: File
  private let range: Range<Int>
  private let state = Monitor(State())

  /// More than a movie's index has tables of samples at which a track is looked at in turn.
  private static let blockCount = 12
  private static let blockSize = 1 << 14

  /// The bytes of a range of a file.
  init(_ file: File, _ range: Range<Int>) { (self.file, self.range) = (file, range) }

  /// How many bytes there are.
  var count: Int { range.count }

  /// Why something couldn't be read, if anything couldn't: it counts as not there.
  var failure: File.Failure? { state.withLock { $0.failure } }

  /// Bytes as a number, the greatest first, at most eight; `nil` where they aren't all there.
  func integer(at offset: Int, bytes count: Int) -> UInt64? {
    guard offset >= 0, offset <= self.count - count else { return nil }
    return state.withLock { state in
      var value: UInt64 = 0
      for place in offset..<offset + count {
        guard let byte = byte(at: place, &state) else { return nil }
        value = value << 8 | UInt64(byte)
      }
      return value
    }
  }

  private func byte(at place: Int, _ state: inout State) -> UInt8? {
    let number = place / Self.blockSize
    if !state.blocks.indices.contains(state.current)
      || state.blocks[state.current].number != number
    {
      guard let found = block(number, &state) else { return nil }
      state.current = found
      state.useCount += 1
      state.blocks[found].lastUse = state.useCount
    }
    let index = place % Self.blockSize
    let bytes = state.blocks[state.current].bytes
    return index < bytes.count ? bytes[index] : nil
  }

  /// The place of a block, which is read where it isn't kept, over the one that wasn't used for longest.
  private func block(_ number: Int, _ state: inout State) -> Int? {
    if let kept = state.blocks.firstIndex(where: { $0.number == number }) { return kept }
    if state.blocks.count < Self.blockCount {
      state.blocks.append(Block(number: -1, bytes: [], lastUse: 0))
    }
    let place = state.blocks.indices.min { state.blocks[$0].lastUse < state.blocks[$1].lastUse }
    guard let place else { return nil }
    let start = range.lowerBound + number * Self.blockSize
    let count = min(Self.blockSize, range.upperBound - start)
    do throws(File.Failure) {
      // What was in it is no block any more where this fails.
      state.blocks[place].number = -1
      let read = try file.read(into: &state.blocks[place].bytes, at: start, count: count)
      state.blocks[place].bytes.removeLast(state.blocks[place].bytes.count - read)
    } catch {
      state.failure = state.failure ?? error
      return nil
    }
    state.blocks[place].number = number
    return place
  }
}
