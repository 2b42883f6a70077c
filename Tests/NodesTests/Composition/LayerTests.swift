import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

/// Blending in each layout against the formula in floating point.
@Suite(.inTurn) struct LayerTests {
  /// Sizes, places and opacities, among them odd ones and those beyond each edge.
  struct Case: CustomStringConvertible {
    var frame: (Int, Int)
    var picture: (Int, Int)
    var corner: Corner
    var opacity = 1.0
    var description: String {
      "\(picture) at \(corner.x),\(corner.y) in \(frame), opacity \(opacity)"
    }
  }

  static let cases = [
    Case(frame: (16, 12), picture: (4, 4), corner: Corner(x: 4, y: 4)),
    Case(frame: (16, 12), picture: (4, 4), corner: Corner(x: 5, y: 3)),
    Case(frame: (16, 12), picture: (5, 3), corner: Corner(x: 3, y: 5), opacity: 0.5),
    Case(frame: (16, 12), picture: (40, 40), corner: Corner(x: -7, y: -9)),
    Case(frame: (16, 12), picture: (6, 6), corner: Corner(x: -3, y: 9), opacity: 0.25),
    Case(frame: (16, 12), picture: (6, 6), corner: Corner(x: 13, y: -1)),
    Case(frame: (16, 12), picture: (6, 6), corner: Corner(x: 16, y: 0)),
    Case(frame: (16, 12), picture: (6, 6), corner: Corner(x: -6, y: -600)),
    Case(frame: (1, 1), picture: (1, 1), corner: Corner(x: 0, y: 0)),
    Case(frame: (1, 1), picture: (9, 9), corner: Corner(x: -4, y: -4)),
    Case(frame: (3, 5), picture: (3, 5), corner: Corner(x: 0, y: 0)),
    Case(frame: (321, 179), picture: (70, 50), corner: Corner(x: 281, y: 151), opacity: 0.9),
  ]

  private enum Kind: CaseIterable { case opaque, half, clear, noise, islands }

  private func picture(_ size: (Int, Int), _ kind: Kind) -> Picture {
    let count = size.0 * size.1
    var pixels = noise(count * 4, seed: UInt64(count))
    for index in 0..<count {
      switch kind {
      case .opaque: pixels[index * 4 + 3] = 255
      case .half: pixels[index * 4 + 3] = 128
      case .clear: pixels[index * 4 + 3] = 0
      case .islands: if index % 23 != 0 { pixels[index * 4 + 3] = 0 }
      case .noise: break
      }
    }
    return Picture(width: size.0, height: size.1, pixels: pixels)
  }

  @Test(arguments: cases, PixelFormat.composable)
  func isTheFormula(_ item: Case, _ pixelFormat: PixelFormat) throws {
    for kind in Kind.allCases {
      let flat = FlatFrame(pixelFormat, item.frame.0, item.frame.1)
      let picture = picture(item.picture, kind)
      var sample = try flat.sample()
      do {
        var frame = try sample.videoFrame()
        Layer(picture, at: item.corner, opacity: item.opacity, on: flat.format).draw(on: &frame)
      }
      let drawn = CollectedSample(sample).bytes
      let before = CollectedSample(try flat.sample()).bytes
      let wanted = LayerFormula(picture, item.corner, item.opacity, flat).bytes(over: before)
      var (worst, touched) = (0.0, 0)
      for (index, byte) in drawn.enumerated() where Double(byte) != wanted[index] {
        worst = max(worst, abs(Double(byte) - wanted[index]))
        if wanted[index] == Double(before[index]) { touched += 1 }
      }
      #expect(touched == 0)
      #expect(worst <= (pixelFormat.planeCount == 1 && item.opacity == 1 ? 0.51 : 1))
    }
  }

  @Test("opaque pixels show the picture's own colour, exactly", arguments: PixelFormat.composable)
  func opaque(_ pixelFormat: PixelFormat) throws {
    let flat = FlatFrame(pixelFormat, 8, 8)
    let red = Picture(
      width: 8, height: 8, pixels: Array(repeatElement([255, 0, 0, 255], count: 64).joined()))
    var sample = try flat.sample()
    do {
      var frame = try sample.videoFrame()
      Layer(red, at: Corner(x: 0, y: 0), opacity: 1, on: flat.format).draw(on: &frame)
    }
    let planes = (0..<pixelFormat.planeCount).map { plane in
      sample.withPlane(plane) { span, _ in span.indices.prefix(4).map { span[$0] } }
    }
    switch pixelFormat {
    case .i420: #expect(planes.map(\.first) == [63, 102, 240])
    case .nv12: #expect(planes[0][0] == 63 && planes[1][0..<2] == [102, 240])
    case .bgra: #expect(planes[0] == [0, 0, 255, 255])
    default: #expect(planes[0] == [255, 0, 0, 255])
    }
  }

  @Test("gray stays gray at half covered chroma", arguments: [PixelFormat.i420, .nv12])
  func gray(_ pixelFormat: PixelFormat) throws {
    let format = VideoFormat(pixelFormat, width: 6, height: 6)
    var sample = SampleBuffer(
      bytes: [UInt8](repeating: 128, count: format.frameSize),
      format: try FormatDescription(.video(format)))
    let white = Picture(
      width: 3, height: 3, pixels: Array(repeatElement([255, 255, 255, 77], count: 9).joined()))
    do {
      var frame = try sample.videoFrame()
      Layer(white, at: Corner(x: 1, y: 1), opacity: 0.7, on: format).draw(on: &frame)
    }
    for plane in 1..<pixelFormat.planeCount {
      let values = sample.withPlane(plane) { span, _ in Set(span.indices.map { span[$0] }) }
      #expect(values == [128])
    }
  }
}
