import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("overlay", .inTurn) struct OverlayTests {
  private func overlay(_ path: String) -> Overlay {
    var overlay = Overlay()
    (overlay.path, overlay.x, overlay.y) = (path, 0, 0)
    return overlay
  }

  @Test("lies where it is told to, and nowhere else")
  func place() throws {
    let folder = try TestFolder()
    var node = overlay(try folder.png(4, 2, [255, 128, 0, 255]))
    (node.x, node.y, node.offsetX) = (1, 1, -3)
    let frame = FlatFrame(.rgba, 20, 10)
    let drawn = try result(of: node, on: frame)
    for y in 0..<10 {
      for x in 0..<20 {
        let isCovered = (13..<17).contains(x) && (8..<10).contains(y)
        #expect(pixel(x, y, of: drawn) == (isCovered ? [255, 128, 0, 255] : [10, 20, 30, 255]))
      }
    }
  }

  @Test("scales without a fringe: what is transparent has no colour")
  func scaled() throws {
    let folder = try TestFolder()
    // A white square in the middle; around it, red that nobody may see.
    let pixels = (0..<64).flatMap { index -> [UInt8] in
      let isInside = (2..<6).contains(index % 8) && (2..<6).contains(index / 8)
      return isInside ? [255, 255, 255, 255] : [255, 0, 0, 0]
    }
    var node = overlay(try folder.picture("ring.png", 8, 8, [pixels]))
    node.scale = 5
    let drawn = try result(of: node, on: FlatFrame(.rgba, 40, 40))
    #expect(pixel(20, 20, of: drawn) == [255, 255, 255, 255])
    #expect(pixel(1, 1, of: drawn) == [10, 20, 30, 255])
    for x in 0..<40 {
      let (red, blue) = (Int(pixel(x, 20, of: drawn)[0]), Int(pixel(x, 20, of: drawn)[2]))
      // Between the frame's (10, 30) and white, on a straight line.
      #expect(abs((blue - 30) * 245 / 225 + 10 - red) <= 2, "\(x)")
    }
  }

  @Test("place and opacity change while it runs")
  func live() throws {
    let folder = try TestFolder()
    let harness = NodeHarness(overlay(try folder.png(1, 1, [110, 120, 130, 255])))
    let frame = FlatFrame(.rgba, 3, 1)
    try harness.push(frame.sample())
    #expect(harness.set("x", to: .number(1)) && harness.set("opacity", to: .number(0.5)))
    try harness.push(frame.sample())
    #expect(harness.set("opacity", to: .number(0)))
    try harness.push(frame.sample())
    let samples = try harness.samples()
    #expect(pixel(0, 0, of: samples[0]) == [110, 120, 130, 255])
    #expect(pixel(0, 0, of: samples[1]) == [10, 20, 30, 255])
    #expect(pixel(2, 0, of: samples[1]) == [60, 70, 80, 255])
    #expect(pixel(2, 0, of: samples[2]) == [10, 20, 30, 255])
  }

  @Test("reads JPEG, WebP and SVG as well", arguments: ["jpg", "webp", "svg"])
  func kinds(_ ending: String) throws {
    let folder = try TestFolder()
    let path: String
    if ending == "svg" {
      let svg =
        "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"8\">"
        + "<rect width=\"8\" height=\"8\" fill=\"#c86432\"/></svg>"
      path = try folder.write(Array(svg.utf8), to: "picture.svg")
    } else {
      let pixels = Array(repeatElement([200, 100, 50, 255] as [UInt8], count: 64).joined())
      path = try folder.picture("picture.\(ending)", 8, 8, [pixels])
    }
    let drawn = pixel(4, 4, of: try result(of: overlay(path), on: FlatFrame(.rgba, 8, 8)))
    for (value, wanted) in zip(drawn, [200, 100, 50, 255]) { #expect(abs(Int(value) - wanted) < 6) }
  }

  @Test("says what is wrong with a file before anything runs")
  func errors() throws {
    let folder = try TestFolder()
    let header = PNGChunks.chunk("IHDR", [0, 0, 0x40, 0, 0, 0, 0x40, 0, 8, 6, 0, 0, 0])
    let whole = try folder.png(40, 40, [1, 2, 3, 4])
    let cut = try Data(contentsOf: URL(fileURLWithPath: whole)).prefix(50)
    let still = try folder.picture(
      "one.gif", 1, 1, [[1, 2, 3, 255]])
    let wrong = [
      (folder.path("none.png"), "can't be opened"), (folder.folder, "is a folder"),
      (try folder.write([], to: "empty.png"), "is no picture"),
      (try folder.write(Array("hello".utf8), to: "text.png"), "is no picture"),
      (try folder.write(Array(cut), to: "cut.png"), "ends or breaks at byte "),
      (
        try folder.write(
          PNGChunks.signature + header + PNGChunks.chunk("IDAT", [0x78, 0x9C])
            + PNGChunks.chunk("IEND", []), to: "huge.png"), "16384x16384, which is too large"
      ),
      (still, "is a GIF"),
    ]
    for (path, words) in wrong {
      var node = overlay(path)
      let error = #expect(throws: NodeError.self) { try node.resolve(in: FakeEnvironment()) }
      #expect(error?.message.contains(words) == true, "\(String(describing: error))")
      #expect(error?.key == "path" && error?.remedy.isEmpty == false)
    }
  }

  @Test("refuses layouts that it can't draw on")
  func layout() throws {
    let folder = try TestFolder()
    let node = overlay(try folder.png(1, 1, [1, 2, 3, 4]))
    let format = VideoFormat(.gray8, width: 4, height: 4)
    let sample = CollectedSample(
      SampleBuffer(byteCount: format.frameSize, format: try FormatDescription(.video(format))))
    let error = #expect(throws: NodeError.self) { try NodeHarness(node).push([sample]) }
    #expect(error?.remedy == "put a videoConvert before it")
  }
}
