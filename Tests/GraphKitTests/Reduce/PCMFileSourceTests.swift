import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

/// The PCM of a file that several readers share.
@Suite(.inTurn) struct PCMFileSourceTests {
  @Test(arguments: 1...5, [1, 999, 1_000, 4_001, 100_000])
  func eachFrameIsReadOnce(readers: Int, end: Int) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let frames = (0..<100_000).map { UInt16($0 % 65_521) }
    try Data(frames.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] })
      .write(to: URL(filePath: path))
    let whole = PCMFileSource(
      PCMLocation(
        path: path, format: AudioFormat(.s16, sampleRate: 48_000, channels: 1), offset: 0,
        frameCount: frames.count))

    var read = [UInt16?](repeating: nil, count: frames.count)
    var count = 0
    for index in 0..<readers {
      let share = PieceShare(length: 1_000, index: index, count: readers)
      let harness = NodeHarness(whole.piece(share, until: end))
      try harness.run()
      for sample in try harness.samples() {
        let first = Int((sample.presentationTime.seconds * 48_000).rounded())
        let values = sample.values(as: UInt16.self)
        for (frame, value) in zip(first..., values) { read[frame] = value }
        count += values.count
      }
    }
    #expect((0..<end).allSatisfy { read[$0] == frames[$0] })
    #expect(count == end)
  }
}
