import GraphKit

/// Frames that last until the next: decoders give each the length of another one where frames are stored
/// out of order and at no steady rate.
struct ShownFrames: Sendable {
  private var held: ReadySampleBuffer?

  /// By how much lengths are off that were counted in other units.
  private static let rounding = MediaTime(value: 1, timescale: 1_000_000)

  /// Takes the next frame, and gives the one before it.
  mutating func take(_ next: ReadySampleBuffer) -> ReadySampleBuffer? {
    let last = takeLast()
    held = next
    guard let last, last.presentationTime.isNumeric, next.presentationTime.isNumeric else {
      return last
    }
    let length = next.presentationTime - last.presentationTime
    let stated = last.duration
    guard length > .zero,
      !stated.isNumeric || max(stated - length, length - stated) > Self.rounding
    else { return last }
    var frame = last.share()
    frame.duration = length
    return ReadySampleBuffer(frame)
  }

  /// The last frame, as long as it says.
  mutating func takeLast() -> ReadySampleBuffer? { held.take() }
}
