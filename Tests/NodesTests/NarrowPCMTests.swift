import GraphKit
import TestTools
import Testing

@testable import Nodes

/// What samples of other formats are in 16 bits.
@Suite(.inTurn) struct NarrowPCMTests {
  private let floats: [Float] = [
    0, 1, -1, 0.5, -0.5, 2, -2, .infinity, -.infinity, .nan, 1e-9, -1e-9, 0.999_99, -0.999_99,
    1.5 / 32_767, -1.5 / 32_767, 2.5 / 32_767, 12_345.9 / 32_767, -12_345.9 / 32_767,
  ]

  private func lanes(
    _ samples: [Float], channels: Int, _ layout: ChannelLayout, isMixed: Bool
  ) throws -> [[Int16]] {
    let format = AudioFormat(.f32, sampleRate: 1_000, channels: channels, layout: layout)
    let sample = SampleBuffer(
      bytes: bytes(samples), format: try FormatDescription(.audio(format)))
    var lanes = PCMLanes(channels: channels, isMixed: isMixed)
    sample.withPCM { block in lanes.read(block) }
    return lanes.lanes
  }

  @Test func floatsAreCutOffTowardsZero() throws {
    let many = floats + (0..<5_000).map { Float($0 * 7 - 17_500) / 17_000 }
    #expect(try lanes(many, channels: 1, .interleaved, isMixed: false) == [many.map(\.narrow)])
  }

  @Test func planarAndInterleavedChannelsGiveTheSame() throws {
    let (left, right) = (floats, Array(floats.reversed()))
    let pairs = zip(left, right).flatMap { [$0, $1] }
    for isMixed in [false, true] {
      let planar = try lanes(left + right, channels: 2, .planar, isMixed: isMixed)
      #expect(try lanes(pairs, channels: 2, .interleaved, isMixed: isMixed) == planar)
      #expect(planar.allSatisfy { $0.count == left.count })
    }
    let mixed = zip(left, right).map { Int16((Int($0.0.narrow) + Int($0.1.narrow)) / 2) }
    #expect(try lanes(pairs, channels: 2, .interleaved, isMixed: true) == [mixed])
  }

  @Test func threeChannelsAreMixed() throws {
    let samples = (0..<99).map { Float($0 - 50) / 64 }
    let mixed = (0..<33).map { frame in
      Int16(samples[frame * 3..<frame * 3 + 3].reduce(0) { $0 + Int($1.narrow) } / 3)
    }
    #expect(try lanes(samples, channels: 3, .interleaved, isMixed: true) == [mixed])
  }
}

extension Float {
  /// Cut off towards zero, in the way that needs no argument.
  fileprivate var narrow: Int16 { isNaN ? 0 : Int16(min(max(self * 32_767, -32_768), 32_767)) }
}
