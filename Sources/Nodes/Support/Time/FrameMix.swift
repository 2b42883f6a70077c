import GraphKit
import Kernels

/// A weighted mean of frames of one format.
struct FrameMix: Sendable {
  private var sums: [[UInt32]] = []
  /// The weights so far, in 65,536ths.
  private var weight: UInt32 = 0
  private var heaviest: (frame: HeldFrame, weight: UInt32)?
  private static let whole: UInt32 = 65_536

  /// Takes a frame, with a part of the whole as its weight.
  mutating func add(_ frame: HeldFrame, part: Double) throws {
    let part = UInt32((min(max(part, 0), 1) * Double(Self.whole)).rounded())
    let share = min(part, Self.whole - weight)
    guard share > 0, case .video(let video) = frame.sample.format.format else { return }
    if let heaviest, heaviest.frame.sample.format.format != frame.sample.format.format {
      // Frames of two formats have no mean: the mix is of the later ones.
      self = FrameMix()
      return try add(frame, part: 1)
    }
    if heaviest.map({ $0.weight < share }) ?? true { heaviest = (frame, share) }
    weight += share
    let planes = video.planes
    if sums.count != planes.count {
      sums = planes.map { [UInt32](repeating: 0, count: $0.width * $0.bytesPerPixel * $0.height) }
    }
    for (index, plane) in planes.enumerated() {
      let count = plane.width * plane.bytesPerPixel
      frame.sample.withPlane(index) { bytes, bytesPerRow in
        guard bytes.count >= (plane.height - 1) * bytesPerRow + count else { return }
        var all = sums[index].mutableSpan
        for row in 0..<plane.height {
          PlaneMeasure.add(
            bytes.extracting(row * bytesPerRow..<row * bytesPerRow + count), weight: share,
            to: &all, at: row * count)
        }
      }
    }
  }

  /// The mean, in a frame of a pool of such frames; the mix is empty then. `nil` where it had none.
  mutating func take(from frames: ReshapedFrames) throws -> SampleBuffer? {
    guard let heaviest, case .video(let video) = heaviest.frame.sample.format.format else {
      return nil
    }
    // What is left of the whole by rounding, or after the last frame, is the heaviest one's.
    if weight < Self.whole {
      try add(heaviest.frame, part: Double(Self.whole - weight) / Double(Self.whole))
    }
    var result = try frames.take(like: heaviest.frame.sample)
    do {
      var frame = try result.videoFrame()
      for (index, plane) in video.planes.enumerated() {
        let count = plane.width * plane.bytesPerPixel
        let bytesPerRow = frame.bytesPerRow(ofPlane: index)
        let all = sums[index]
        var bytes = frame.plane(index)
        for row in 0..<plane.height {
          PlaneMeasure.narrow(
            all.span.extracting(row * count..<(row + 1) * count), into: &bytes,
            at: row * bytesPerRow)
        }
      }
    }
    let empty = sums.map { [UInt32](repeating: 0, count: $0.count) }
    self = FrameMix()
    sums = empty
    return result
  }
}
