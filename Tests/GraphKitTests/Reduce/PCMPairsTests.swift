import Kernels
import TestTools
import Testing

/// Wide vectors and the plain loop give the same, whatever the number of frames.
@Suite(.inTurn) struct PCMPairsTests {
  @Test func wideVectorsGiveWhatThePlainLoopGives() {
    var state = UInt32(1)
    let frames = (0..<4_096).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int32(bitPattern: state)
    }
    for (start, count) in [(0, 1), (3, 15), (0, 16), (1, 17), (5, 255), (2, 256), (7, 4_000)] {
      let part = frames.span.extracting(start..<start + count)
      #expect(PCMPairs.extremes(part) == PCMPairs.plainExtremes(part), "\(count) frames")
    }
  }

  @Test func fullScaleDoesNotOverflow() {
    let lowest = Int32(bitPattern: 0x8000_8000)
    let highest = Int32(bitPattern: 0x7fff_7fff)
    for place in 0..<33 {
      var frames = [Int32](repeating: 0, count: 33)
      frames[place] = lowest
      #expect(PCMPairs.extremes(frames.span) == (-65_536, 0))
      frames[place] = highest
      #expect(PCMPairs.extremes(frames.span) == (0, 65_534))
    }
  }
}
