import GraphKit

/// Pixelates frames into squares of one colour: each has the mean of its pixels.
///
/// Squares begin at the top left; those at the right and at the bottom may be smaller. In 4:2:0,
/// where chroma has half of the pixels, a side is rounded down to even pixels.
public struct Pixelate: VideoEffect {
  /// The side of a square, in pixels.
  public var size = 16
  private var sums: [UInt32] = []
  private var means: [UInt8] = []

  /// Squares of 16 pixels.
  public init() {}

  public static let declaration = NodeDeclaration<Pixelate>(
    "pixelate", role: .effect, help: "Pixelates frames into squares of one colour.",
    phrase: "pixelated",
    example: "camera -> pixelate -> encoder",
    parameters: [
      .integer(
        "size", \.size, in: 1...4_096, unit: "px", live: true,
        help: "The side of a square, even in I420 and NV12; 1 changes nothing.")
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits { NodeTraits(isFramewise: true) }

  public mutating func prepare(_ format: VideoFormat) throws {
    guard PixelFormat.planar.contains(format.pixelFormat) else {
      throw NodeError.unknownLayout("pixelate", format)
    }
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard size > 1 else { return }
    for index in 0..<frame.planeCount {
      let plane = frame.format.plane(index)
      let side = max(1, size / frame.format.pixelFormat.subsampling.across)
      let inPlane =
        index == 0 ? side * frame.format.pixelFormat.subsampling.across : side
      guard inPlane > 1 else { continue }
      let stride = frame.bytesPerRow(ofPlane: index)
      var bytes = frame.plane(index)
      for top in Swift.stride(from: 0, to: plane.height, by: inPlane) {
        let rows = top..<min(top + inPlane, plane.height)
        average(&bytes, rows, stride, plane, inPlane)
      }
    }
  }

  private mutating func average(
    _ bytes: inout MutableSpan<UInt8>, _ rows: Range<Int>, _ stride: Int,
    _ plane: VideoFormat.Plane, _ side: Int
  ) {
    let count = plane.width * plane.bytesPerPixel
    guard count > 0, (rows.upperBound - 1) * stride + count <= bytes.count else { return }
    if sums.count != count { sums = Array(repeating: 0, count: count) }
    if means.count != count { means = Array(repeating: 0, count: count) }
    for row in rows { add(bytes, row * stride, isFirst: row == rows.lowerBound) }
    computeMeans(plane, side, rows.count)
    for row in rows { put(&bytes, row * stride) }
  }

  private mutating func add(_ bytes: borrowing MutableSpan<UInt8>, _ start: Int, isFirst: Bool) {
    var sums = sums.mutableSpan
    let count = sums.count
    guard start + count <= bytes.count else { return }
    if isFirst {
      for index in 0..<count { sums[index] = UInt32(bytes[start &+ index]) }
    } else {
      for index in 0..<count { sums[index] &+= UInt32(bytes[start &+ index]) }
    }
  }

  /// The means of the squares, out of the sums of columns.
  private mutating func computeMeans(_ plane: VideoFormat.Plane, _ side: Int, _ rows: Int) {
    let step = plane.bytesPerPixel
    for left in stride(from: 0, to: plane.width, by: side) {
      let right = min(left + side, plane.width)
      let count = UInt32((right - left) * rows)
      for channel in 0..<step {
        var sum: UInt32 = 0
        for column in left..<right { sum &+= sums[column * step + channel] }
        let mean = UInt8(truncatingIfNeeded: (sum + count / 2) / count)
        for column in left..<right { means[column * step + channel] = mean }
      }
    }
  }

  private func put(_ bytes: inout MutableSpan<UInt8>, _ start: Int) {
    let means = means.span
    let count = means.count
    guard start + count <= bytes.count else { return }
    for index in 0..<count { bytes[start &+ index] = means[index] }
  }
}
