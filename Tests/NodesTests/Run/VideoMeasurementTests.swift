import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

extension FileTests {
  /// Scene cuts, black and frozen stretches are those that ffmpeg finds.
  @Suite struct VideoMeasurementTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Red, then movement, then black, then a fractal.
    private func movie() throws -> String {
      let path = scratch.path("in.mkv")
      try ffmpeg(
        "-f lavfi -i color=red:s=96x64:r=25:d=1.2 -f lavfi -i testsrc2=s=96x64:r=25:d=1.6",
        "-f lavfi -i color=black:s=96x64:r=25:d=1 -f lavfi -i mandelbrot=s=96x64:r=25",
        "-filter_complex [3]trim=duration=0.8[m];[0][1][2][m]concat=n=4,format=yuv420p -c:v ffv1",
        to: path)
      return path
    }

    private func measured(_ node: String, _ input: String) async throws -> [String: [[String:
      Double]]]
    {
      let output = scratch.path("\(UUID().uuidString).json")
      let report = try await pipeline(
        """
        { "nodes": { "f": { "type": "file", "path": "\(input)" }, "d": { "type": "decoder", "media": "video" },
                     "x": { "type": \(node) }, "m": { "type": "measurementSink", "path": "\(output)" } },
          "wires": ["f.video -> d -> x -> m"] }
        """
      ).run()
      #expect(report.state == .completed, "\(report.failure as Any)")
      let data = try Data(contentsOf: URL(filePath: output))
      return try JSONDecoder().decode([String: [[String: Double]]].self, from: data)
    }

    /// What ffmpeg's filter says, a number after each of some words, in order.
    private func said(_ filter: String, _ input: String, _ words: [String]) throws -> [[Double]] {
      let command = "ffmpeg -hide_banner -nostdin -nostats -i \"$1\" -vf \(filter) -f null - 2>&1"
      let text = String(decoding: try tool("sh", ["-c", command, "sh", input]), as: UTF8.self)
      return try words.map { word in
        try text.matches(of: Regex("\(word): ?([0-9.]+)", as: (Substring, Substring).self))
          .compactMap { Double($0.output.1) }
      }
    }

    @Test func sceneCutsAreThoseOfScdet() async throws {
      let input = try movie()
      let cuts = try #require(try await measured(#""sceneCuts""#, input)["cuts"])
      let said = try said("scdet", input, ["scd.time", "scd.score"])
      #expect(said[0].count >= 3 && cuts.map { $0["time"] ?? -1 } == said[0])
      #expect(zip(cuts, said[1]).allSatisfy { abs(($0["score"] ?? -1) - $1) < 0.002 }, "\(cuts)")
      let few = try await measured(#""sceneCuts", "threshold": 45"#, input)["cuts"] ?? []
      #expect(few.count == said[1].count { $0 >= 45 } && few.count < cuts.count)
    }

    @Test func blackIsThatOfBlackdetect() async throws {
      let input = try movie()
      let black = try #require(
        try await measured(#""blackFrames", "duration": 0.5"#, input)["black"])
      let said = try said("blackdetect=d=0.5", input, ["black_start", "black_end"])
      #expect(said == [[2.8], [3.8]])
      #expect(
        black.map { $0["start"] ?? -1 } == said[0] && black.map { $0["end"] ?? -1 } == said[1])
      #expect(try await measured(#""blackFrames", "duration": 1.5"#, input)["black"] == [])
    }

    @Test func freezesAreThoseOfFreezedetect() async throws {
      let input = try movie()
      let freezes = try #require(
        try await measured(#""freeze", "duration": 0.5"#, input)["freezes"])
      let said = try said("freezedetect=d=0.5", input, ["freeze_start", "freeze_end"])
      #expect(said == [[0, 2.8], [1.2, 3.8]])
      #expect(freezes.map { $0["start"] ?? -1 } == said[0])
      #expect(freezes.map { $0["end"] ?? -1 } == said[1])
    }

    /// How many stretches a node finds where frames are of these lumas.
    private func count<N: SwiftNode>(_ node: N, _ lumas: [UInt8], dark: Int = 256) throws -> Int {
      let harness = NodeHarness(node)
      for (number, luma) in lumas.enumerated() {
        let picture = RawPicture(.i420, 16, 16) { plane, row, column in
          plane > 0 ? 128 : row * 16 + column < dark ? luma : 235
        }
        try harness.push(picture.sample(at: Double(number) * 0.04))
      }
      try harness.finish()
      let bytes = try #require(harness.samples().first).bytes
      return String(decoding: bytes, as: UTF8.self).split(separator: "start").count - 1
    }

    @Test func thresholdsAreKept() throws {
      let black = BlackFrames.with { $0.duration = 0.1 }
      // A tenth of the way from 16 to 235 is 37.9.
      for (luma, wanted) in [(UInt8(16), 1), (37, 1), (38, 0)] {
        #expect(try count(black, Array(repeating: luma, count: 5)) == wanted, "\(luma)")
      }
      // 98 % of 256 pixels are 250.9.
      for (dark, wanted) in [(251, 1), (250, 0)] {
        #expect(try count(black, Array(repeating: 16, count: 5), dark: dark) == wanted)
      }
      // A step of luma in 384 bytes of three planes is 1/384, or -51.7 dB.
      let step: [UInt8] = [100, 101, 100, 101, 100]
      for (noise, wanted) in [(-52.0, 0), (-51.0, 1)] {
        let freeze = Freeze.with { ($0.duration, $0.noise) = (0.1, noise) }
        #expect(try count(freeze, step) == wanted, "\(noise)")
      }
    }

    @Test func stretchesThatLastToTheEndEndThere() throws {
      func stretches<N: SwiftNode>(_ node: N) throws -> String {
        let harness = NodeHarness(node)
        for number in 0..<10 {
          let picture = RawPicture.plain(.i420, 16, 16, [16, 128, 128])
          try harness.push(picture.sample(at: Double(number) * 0.04))
        }
        try harness.finish()
        return String(decoding: try #require(harness.samples().first).bytes, as: UTF8.self)
      }
      let wanted = #"{ "duration": 0.4, "end": 0.4, "start": 0 }"#
      #expect(try stretches(BlackFrames.with { $0.duration = 0.2 }).contains(wanted))
      #expect(try stretches(Freeze.with { $0.duration = 0.2 }).contains(wanted))
      #expect(try stretches(SceneCuts()) == #"{ "cuts": [] }"#)
    }
  }
}
