import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Loudness as ffmpeg's `ebur128` measures it.
  @Suite struct LoudnessTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    struct Values: Decodable {
      var integrated: Double?
      var range: Double
      var truePeak: Double?
    }

    struct Sound: Sendable, CustomTestStringConvertible {
      var layout: String
      var rate: Int
      var codec = "pcm_s24le"
      var testDescription: String { "\(layout) \(rate) Hz \(codec)" }
    }

    static let sounds = [
      Sound(layout: "mono", rate: 44_100), Sound(layout: "mono", rate: 48_000),
      Sound(layout: "stereo", rate: 44_100), Sound(layout: "stereo", rate: 48_000),
      Sound(layout: "5.1", rate: 44_100), Sound(layout: "5.1", rate: 48_000),
      Sound(layout: "5.1", rate: 48_000, codec: "flac"),
    ]

    /// Each channel has a tone and a level of its own, so that none can be taken for another; the
    /// effects channel is by far the loudest and counts for nothing.
    private func make(_ sound: Sound) throws -> String {
      let path = scratch.path(sound.codec == "flac" ? "a.flac" : "a.wav")
      let levels = ["mono": [0.3], "stereo": [0.3, 0.05]][sound.layout]
      let waves = (levels ?? [0.1, 0.03, 0.05, 0.9, 0.2, 0.01]).enumerated().map { channel, level in
        "\(level)*(0.6+0.4*sin(PI*t/2))*sin(2*PI*\(500 + 300 * channel)*t)"
      }
      try ffmpeg(
        "-f lavfi -i aevalsrc=\(waves.joined(separator: "|")):s=\(sound.rate):d=12"
          + ":c=\(sound.layout) -c:a \(sound.codec)", to: path)
      return path
    }

    private func measure(_ input: String) async throws -> Values {
      let output = scratch.path("loudness.json")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "loudness": { "type": "loudness" },
                     "out": { "type": "measurementSink", "path": "\(output)", "overwrite": true } },
          "wires": ["in.audio -> loudness -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      let text = try String(contentsOfFile: output, encoding: .utf8)
      #expect(text.hasSuffix("}\n") && text.count { $0 == "\n" } == 1)
      return try JSONDecoder().decode(Values.self, from: Data(text.utf8))
    }

    /// A number of the summary that `ebur128` writes to its log.
    private func reference(_ path: String) throws -> Values {
      let words = "ffmpeg -nostdin -hide_banner -i \"$1\" -af ebur128=peak=true -f null - 2>&1"
      let log = String(decoding: try tool("sh", ["-c", words, "sh", path]), as: UTF8.self)
      let summary = log.components(separatedBy: "Summary:").last ?? ""
      func value(_ name: String) -> Double? {
        summary.split(separator: "\n").first { $0.contains("\(name):") }?
          .split(separator: ":").last?.split(separator: " ").first.flatMap { Double($0) }
      }
      return Values(
        integrated: value("I"), range: value("LRA") ?? .nan, truePeak: value("Peak"))
    }

    @Test(arguments: sounds)
    func agreesWithFFmpeg(_ sound: Sound) async throws {
      let input = try make(sound)
      let (ours, theirs) = (try await measure(input), try reference(input))
      let (loudness, peak) = (try #require(ours.integrated), try #require(ours.truePeak))
      #expect(abs(loudness - (theirs.integrated ?? .nan)) <= 0.1, "\(ours) \(theirs)")
      #expect(abs(peak - (theirs.truePeak ?? .nan)) <= 0.1, "\(ours) \(theirs)")
      #expect(abs(ours.range - theirs.range) <= 0.1, "\(ours) \(theirs)")
    }

    @Test(
      "of seven and eight channels, each counts as in ffmpeg", arguments: ["6.1", "7.1"],
      ["flac", "wav"])
    func manyChannels(layout: String, format: String) async throws {
      let count = layout == "6.1" ? 7 : 8
      for loud in 2..<count {
        let path = scratch.path("\(loud).\(format)")
        let waves = (0..<count).map { $0 == loud ? "0.3*sin(2*PI*500*t)" : "0.001*sin(2*PI*500*t)" }
        try ffmpeg(
          "-f lavfi -i aevalsrc=\(waves.joined(separator: "|")):s=48000:d=1:c=\(layout)", to: path)
        let (ours, theirs) = (try await measure(path), try reference(path))
        let loudness = try #require(ours.integrated)
        #expect(abs(loudness - (theirs.integrated ?? .nan)) <= 0.1, "\(loud): \(ours) \(theirs)")
      }
    }

    @Test func silenceHasNoLoudness() async throws {
      let path = scratch.path("silence.wav")
      try ffmpeg("-f lavfi -i anullsrc=r=48000:cl=stereo -t 2", to: path)
      let values = try await measure(path)
      #expect(values.integrated == nil && values.truePeak == nil && values.range == 0)
    }

    @Test("loudness and a waveform share the decoders of the stream's runs")
    func oneDecode() async throws {
      let input = scratch.path("a.flac")
      try ffmpeg("-f lavfi -i sine=f=440:r=48000:d=2 -ac 2", to: input)
      let plan = try plan(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "loudness": { "type": "loudness" }, "waveform": { "type": "waveform" },
                     "values": { "type": "measurementSink", "path": "\(scratch.path("a.json"))" },
                     "points": { "type": "peaksSink", "path": "\(scratch.path("a.dat"))" } },
          "wires": ["in.audio -> loudness -> values", "in.audio -> waveform -> points"] }
        """)
      let decoders = plan.nodes.filter { $0.type.role == .decoder }.map(\.name)
      let splits = plan.nodes.filter { $0.name.hasPrefix("split:") }
      #expect(decoders.count >= 2 && splits.count == 1)
      for decoder in decoders {
        let wires = plan.wires.filter { $0.from.node == decoder }
        #expect(wires.count == 2)
      }
      let report = try await Pipeline(plan, environment: LiveEnvironment()).run()
      #expect(report.unbalanced == [])
      let text = try String(contentsOfFile: scratch.path("a.json"), encoding: .utf8)
      #expect(text.contains("\"integrated\": -"), "\(text)")
      // 96,000 samples make 375 points of 256.
      let points = try Data(contentsOf: URL(fileURLWithPath: scratch.path("a.dat")))
      #expect(points.count == 20 + 375 * 4)
    }
  }
}
