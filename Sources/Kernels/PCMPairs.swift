/// Loops over frames of two 16-bit channels, each read as one value.
package enum PCMPairs {
  /// The lowest and the highest sum of a frame's two channels; at least one frame.
  package static func extremes(_ frames: Span<Int32>) -> (low: Int32, high: Int32) {
    let whole = frames.count - frames.count % WideVectors.framesPerBlock
    guard WideVectors.areThere, whole > 0 else { return plainExtremes(frames) }
    let (low, high) = WideVectors.pairExtremes(frames.extracting(first: whole))
    guard whole < frames.count else { return (low, high) }
    let rest = plainExtremes(frames.extracting(droppingFirst: whole))
    return (min(low, rest.low), max(high, rest.high))
  }

  /// The same on any processor.
  package static func plainExtremes(_ frames: Span<Int32>) -> (low: Int32, high: Int32) {
    var (low, high) = (Int32.max, Int32.min)
    for index in frames.indices {
      let frame = frames[index]
      let sum = (frame &<< 16) &>> 16 &+ (frame &>> 16)
      low = sum < low ? sum : low
      high = sum > high ? sum : high
    }
    return (low, high)
  }
}
