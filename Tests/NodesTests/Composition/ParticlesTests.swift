import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("particles", .inTurn) struct ParticlesTests {
  private func spot(_ change: (inout Particles) -> Void = { _ in }) -> Particles {
    var node = Particles()
    (node.speed, node.gravity, node.rate, node.size, node.colors) = (0, 0, 1, 0.5, "ffffff")
    change(&node)
    return node
  }

  @Test("a particle that stays is a round soft spot at its point")
  func round() throws {
    let drawn = try result(of: spot(), on: FlatFrame(.rgba, 80, 80), at: 0.4)
    let middle = Int(pixel(40, 40, of: drawn)[0])
    #expect(middle > 200)
    var last = middle
    for distance in 1..<20 {
      let values = [(distance, 0), (-distance - 1, 0), (0, distance), (0, -distance - 1)].map {
        Int(pixel(40 + $0.0, 40 + $0.1, of: drawn)[0])
      }
      #expect(Set(values).count == 1 && values[0] <= last)
      last = values[0]
    }
    #expect(pixel(61, 40, of: drawn) == [10, 20, 30, 255])
  }

  @Test("every layout shows the same colours", arguments: [PixelFormat.i420, .nv12, .bgra])
  func layouts(_ pixelFormat: PixelFormat) throws {
    let node = spot { ($0.colors, $0.x, $0.y) = ("ff0000", 1, 1) }
    let sample = try result(of: node, on: FlatFrame(pixelFormat, 61, 45), at: 0.5)
    let planes = (0..<pixelFormat.planeCount).map { plane in
      sample.sample.withPlane(plane) { span, stride in
        let rows = span.count / stride
        let columns = pixelFormat.usedBytesPerRow(ofPlane: plane, width: 61)
        return Array((0..<columns).map { span[(rows - 1) * stride + $0] }.suffix(4))
      }
    }
    switch pixelFormat {
    case .i420: #expect(planes[0][3] > 58 && planes[1][3] < 112 && planes[2][3] > 210)
    case .nv12: #expect(planes[0][3] > 58 && planes[1][2] < 112 && planes[1][3] > 210)
    default: #expect(planes[0][2] > 220 && planes[0][0] < 3 && planes[0][3] == 255)
    }
  }

  @Test("a run repeats, and a frame doesn't depend on those before it")
  func repeats() throws {
    let frame = FlatFrame(.i420, 160, 90)
    var node = Particles()
    node.rate = 200
    let harness = NodeHarness(node)
    for index in 0..<10 { try harness.push(frame.sample(at: Double(index) / 10)) }
    let alone = try result(of: node, on: frame, at: 0.9)
    #expect(try harness.samples().last?.bytes == alone.bytes)
    node.seed = 2
    #expect(try result(of: node, on: frame, at: 0.9).bytes != alone.bytes)
  }

  @Test("particles fly as stones do")
  func flight() {
    var emitter = Emitter()
    (emitter.spread, emitter.direction, emitter.speed, emitter.gravity) = (0, 0, 1, 2)
    (emitter.rate, emitter.life, emitter.until) = (1, 10, 0)
    let places = [1.0, 2.0].map { emitter.particles(at: $0)[0].center }
    #expect(abs(places[1].x - 2 * places[0].x) < 1e-9 && (0.4...1).contains(places[0].x))
    #expect(abs(places[0].y - 1) < 1e-9 && abs(places[1].y - 4) < 1e-9)
  }

  @Test("come from `from` to `until`, at the rate, and live as long as is said")
  func counts() {
    var emitter = Emitter()
    (emitter.from, emitter.until, emitter.rate, emitter.life) = (1, 2, 100, 1)
    #expect(emitter.particles(at: 0.99).isEmpty)
    #expect(emitter.particles(at: 1).count == 1)
    #expect(emitter.particles(at: 1.5).count == 51)
    #expect((60...101).contains(emitter.particles(at: 2).count))
    #expect(!emitter.particles(at: 2.5).isEmpty && emitter.particles(at: 3.01).isEmpty)
  }

  @Test("come when they are asked for while it runs")
  func live() throws {
    let frame = FlatFrame(.rgba, 64, 64)
    let harness = NodeHarness(spot { ($0.from, $0.rate) = (100, 50) })
    try harness.push(frame.sample(at: 2))
    #expect(harness.set("from", to: .number(2)) && harness.set("until", to: .number(2.5)))
    try harness.push(frame.sample(at: 2.5))
    let samples = try harness.samples()
    let plain = CollectedSample(try frame.sample()).bytes
    #expect(samples[0].bytes == plain && samples[1].bytes != plain)
  }

  @Test("they are in the smallest frames, too, and nowhere far from the point")
  func extremes() throws {
    for (width, height, x) in [(1, 1, 0.4), (2, 1, 0.4), (641, 3, 1)] {
      for pixelFormat in PixelFormat.composable {
        let frame = FlatFrame(pixelFormat, width, height)
        let plain = CollectedSample(try frame.sample()).bytes
        let bytes = try result(
          of: spot { ($0.size, $0.x, $0.rate) = (1, x, 50) }, on: frame, at: 0.5
        ).bytes
        #expect(bytes.count == plain.count && bytes != plain, "\(pixelFormat) \(width)")
        #expect(width < 641 || bytes.prefix(400) == plain.prefix(400), "\(pixelFormat)")
      }
    }
  }

  @Test("says what is wrong with parameters")
  func errors() {
    #expect(spot { $0.colors = "red" }.problem?.key == "colors")
    #expect(spot { ($0.rate, $0.life) = (20_000, 60) }.problem?.key == "rate")
    #expect(spot { ($0.from, $0.until) = (2, 1) }.problem?.key == "until")
  }
}
