import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("chromaKey", .inTurn) struct ChromaKeyTests {
  /// Green by BT.601, of video range.
  private let green: [UInt8] = [145, 54, 34]

  private func keyed(
    _ front: RawPicture, _ back: RawPicture, _ change: (inout ChromaKey) -> Void = { _ in },
    padding: Int = 0
  ) throws -> RawPicture {
    var node = ChromaKey()
    change(&node)
    let harness = NodeHarness(node)
    try harness.push(front.sample(padding: padding), to: "in")
    try harness.push(back.sample(padding: padding), to: "background")
    try harness.finish()
    return try #require(try harness.samples().first.flatMap(RawPicture.init))
  }

  /// Green, with a square in the middle of it.
  private func front(_ color: [UInt8]) -> RawPicture {
    RawPicture(.i420, 32, 32) { plane, row, column in
      let inside = plane == 0 ? 8..<24 : 4..<12
      return inside.contains(row) && inside.contains(column) ? color[plane] : green[plane]
    }
  }

  @Test("the screen becomes the background, and nothing else does")
  func screen() throws {
    let back = RawPicture.noise(.i420, 32, 32)
    for color: [UInt8] in [[81, 90, 240], [235, 128, 128], [16, 128, 128], [41, 240, 110]] {
      let result = try keyed(front(color), back)
      for plane in 0..<3 {
        let inside = plane == 0 ? 8..<24 : 4..<12
        for (row, values) in result.planes[plane].enumerated() {
          for (column, value) in values.enumerated() {
            let isInside = inside.contains(row) && inside.contains(column)
            #expect(value == (isInside ? color[plane] : back.planes[plane][row][column]))
          }
        }
      }
    }
  }

  @Test("brightness doesn't count, and softness mixes")
  func softness() throws {
    let back = RawPicture.plain(.i420, 32, 32, [16, 128, 128])
    let dark = RawPicture.plain(.i420, 32, 32, [60, 54, 34])
    #expect(try keyed(dark, back) == back)
    // Halfway in distance between similarity and where all is opaque.
    let near = RawPicture.plain(.i420, 32, 32, [116, 54 + 41, 34 + 41])
    let distance = (2.0 * 41 * 41 / (2 * 255 * 255)).squareRoot()
    let half = try keyed(near, back) { ($0.similarity, $0.softness) = (distance - 0.1, 0.2) }
    #expect(abs(Int(half.planes[0][9][9]) - 66) <= 2, "\(half.planes[0][9][9])")
    #expect(try keyed(near, back) { ($0.similarity, $0.softness) = (distance - 0.01, 0) } == near)
    #expect(try keyed(near, back) { ($0.similarity, $0.softness) = (distance + 0.01, 0) } == back)
  }

  @Test("rows that lie further apart, and odd sides, give the same")
  func layouts() throws {
    let (front, back) = (RawPicture.noise(.i420, 33, 19), RawPicture.noise(.i420, 33, 19, seed: 2))
    let tight = try keyed(front, back)
    #expect(try keyed(front, back, padding: 52) == tight && tight != front && tight != back)
  }

  @Test("the picture is that of ffmpeg's chromakey")
  func likeFFmpeg() throws {
    let folder = try TestFolder()
    let back = RawPicture.plain(.i420, 64, 64, [100, 100, 160])
    let front = RawPicture(.i420, 64, 64) { plane, _, column in
      // From green to red, column by column.
      let part = Double(column) / (plane == 0 ? 64 : 32)
      let red: [Double] = [81, 90, 240]
      return UInt8(Double(green[plane]) * (1 - part) + red[plane] * part)
    }
    let files = try [(front, "front.raw"), (back, "back.raw")].map {
      try folder.write($0.0.bytes, to: $0.1)
    }
    let raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "64x64", "-i"]
    let data = try tool(
      "ffmpeg",
      ["-v", "error", "-nostdin"] + raw + [files[1]] + raw + [files[0]]
        + [
          "-filter_complex", "[1]chromakey=0x913622:0.12:0.08:yuv=1[k];[0][k]overlay=format=yuv420",
          "-pix_fmt", "yuv420p", "-f", "rawvideo", "-",
        ])
    let theirs = RawPicture(front.format, bytes: Array(data))
    let ours = try keyed(front, back)
    #expect(psnr(ours.bytes, theirs.bytes) > 32, "\(psnr(ours.bytes, theirs.bytes))")
    #expect(psnr(front.bytes, theirs.bytes) < 22)
  }

  @Test("without a background it is black, and no colour is a problem")
  func edges() throws {
    let harness = NodeHarness(ChromaKey())
    try harness.push(front([81, 90, 240]).sample(at: 1), to: "in")
    try harness.finish("background")
    try harness.finish("in")
    let result = try #require(try harness.samples().first.flatMap(RawPicture.init))
    #expect(result.planes[0][0][0] == 16 && result.planes[0][16][16] == 81)
    #expect(ChromaKey.with { $0.color = "green" }.problem?.key == "color")
  }
}
