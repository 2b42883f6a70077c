import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("poster", .inTurn) struct PosterTests {
  private let scratch: TestFolder

  init() throws { scratch = try TestFolder() }

  private func run(_ input: String, _ settings: String) async throws -> Report {
    try await reportOf(
      """
      { "nodes": { "f": { "type": "file", "path": "\(input)" },
                   "p": { "type": "poster", \(settings) } }, "wires": ["f.video -> p"] }
      """)
  }

  @Test("the frame at a time, no larger than asked for")
  func time() async throws {
    let input = scratch.path("in.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=128x96:r=25:d=3 -c:v libx264 -preset veryfast -qp 14 -g 12",
      "-pix_fmt yuv420p", to: input)
    let output = scratch.path("poster.png")
    let report = try await run(input, #""path": "\#(output)", "at": 1.3, "width": 64"#)
    #expect(report.state == .completed && report.outputs.map(\.path) == [output])
    #expect(try pictureSize(output) == "png,64,48")
    let all = try DecodedFrames(of: input, 64, 48)
    #expect(all.nearest(to: try DecodedFrames(of: output, 64, 48).frames[0]).number == 32)
    // What is there stays; and what is after the end isn't made.
    #expect(throws: GraphErrors.self) {
      try plan(
        """
        { "nodes": { "f": { "type": "testVideo", "frames": 1 },
                     "p": { "type": "poster", "path": "\(output)" } }, "wires": ["f -> p"] }
        """)
    }
    let late = try await run(input, #""path": "\#(scratch.path("late.jpg"))", "at": 3.01"#)
    #expect(late.failure?.message.contains("ends at 3.0 s") == true, "\(late.failure as Any)")
    #expect(!FileManager.default.fileExists(atPath: scratch.path("late.jpg")))
  }

  @Test("a frame of two fields, small and as it is", arguments: ["", #", "width": 64"#])
  func interlaced(size: String) async throws {
    let input = scratch.path("in.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=s=128x96:r=25:d=2 -c:v libx264 -preset veryfast -qp 14",
      "-x264-params tff=1 -flags +ilme+ildct -pix_fmt yuv420p", to: input)
    let output = scratch.path("poster.png")
    let report = try await run(input, #""path": "\#(output)", "at": 1.3\#(size)"#)
    #expect(report.state == .completed, "\(report.failure as Any)")
    let all = try DecodedFrames(of: input, 64, 48)
    #expect(all.nearest(to: try DecodedFrames(of: output, 64, 48).frames[0]).number == 32)
  }

  /// Frames that a node holds back come at its end, one after the other: the one is kept that the poster
  /// has chosen before.
  @Test("a frame of those that come at once", arguments: [0.5, 0])
  func heldBack(time: Double) async throws {
    let input = scratch.path("in.mp4")
    try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=25:d=1 -c:v libx264 -qp 14", to: input)
    let output = scratch.path("poster.png")
    let report = try await reportOf(
      """
      { "nodes": { "f": { "type": "file", "path": "\(input)" }, "r": { "type": "reverse" },
                   "p": { "type": "poster", "path": "\(output)", "at": \(time) } },
        "wires": ["f.video -> r -> p"] }
      """)
    #expect(report.state == .completed, "\(report.failure as Any)")
    let all = try DecodedFrames(of: input, 64, 48)
    let number = all.nearest(to: try DecodedFrames(of: output, 64, 48).frames[0]).number
    #expect(number == 24 - Int(time * 25))
  }

  /// A sink that takes no more writes what it has: what goes wrong then fails the run.
  @Test("a full disk") func fullDisk() async throws {
    let input = scratch.path("in.mp4")
    try ffmpeg("-f lavfi -i testsrc2=s=64x48:r=25:d=1 -c:v libx264", to: input)
    let output = scratch.path("poster.png")
    try FileManager.default.createSymbolicLink(atPath: output, withDestinationPath: "/dev/full")
    let report = try await run(input, #""path": "\#(output)", "overwrite": true, "at": 0.5"#)
    #expect(report.failure?.message.contains("No space left") == true, "\(report.failure as Any)")
  }

  @Test("the sharpest of the first seconds")
  func sharpest() throws {
    let path = scratch.path("sharp.png")
    let harness = NodeHarness(Poster.with { ($0.path, $0.within) = (path, 2) })
    // Stripes of more and more contrast, the highest at 1.6 s; those after two seconds don't count.
    for (number, contrast) in [10, 40, 20, 90, 60, 100].enumerated() {
      let picture = RawPicture(.i420, 64, 64) { plane, _, column in
        plane > 0 ? 128 : column / 8 % 2 == 0 ? 50 : UInt8(50 + contrast)
      }
      let time = Double(number) * 0.5
      if time < 2 {
        try harness.push(picture.sample(at: time, lasting: 0.5))
      } else {
        #expect(throws: FlowStopped.self) {
          try harness.push(picture.sample(at: time, lasting: 0.5))
        }
        break
      }
    }
    try harness.finish()
    let frame = try DecodedFrames(of: path, 64, 64).frames[0]
    #expect(abs(Int(frame[8 * 3]) - Int((140 - 16) * 255 / 219)) < 4, "\(frame[8 * 3])")
  }

  @Test("no frame is an error, and leaves no file")
  func nothing() throws {
    let path = scratch.path("none.jpg")
    let harness = NodeHarness(Poster.with { $0.path = path })
    let error = #expect(throws: NodeError.self) { try harness.finish() }
    #expect(error?.message.contains("no frame came") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
