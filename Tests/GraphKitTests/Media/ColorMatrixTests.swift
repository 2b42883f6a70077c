import GStreamer
import GraphKit
import Kernels
import TestTools
import Testing

@Suite("Colour matrices", .inTurn) struct ColorMatrixTests {
  private typealias Rows = [ColorMatrix.Row]

  /// BT.709 of video range to red, green and blue; inverted, that leads beyond them everywhere.
  private static func decode(inverted: Bool) -> Rows {
    let rows: Rows = [
      (SIMD3(1.164, 0, 1.793), -248.1), (SIMD3(1.164, -0.213, -0.533), 76.9),
      (SIMD3(1.164, 2.112, 0), -289),
    ]
    return inverted ? rows.map { ($0.0 * -1.5, 255 - 1.5 * $0.1) } : rows
  }
  private static let encode: Rows = [
    (SIMD3(0.183, 0.614, 0.062), 16), (SIMD3(-0.101, -0.339, 0.439), 128),
    (SIMD3(0.439, -0.399, -0.04), 128),
  ]

  private func bytes(_ buffer: borrowing Buffer) -> [UInt8] {
    guard let map = BufferMap(buffer) else { return [] }
    let span = map.span(of: UInt8.self, from: 0, count: map.size)
    return span.indices.map { span[$0] }
  }

  @Test(
    "wide vectors give the same bits as plain Swift, in place and elsewhere",
    arguments: [PixelFormat.i420, .nv12, .bgra],
    [(1, 1), (2, 1), (15, 3), (31, 2), (33, 3), (64, 2), (127, 2), (641, 5)])
  func likeness(format: PixelFormat, size: (width: Int, height: Int)) throws {
    let video = VideoFormat(format, width: size.width, height: size.height)
    let colors: ColorLayout = format == .i420 ? .planar : format == .nv12 ? .paired : .packed
    var layout = VideoLayout(planeCount: 3, offsets: .zero, strides: .zero)
    var end = 0
    for (index, plane) in video.planes.enumerated() {
      (layout.offsets[index], layout.strides[index]) = (end, plane.width * plane.bytesPerPixel + 5)
      end += layout.strides[index] * plane.height
    }
    var noise = MediaRandom(seed: 1)
    let picture = noise.bytes(end)
    let curves = try #require(
      ColorCurves(steepest: 1) { SIMD3($0 * $0 / 255, 255 - $0 / 3, 128 + $0 / 9) })
    for (inverted, curves) in [(false, nil), (true, nil), (false, curves)] {
      let results = try WideVectors.widths.map { width in
        let matrix = try #require(
          ColorMatrix(
            decode: Self.decode(inverted: inverted), encode: Self.encode, curves: curves,
            vectors: width))
        let source = Buffer(picture)
        var inPlace = Buffer(picture)
        var other = Buffer(picture)
        var (isDone, isDoneElsewhere) = (false, false)
        if var map = MutableBufferMap(&inPlace) {
          isDone = map.apply(
            .matrix(matrix), to: layout, as: colors, width: size.width, height: size.height)
        }
        if var map = MutableBufferMap(&other), let from = BufferMap(source) {
          isDoneElsewhere = map.apply(
            .matrix(matrix), to: layout, from: from, layout, as: colors, width: size.width,
            height: size.height)
        }
        #expect(isDone && isDoneElsewhere)
        let (before, changed, elsewhere) = (bytes(source), bytes(inPlace), bytes(other))
        #expect(before == picture && changed == elsewhere)
        return changed
      }
      #expect(results.allSatisfy { $0 == results[0] })
      // Forth and back again, a colour within the range may be what it was.
      #expect(!inverted || results[0] != picture)
    }
  }

  @Test("a curve that rises too much from place to place is none")
  func steepness() {
    func curves(_ function: @escaping (Double) -> Double) -> ColorCurves? {
      ColorCurves(steepest: 2) { SIMD3(repeating: function(min(max($0, 0), 255))) }
    }
    #expect(curves { 255 * ($0 / 255).squareRoot().squareRoot() } == nil)
    #expect(curves { $0 < 128 ? 0 : 255 } == nil)
    #expect(curves { $0 * 60 } != nil)
  }
}
