import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

@Suite("sticker", .inTurn) struct StickerTests {
  private static let colors: [[UInt8]] = [
    [250, 0, 0, 255], [0, 250, 0, 255], [0, 0, 250, 255], [250, 250, 0, 255],
  ]

  /// Four pictures of a colour each, a tenth of a second long.
  private func animation(_ name: String, in folder: TestFolder, plays: Int = 0) throws -> String {
    let frames = Self.colors.map { Array(repeatElement($0, count: 64).joined()) }
    let options =
      name.hasSuffix("gif")
      ? ["-loop", plays == 0 ? "0" : plays == 1 ? "-1" : "\(plays - 1)"]
      : ["-f", "apng", "-plays", "\(plays)"]
    return try folder.picture(name, 8, 8, frames, options: options)
  }

  private func sticker(_ path: String) -> Sticker {
    var sticker = Sticker()
    sticker.path = path
    return sticker
  }

  /// Which of the colours is seen at a time; -1 for none.
  private func color(_ node: Sticker, at seconds: Double) throws -> Int {
    let seen = pixel(4, 4, of: try result(of: node, on: FlatFrame(.rgba, 8, 8), at: seconds))
    return Self.colors.firstIndex { color in
      zip(color, seen).allSatisfy { abs(Int($0) - Int($1)) < 12 }
    } ?? -1
  }

  @Test("shows the picture of the time", arguments: ["star.gif", "star.png"])
  func times(_ name: String) throws {
    let folder = try TestFolder()
    var node = sticker(try animation(name, in: folder))
    (node.from, node.until) = (1, 3)
    let wanted = [
      (0.0, -1), (0.999, -1), (1.0, 0), (1.099, 0), (1.1, 1), (1.25, 2), (1.39, 3), (1.4, 0),
      (2.51, 3), (2.999, 3), (3.0, -1), (99.0, -1),
    ]
    for (seconds, index) in wanted {
      #expect(try color(node, at: seconds) == index, "\(seconds)")
    }
  }

  @Test("plays as often as the file says, or as it is told", arguments: ["star.gif", "star.png"])
  func plays(_ name: String) throws {
    let folder = try TestFolder()
    var node = sticker(try animation(name, in: folder, plays: 2))
    #expect(try color(node, at: 0.65) == 2 && color(node, at: 0.85) == 3)
    #expect(try color(node, at: 5.05) == 3)
    node.plays = 0
    #expect(try color(node, at: 5.45) == 2)
    node.plays = 1
    #expect(try color(node, at: 0.45) == 3)
  }

  @Test("a picture that doesn't move is a sticker too")
  func still() throws {
    let folder = try TestFolder()
    let node = sticker(try folder.png(8, 8, Self.colors[1]))
    #expect(try color(node, at: 7) == 1)
  }

  @Test("the parts of an animated PNG are put and blended, and taken away")
  func parts() throws {
    let folder = try TestFolder()
    // ffmpeg writes only the part that changes: here one pixel, which turns transparent.
    var second = [UInt8](repeating: 200, count: 256)
    second[4 * 27 + 3] = 0
    let frames = [[UInt8](repeating: 200, count: 256), second, second]
    let path = try folder.picture("parts.png", 8, 8, frames, options: ["-f", "apng"])
    let animation = try Animation(path)
    #expect(animation.pictures.count == 3 && animation.ends.last == 300_000_000)
    #expect(animation.pictures[0].pixels[4 * 27 + 3] == 200)
    #expect(animation.pictures[1].pixels[4 * 27 + 3] == 0)
    #expect(animation.pictures[1].pixels[4 * 28 + 3] == 200)
  }

  @Test("broken files are refused, wherever they break", arguments: ["star.gif", "star.png"])
  func broken(_ name: String) throws {
    let folder = try TestFolder()
    let whole = try Data(contentsOf: URL(fileURLWithPath: animation(name, in: folder)))
    var errors = 0
    for length in stride(from: 14, to: whole.count - 20, by: 31) {
      let path = try folder.write(Array(whole.prefix(length)), to: "cut-\(name)")
      // Some cuts leave whole pictures; none may crash, and what is wrong is said.
      do { _ = try Animation(path) } catch {
        errors += 1
        #expect(error.key == "path" && error.message.contains("cut-"))
      }
    }
    #expect(errors > 0)
  }

  @Test("appears when it is asked for while it runs")
  func live() throws {
    let folder = try TestFolder()
    let harness = NodeHarness(sticker(try animation("star.gif", in: folder)))
    let frame = FlatFrame(.rgba, 8, 8)
    #expect(harness.set("from", to: .number(100)))
    try harness.push(frame.sample(at: 2))
    #expect(harness.set("from", to: .number(3)))
    try harness.push(frame.sample(at: 3.1))
    let samples = try harness.samples()
    #expect(pixel(4, 4, of: samples[0]) == pixel(4, 4, of: CollectedSample(try frame.sample())))
    #expect(
      zip(pixel(4, 4, of: samples[1]), Self.colors[1]).allSatisfy {
        $0.distance(to: $1).magnitude < 12
      })
  }

  @Test("times that leave no time are refused")
  func reversed() {
    var node = sticker("a.gif")
    (node.from, node.until) = (2, 1)
    #expect(node.problem?.key == "until")
  }
}
