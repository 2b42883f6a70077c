import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("watermark", .inTurn) struct WatermarkTests {
  @Test(
    "lies in each corner, as large as the frame says",
    arguments: [
      (Watermark.Corner.topLeft, 10, 10), (.topRight, 170, 10), (.bottomLeft, 10, 80),
      (.bottomRight, 170, 80),
    ])
  func corners(_ corner: Watermark.Corner, _ left: Int, _ top: Int) throws {
    let folder = try TestFolder()
    var node = Watermark()
    node.path = try folder.png(40, 20, [250, 250, 250, 255])
    (node.corner, node.size, node.margin, node.opacity) = (corner, 0.1, 0.1, 1)
    let drawn = try result(of: node, on: FlatFrame(.rgba, 200, 100))
    // A tenth of 200 pixels wide, a tenth of 100 from the edges.
    for (x, y, isInside) in [
      (left, top, true), (left + 19, top + 9, true), (left - 1, top, false),
      (left, top - 1, false), (left + 20, top, false), (left, top + 10, false),
    ] {
      #expect((pixel(x, y, of: drawn)[0] == 250) == isInside, "\(x), \(y)")
    }
  }

  @Test("follows a size that changes on the way")
  func resized() throws {
    let folder = try TestFolder()
    var node = Watermark()
    node.path = try folder.png(10, 10, [250, 250, 250, 255])
    (node.corner, node.size, node.margin, node.opacity) = (.topLeft, 0.5, 0, 1)
    let harness = NodeHarness(node)
    for width in [8, 20] { try harness.push(FlatFrame(.rgba, width, 20).sample()) }
    let white = try harness.samples().map { sample in
      (0..<10).filter { pixel(min($0, 7), 0, of: sample)[0] == 250 && $0 < 8 }.count
    }
    #expect(white == [4, 8])
  }
}
