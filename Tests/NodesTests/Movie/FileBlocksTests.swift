import Foundation
import GraphKitSystem
import TestTools
import Testing

@testable import Containers

/// Bytes that are read block by block are those of the file.
@Suite(.inTurn) struct FileBlocksTests {
  @Test func numbersAreThoseOfTheWhole() throws {
    let scratch = try TestFolder()
    let bytes = (0..<400_001).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
    let path = scratch.path("bytes")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let start = 100
    let whole = MovieBytes(bytes: Array(bytes[start...]))
    let blocks = FileBlocks(try File(path), start..<bytes.count)
    let skimmed = MovieBytes(blocks)
    #expect(skimmed.count == whole.count)
    // Tables side by side, across borders of blocks, and what is beyond the end.
    for row in 0..<400 {
      for table in 0..<20 {
        let place = table * 20_000 + row * 7
        #expect(skimmed.u32(place) == whole.u32(place) && skimmed.u64(place) == whole.u64(place))
        #expect(skimmed.type(at: place) == whole.type(at: place))
      }
    }
    for place in [-1, 16_383, whole.count - 5, whole.count - 4, whole.count - 3, .max] {
      #expect(
        skimmed.u32(place) == whole.u32(place) && skimmed.type(at: place) == whole.type(at: place))
    }
    #expect(blocks.failure == nil)
  }

  /// What another program has cut off meanwhile isn't there, and isn't made up of what was.
  @Test func whatIsCutOffIsNotThere() throws {
    let scratch = try TestFolder()
    let path = scratch.path("bytes")
    try Data(repeating: 1, count: 300_000).write(to: URL(fileURLWithPath: path))
    let blocks = FileBlocks(try File(path), 0..<300_000)
    for place in stride(from: 0, to: 262_144, by: 16_384) {
      _ = blocks.integer(at: place, bytes: 4)
    }
    try File(path, for: .changing).truncate(to: 1_000)
    #expect(blocks.integer(at: 280_000, bytes: 4) == nil)
    #expect(
      blocks.integer(at: 998, bytes: 4) == nil && blocks.integer(at: 996, bytes: 4) == 0x0101_0101)
  }
}
