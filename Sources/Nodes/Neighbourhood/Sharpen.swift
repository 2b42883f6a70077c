import GraphKit
import Glibc

/// Sharpens frames with an unsharp mask: what a blur takes away is added.
///
/// A byte x becomes x + amount * (x - b), where b is the blurred frame: a Gaussian out to three
/// deviations, in weights of 256ths, rounded to bytes once down and once along. Of I420 and NV12
/// only luma is sharpened, since chroma has no detail that is seen; of BGRA and RGBA every channel
/// but alpha.
public struct Sharpen: VideoEffect {
  /// How much: 0 changes nothing.
  public var amount = 1.0
  /// The standard deviation of the blur, in pixels.
  public var radius = 1.0 { didSet { if radius != oldValue { weights = [] } } }
  private var weights: [UInt16] = []
  private var copy: [UInt8] = []
  private var sums: [UInt16] = []
  private var row: [UInt8] = []

  /// A mask of 1 pixel.
  public init() {}

  public static let declaration = NodeDeclaration<Sharpen>(
    "sharpen", role: .effect, help: "Sharpens frames with an unsharp mask.",
    phrase: "sharpened",
    example: "camera -> sharpen -> encoder",
    parameters: [
      .number(
        "amount", \.amount, in: 0...5, live: true, help: "How much; 0 changes nothing."
      ).cheaper(at: 0),
      .number(
        "radius", \.radius, in: 0.3...3, unit: "px", live: true,
        help: "The standard deviation of the blur that is taken away."),
    ])

  public static let ports = EffectPorts<Video>(.video(PixelFormat.planar))

  public var traits: NodeTraits { NodeTraits(isFramewise: true) }

  public mutating func prepare(_ format: VideoFormat) throws {
    guard PixelFormat.planar.contains(format.pixelFormat) else {
      throw NodeError.unknownLayout("sharpen", format)
    }
  }

  public mutating func process(_ frame: inout VideoFrame) throws {
    guard amount > 0 else { return }
    if weights.isEmpty { weights = Self.weights(deviation: radius) }
    let plane = frame.format.plane(0)
    let (count, stride) = (plane.width * plane.bytesPerPixel, frame.bytesPerRow(ofPlane: 0))
    var bytes = frame.plane(0)
    guard count > 0, (plane.height - 1) * stride + count <= bytes.count else { return }
    makeRoom(count, plane)
    for row in 0..<plane.height { keep(bytes, row * stride, row * count) }
    for row in 0..<plane.height {
      blurDown(row, of: plane.height, count)
      extendRow(count, plane.bytesPerPixel)
      blurAlong(count, plane.bytesPerPixel)
      sharpen(&bytes, row * stride, row * count, hasAlpha: plane.bytesPerPixel == 4)
    }
  }

  /// The curve's weights from its middle outwards, in 256ths that add up to 256 with those of the
  /// other side.
  static func weights(deviation: Double) -> [UInt16] {
    let reach = max(1, Int((3 * deviation).rounded(.up)))
    let curve = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
    let whole = curve[0] + 2 * curve.dropFirst().reduce(0, +)
    var weights = curve.map { UInt16(($0 / whole * 256).rounded()) }
    weights[0] = 256 - 2 * weights.dropFirst().reduce(0, +)
    return weights
  }

  private mutating func makeRoom(_ count: Int, _ plane: VideoFormat.Plane) {
    let margin = (weights.count - 1) * plane.bytesPerPixel
    if copy.count != count * plane.height {
      copy = Array(repeating: 0, count: count * plane.height)
    }
    if sums.count != count { sums = Array(repeating: 0, count: count) }
    if row.count != count + 2 * margin { row = Array(repeating: 0, count: count + 2 * margin) }
  }
}

extension Sharpen {
  private mutating func keep(_ bytes: borrowing MutableSpan<UInt8>, _ start: Int, _ place: Int) {
    let count = sums.count
    var copy = copy.mutableSpan
    guard start + count <= bytes.count, place + count <= copy.count else { return }
    for index in 0..<count { copy[place &+ index] = bytes[start &+ index] }
  }

  private mutating func blurDown(_ row: Int, of height: Int, _ count: Int) {
    let margin = (self.row.count - count) / 2
    Self.weigh(copy, row * count, row * count, weights[0], isFirst: true, into: &sums)
    for distance in 1..<weights.count {
      let (above, below) = (max(0, row - distance), min(height - 1, row + distance))
      Self.weigh(
        copy, above * count, below * count, weights[distance], isFirst: false, into: &sums)
    }
    let blurred = self.sums
    let sums = blurred.span
    var line = self.row.mutableSpan
    guard sums.count >= count, margin + count <= line.count else { return }
    for index in 0..<count {
      line[margin &+ index] = UInt8(truncatingIfNeeded: (sums[index] &+ 128) &>> 8)
    }
  }

  /// The outermost pixels go on beyond the row.
  private mutating func extendRow(_ count: Int, _ step: Int) {
    let margin = (row.count - count) / 2
    for index in 0..<margin {
      row[index] = row[margin + index % step]
      row[margin + count + index] = row[margin + count - step + index % step]
    }
  }

  private mutating func blurAlong(_ count: Int, _ step: Int) {
    let margin = (row.count - count) / 2
    Self.weigh(row, margin, margin, weights[0], isFirst: true, into: &sums)
    for distance in 1..<weights.count {
      let offset = distance * step
      Self.weigh(
        row, margin - offset, margin + offset, weights[distance], isFirst: false, into: &sums)
    }
  }

  /// Adds two rows of bytes, weighted, to the sums; of the first ones just the one.
  private static func weigh(
    _ values: [UInt8], _ first: Int, _ second: Int, _ weight: UInt16,
    isFirst: Bool, into sums: inout [UInt16]
  ) {
    let bytes = values.span
    var sums = sums.mutableSpan
    let count = sums.count
    guard first >= 0, first + count <= bytes.count, second + count <= bytes.count else { return }
    if isFirst {
      for index in 0..<count { sums[index] = UInt16(bytes[first &+ index]) &* weight }
      return
    }
    for index in 0..<count {
      let pair = UInt16(bytes[first &+ index]) &+ UInt16(bytes[second &+ index])
      sums[index] &+= pair &* weight
    }
  }

  private func sharpen(
    _ bytes: inout MutableSpan<UInt8>, _ start: Int, _ place: Int, hasAlpha: Bool
  ) {
    let (copy, sums) = (copy.span, sums.span)
    let count = sums.count
    guard start + count <= bytes.count, place + count <= copy.count else { return }
    let weight = Int32((amount * 256).rounded())
    for index in 0..<count {
      let old = Int32(copy[place &+ index])
      let blurred = Int32((sums[index] &+ 128) &>> 8)
      let new = old &+ (((old &- blurred) &* weight &+ 128) &>> 8)
      bytes[start &+ index] = UInt8(truncatingIfNeeded: new < 0 ? 0 : new > 255 ? 255 : new)
    }
    guard hasAlpha else { return }
    for index in stride(from: 3, to: count, by: 4) { bytes[start + index] = copy[place + index] }
  }
}
