import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("Blur, sharpen, pixelate and vignette", .inTurn)
struct NeighbourhoodTests {
  /// One line of numbers, blurred by the bell curve itself, with its ends going on.
  private func blurred(_ values: [Double], deviation: Double) -> [Double] {
    let reach = Int((5 * deviation).rounded(.up))
    let curve = (-reach...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
    let whole = curve.reduce(0, +)
    return values.indices.map { place in
      (-reach...reach).reduce(0) { sum, offset in
        let index = min(max(place + offset, 0), values.count - 1)
        return sum + values[index] * curve[offset + reach] / whole
      }
    }
  }

  private func blurred(_ rows: [[UInt8]], deviation: Double) -> [[Double]] {
    let across = rows.map { blurred($0.map(Double.init), deviation: deviation) }
    let columns = rows[0].indices.map { column in
      blurred(across.map { $0[column] }, deviation: deviation)
    }
    return rows.indices.map { row in columns.map { $0[row] } }
  }

  private func errors(_ rows: [[UInt8]], _ wanted: [[Double]]) -> (mean: Double, worst: Double) {
    let all = zip(rows, wanted).flatMap { zip($0, $1).map { abs(Double($0) - $1) } }
    return (all.reduce(0, +) / Double(all.count), all.max() ?? 0)
  }

  /// Hard edges from 0 to 255: the worst that there is for a blur.
  private func edges(_ width: Int, _ height: Int) -> RawPicture {
    RawPicture(.i420, width, height) { plane, row, column in
      plane > 0 ? 128 : (row / 20 + column / 24) % 2 == 0 ? 0 : 255
    }
  }

  @Test("a blur is near to the bell curve", arguments: [1.0, 1.7, 3.0, 6.5, 15.0])
  func blur(_ radius: Double) throws {
    let node = Blur.with { $0.radius = radius }
    for picture in [edges(72, 60), RawPicture.noise(.i420, 72, 60)] {
      let result = try node.output(of: picture).planes[0]
      let error = errors(result, blurred(picture.planes[0], deviation: radius))
      #expect(error.mean < 2 && error.worst < 5, "\(radius): \(error)")
    }
  }

  @Test("a blur of fewer means is as wide", arguments: [1, 2, 3], [1.5, 4.0, 9.0])
  func width(_ passes: Int, _ radius: Double) throws {
    let node = Blur.with { ($0.radius, $0.passes) = (radius, passes) }
    // A line of one pixel, and how far it is spread on average.
    let picture = RawPicture(.i420, 160, 8) { plane, _, column in
      plane == 0 && column == 80 ? 255 : 0
    }
    let row = try node.output(of: picture).planes[0][4].map(Double.init)
    let spread = row.indices.reduce(0) { $0 + row[$1] * Double(($1 - 80) * ($1 - 80)) }
    let deviation = (spread / row.reduce(0, +)).squareRoot()
    #expect(abs(deviation - radius) < 0.1 * radius, "\(deviation)")
    let (reach, peak) = (row.count { $0 > 0 }, row[80])
    // A plain mean has hard ends: it reaches less far, and is flat.
    if passes == 1 { #expect(Double(reach) < 2 * 1.8 * radius + 3 && row[81] == peak, "\(row)") }
  }

  @Test("chroma is blurred as far as luma")
  func chroma() throws {
    let picture = RawPicture(.i420, 64, 64) { plane, _, column in
      plane == 0 ? 100 : column < 16 ? 20 : 220
    }
    let result = try Blur.with { $0.radius = 6 }.output(of: picture)
    #expect(
      errors(result.planes[1], blurred(picture.planes[1], deviation: 3)).worst < 4
        && result.planes[1] == result.planes[2] && result.planes[0] == picture.planes[0])
  }

  @Test("sharpening adds what the blur takes away, within its limits")
  func sharpen() throws {
    let picture = RawPicture(.i420, 48, 40) { plane, row, column in
      plane > 0 ? UInt8(row * 3 + column) : UInt8(120 + 60 * sin(Double(row * column) / 40))
    }
    for amount in [0.5, 1, 2.5] {
      let node = Sharpen.with { $0.amount = amount }
      let result = try node.output(of: picture)
      let soft = blurred(picture.planes[0], deviation: 1)
      let wanted = zip(picture.planes[0], soft).map { old, soft in
        zip(old, soft).map { min(max(Double($0) + amount * (Double($0) - $1), 0), 255) }
      }
      let error = errors(result.planes[0], wanted)
      #expect(error.worst <= 1 + 2 * amount && error.mean < 0.5 + amount, "\(amount): \(error)")
      #expect(result.planes[1...] == picture.planes[1...])
    }
  }

  @Test("squares have the mean of their pixels")
  func pixelate() throws {
    let picture = RawPicture.noise(.nv12, 21, 13)
    let result = try Pixelate.with { $0.size = 8 }.output(of: picture)
    for (plane, (side, step)) in [(8, 1), (4, 2)].enumerated() {
      let rows = picture.planes[plane]
      for row in rows.indices {
        for column in rows[row].indices {
          let (top, left) = (row / side * side, column / step / side * side)
          var values: [Int] = []
          for row in rows[top...].prefix(side) {
            let end = min((left + side) * step, row.count)
            for index in stride(from: left * step + column % step, to: end, by: step) {
              values.append(Int(row[index]))
            }
          }
          let mean = (values.reduce(0, +) + values.count / 2) / values.count
          #expect(Int(result.planes[plane][row][column]) == mean)
        }
      }
    }
  }

  @Test("a vignette is its formula, rounded", arguments: FrameEffectCase.layouts)
  func vignette(_ layout: PixelFormat) throws {
    let picture = RawPicture.noise(layout, 45, 31)
    let node = Vignette.with { ($0.strength, $0.radius, $0.softness) = (0.8, 0.3, 0.5) }
    let result = try node.output(of: picture)
    for plane in picture.planes.indices {
      let size = picture.format.plane(plane)
      let isColor = size.bytesPerPixel == 4
      let ground = isColor ? 0.0 : plane == 0 ? 16 : 128
      let step = layout.subsampling(ofPlane: plane).across
      // The middle of the pixels that a sample of chroma stands for.
      let middle = { (index: Int, end: Double) in
        Double(step * index) / 2 + min(Double(step * (index + 1)), end) / 2 - end / 2
      }
      for (row, values) in picture.planes[plane].enumerated() {
        for (place, old) in values.enumerated() {
          let column = place / size.bytesPerPixel
          let (dx, dy) = (middle(column, 45), middle(row, 31))
          let distance = (dx * dx + dy * dy).squareRoot() / (45.0 * 45 + 31 * 31).squareRoot()
          let t = min(max((distance * 2 - 0.3) / 0.5, 0), 1)
          let loss = isColor && place % 4 == 3 ? 0 : 0.8 * t * t * (3 - 2 * t)
          let wanted = Double(old) + (ground - Double(old)) * loss
          #expect(abs(Double(result.planes[plane][row][place]) - wanted) <= 1)
        }
      }
    }
  }

  @Test("settings change while it runs")
  func live() throws {
    let picture = RawPicture.noise(.i420, 32, 16)
    let harness = NodeHarness(Blur.with { $0.radius = 0 })
    for radius in [0, 2.0, 5.0] {
      #expect(harness.set("radius", to: .number(radius)))
      try harness.push(picture.sample())
      let result = try #require(try harness.takeSamples().first.flatMap(RawPicture.init))
      #expect(try result == Blur.with { $0.radius = radius }.output(of: picture))
    }
    let shade = NodeHarness(Vignette())
    try shade.push(picture.sample())
    #expect(shade.set("strength", to: .number(0)))
    try shade.push(picture.sample())
    #expect(try shade.samples().compactMap(RawPicture.init).map { $0 == picture } == [false, true])
  }
}
