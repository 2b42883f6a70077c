import Foundation
import GraphKit
import GraphTesting
import TestTools
import Testing

@testable import Nodes

/// A WebVTT file with parts of pictures, read strictly.
struct SpriteMap {
  struct Cue: Equatable {
    var start: Int
    var end: Int
    var file: String
    var rect: [Int]
  }
  struct Invalid: Error { var line: String }

  var cues: [Cue] = []

  init(_ text: String) throws {
    let blocks = text.components(separatedBy: "\n\n")
    guard blocks[0] == "WEBVTT", text.hasSuffix("\n") else { throw Invalid(line: blocks[0]) }
    for block in blocks.dropFirst() {
      let lines = block.split(separator: "\n", omittingEmptySubsequences: true)
      let pattern =
        /(\d\d+):([0-5]\d):([0-5]\d)\.(\d{3}) --> (\d\d+):([0-5]\d):([0-5]\d)\.(\d{3})/
      guard lines.count == 2, let times = lines[0].wholeMatch(of: pattern)?.output,
        let target = lines[1].wholeMatch(of: /([^#]+)#xywh=(\d+),(\d+),(\d+),(\d+)/)?.output
      else { throw Invalid(line: block) }
      func time(_ hours: Substring, _ minutes: Substring, _ seconds: Substring, _ rest: Substring)
        -> Int
      {
        (((Int(hours) ?? 0) * 60 + (Int(minutes) ?? 0)) * 60 + (Int(seconds) ?? 0)) * 1000
          + (Int(rest) ?? 0)
      }
      let cue = Cue(
        start: time(times.1, times.2, times.3, times.4),
        end: time(times.5, times.6, times.7, times.8),
        file: String(target.1),
        rect: [target.2, target.3, target.4, target.5].map { Int($0) ?? -1 })
      guard cue.start < cue.end, cue.start == cues.last?.end ?? 0 else {
        throw Invalid(line: block)
      }
      cues.append(cue)
    }
  }
}

@Suite("sprites", .inTurn) struct SpriteTests {
  private let scratch: TestFolder

  init() throws { scratch = try TestFolder() }

  private func movie() throws -> String {
    let path = scratch.path("in.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=128x96:r=25:d=3 -c:v libx264 -preset veryfast -qp 14 -g 12",
      "-pix_fmt yuv420p", to: path)
    return path
  }

  private func run(_ input: String, _ settings: String) async throws -> Report {
    try await pipeline(
      """
      { "nodes": { "f": { "type": "file", "path": "\(input)" },
                   "t": { "type": "thumbnails", "layout": "sprite", \(settings) } },
        "wires": ["f.video -> t"] }
      """
    ).run()
  }

  @Test("each part of a sprite is the frame of its time")
  func parts() async throws {
    let input = try movie()
    let output = scratch.path("a sprite.jpg")
    let report = try await run(
      input, #""path": "\#(output)", "every": 0.4, "columns": 3, "width": 64, "quality": 95"#)
    #expect(Set(report.outputs.map(\.path)) == [output, scratch.path("a sprite.vtt")])
    let map = try SpriteMap(String(contentsOfFile: scratch.path("a sprite.vtt"), encoding: .utf8))
    #expect(map.cues.map(\.start) == (0..<8).map { $0 * 400 } && map.cues.last?.end == 3000)
    #expect(try pictureSize(output) == "mjpeg,192,144")
    let sprite = try DecodedFrames(of: output, 192, 144).frames[0]
    let all = try DecodedFrames(of: input, 64, 48)
    for (number, cue) in map.cues.enumerated() {
      #expect(cue.file == "a sprite.jpg" && cue.rect[2...] == [64, 48])
      let found = all.nearest(
        to: part(of: sprite, width: 192, x: cue.rect[0], y: cue.rect[1], (64, 48)))
      #expect(found.number == number * 10 && found.psnr > 19, "\(number): \(found)")
    }
  }

  @Test("sprites of several files name each")
  func files() async throws {
    let report = try await run(
      try movie(),
      #""path": "\#(scratch.path("s-{number}.png"))", "count": 5, "columns": 2, "rows": 1, "width": 32"#
    )
    #expect(report.state == .completed && report.outputs.count == 4, "\(report.outputs)")
    let map = try SpriteMap(String(contentsOfFile: scratch.path("s.vtt"), encoding: .utf8))
    #expect(map.cues.map(\.file) == [1, 1, 2, 2, 3].map { "s-0000\($0).png" })
    #expect(map.cues.map { $0.rect[0] } == [0, 32, 0, 32, 0])
    #expect(map.cues.map(\.start) == [0, 600, 1200, 1800, 2400])
    #expect(try pictureSize(scratch.path("s-00003.png")) == "png,32,24")
  }

  @Test("names that mean something in a reference are escaped")
  func references() {
    var captions = SpriteCaptions()
    let place = PictureRect(width: 16, height: 9)
    captions.add("a/100%#.jpg", at: place, from: .zero, seenFrom: "a/b.vtt")
    captions.add("a/c.jpg", at: place, from: MediaTime(value: 1, timescale: 1), seenFrom: "b.vtt")
    let text = captions.text(until: MediaTime(value: 3_661_5, timescale: 10))
    #expect(text.contains("\n100%25%23.jpg#xywh=0,0,16,9\n"))
    #expect(text.contains("00:00:01.000 --> 01:01:01.500\na/c.jpg#xywh=0,0,16,9\n"), "\(text)")
  }
}
