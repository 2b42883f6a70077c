import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension RunTests {
  /// Graphs of audio effects, judged by ffmpeg.
  @Suite struct SoundGraphTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Speech-like sound: tones that come and go, of a loudness of about -30 LUFS.
    private func makeInput(_ name: String, seconds: Int = 3, options: String = "") throws -> String
    {
      let path = scratch.path(name)
      let wave = "0.08*(0.6+0.4*sin(3*t))*sin(2*PI*330*t)+0.02*sin(2*PI*2100*t)"
      try ffmpeg(
        "-f lavfi -i aevalsrc=\(wave)|\(wave):s=48000:d=\(seconds):c=stereo \(options)", to: path)
      return path
    }

    /// Integrated loudness and true peak, as ffmpeg measures them.
    private func measure(_ path: String) throws -> (loudness: Double, peak: Double) {
      let words = "ffmpeg -nostdin -hide_banner -i \"$1\" -af ebur128=peak=true -f null - 2>&1"
      let log = String(decoding: try tool("sh", ["-c", words, "sh", path]), as: UTF8.self)
      let summary = log.components(separatedBy: "Summary:").last ?? ""
      func value(_ name: String) -> Double {
        summary.split(separator: "\n").first { $0.contains("\(name):") }?
          .split(separator: ":").last?.split(separator: " ").first.flatMap { Double($0) } ?? .nan
      }
      return (value("I"), value("Peak"))
    }

    private func normalize(_ input: String, _ parameters: String) async throws -> String {
      let output = scratch.path("out-\(UUID().uuidString).wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "level": { "type": "loudnessNormalize", \(parameters) },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> level -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      return output
    }

    /// Frames of a WAV file.
    private func frames(_ path: String) throws -> Int? {
      let words = ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", path]
      let text = String(decoding: try tool("ffprobe", words), as: UTF8.self)
      return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test(
      "reaches the target in ffmpeg's measure",
      arguments: [("pcm_s16le", -16.0), ("pcm_f32le", -23), ("pcm_s16le", -40)])
    func loudness(codec: String, target: Double) async throws {
      let input = try makeInput("in.wav", options: "-c:a \(codec)")
      let output = try await normalize(input, "\"target\": \(target)")
      let found = try measure(output)
      #expect(abs(found.loudness - target) <= 0.1, "\(found)")
      #expect(try frames(output) == 144_000)
    }

    @Test("stays at the ceiling where the target would exceed it")
    func ceiling() async throws {
      let output = try await normalize(
        makeInput("in.wav"), "\"target\": -5, \"ceiling\": -3, \"limiter\": false")
      let found = try measure(output)
      #expect(abs(found.peak + 3) <= 0.1 && found.loudness < -6, "\(found)")
    }

    @Test("says where there is no room any more for the temporary file")
    func noFolder() async throws {
      let folder = scratch.path("nowhere")
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "testAudio", "live": false, "seconds": 1 },
                     "level": { "type": "loudnessNormalize", "folder": "\(folder)" },
                     "out": { "type": "nullSink" } }, "wires": ["in -> level -> out"] }
        """)
      try FileManager.default.removeItem(atPath: folder)
      let failure = await #expect(throws: RunError.self) { try await run.run() }
      #expect(failure.map { "\($0)".hasPrefix("level: ") && "\($0)".contains(folder) } == true)
    }

    @Test("says so where the ceiling keeps it from the target")
    func shortfall() async throws {
      let input = try makeInput("in.wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "level": { "type": "loudnessNormalize", "target": -5, "ceiling": -6,
                                "limiter": false },
                     "out": { "type": "wavSink", "path": "\(scratch.path("loud.wav"))" } },
          "wires": ["in.audio -> level -> out"] }
        """)
      let warnings = try await run.run().warnings ?? []
      let found = try measure(scratch.path("loud.wav"))
      let reached = (found.loudness * 10).rounded() / 10
      #expect(found.loudness < -5.5 && abs(found.peak + 6) <= 0.2, "\(found)")
      #expect(warnings.count == 1 && warnings[0].node == "level")
      let text = warnings[0].message
      #expect(
        text.hasPrefix("its loudness is -") && text.contains(" LU below the target of -5.0 LUFS"))
      let told = text.split(separator: " ").dropFirst(3).first.flatMap { Double($0) }
      #expect(abs((told ?? 0) - reached) <= 0.11, "\(text)")
    }

    /// Beats of a drum, so short that their peaks are far above the loudness.
    private func makeBeats(_ format: String) throws -> String {
      let path = scratch.path("beats.wav")
      let wave =
        "0.03*sin(2*PI*300*t)+0.7*exp(-mod(t\\,0.5)*80)*sin(2*PI*2500*t)"
      try ffmpeg(
        "-f lavfi -i aevalsrc=\(wave)|\(wave):s=48000:d=1.5:c=stereo -c:a pcm_\(format)le", to: path
      )
      return path
    }

    @Test(
      "meets the target with a limiter where gain alone would clip", arguments: ["s16", "f32"])
    func limited(format: String) async throws {
      let input = try makeBeats(format)
      let before = try measure(input)
      #expect(before.peak + (-16 - before.loudness) > -1.5, "\(before)")
      let output = scratch.path("limited.wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "level": { "type": "loudnessNormalize", "target": -16, "ceiling": -1.5 },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> level -> out"] }
        """)
      let report = try await run.run()
      let found = try measure(output)
      #expect(abs(found.loudness + 16) <= 0.2 && found.peak <= -1.4, "\(found)")
      #expect(try frames(output) == 72_000)
      let text = report.warnings?.first?.message ?? ""
      let loudness = "\((before.loudness * 10).rounded() / 10)"
      #expect(text.hasPrefix("its loudness was \(loudness) LUFS and is -1"), "\(text)")
      #expect(text.contains("a limiter at -1.5 dBTP that took up to "), "\(text)")
    }

    @Test("says how far the target is where limiting doesn't reach it")
    func outOfReach() async throws {
      let input = try makeInput("in.wav")
      let output = scratch.path("out.wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "level": { "type": "loudnessNormalize", "target": -3, "ceiling": -6 },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> level -> out"] }
        """)
      let text = try await run.run().warnings?.first?.message ?? ""
      let found = try measure(output)
      #expect(found.peak <= -5.9, "\(found)")
      #expect(text.contains(" LU below the target of -3.0 LUFS; lower the target"), "\(text)")
    }

    /// It goes through all of the audio several times, and nothing moves meanwhile.
    @Test("works longer than a stall may last")
    func longWork() async throws {
      let input = scratch.path("long.wav")
      let wave = "0.3*sin(2*PI*440*t)*(0.5+0.5*sin(t))"
      try ffmpeg("-f lavfi -i aevalsrc=\(wave)|\(wave):s=48000:d=8 -c:a pcm_s16le", to: input)
      var configuration = Pipeline.Configuration()
      configuration.stallTimeout = 1
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "level": { "type": "loudnessNormalize", "target": -3, "ceiling": -6 },
                     "out": { "type": "wavSink", "path": "\(scratch.path("out.wav"))" } },
          "wires": ["in.audio -> level -> out"] }
        """, configuration: configuration)
      let report = try await run.run()
      #expect(try frames(scratch.path("out.wav")) == 8 * 48_000 && report.state == .completed)
    }

    @Test("refuses a live source before anything runs")
    func live() throws {
      let error = #expect(throws: GraphErrors.self) {
        try plan(
          """
          { "nodes": { "in": { "type": "testAudio", "live": true }, "g": { "type": "gain" },
                       "level": { "type": "loudnessNormalize" }, "out": { "type": "nullSink" } },
            "wires": ["in -> g -> level -> out"] }
          """)
      }
      #expect("\(String(describing: error))".contains("`in` is live"))
    }

    @Test("converts inputs of other formats, mixes them and ends with the longest")
    func mix() async throws {
      let (first, second) = (scratch.path("a.wav"), scratch.path("b.flac"))
      try ffmpeg("-f lavfi -i sine=f=440:r=48000:d=3 -ac 2", to: first)
      try ffmpeg("-f lavfi -i sine=f=660:r=44100:d=1 -ac 1", to: second)
      let output = scratch.path("mixed.wav")
      let run = try pipeline(
        """
        { "nodes": { "a": { "type": "file", "path": "\(first)" },
                     "b": { "type": "file", "path": "\(second)" },
                     "mix": { "type": "mixAudio", "gains": [-6, -12] },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["a.audio -> mix.in", "b.audio -> mix.in.2", "mix -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      #expect(try frames(output) == 144_000)
    }

    @Test("ends with its first input though another goes on for ever")
    func endless() async throws {
      let output = scratch.path("first.wav")
      let run = try pipeline(
        """
        { "nodes": { "talk": { "type": "testAudio", "seconds": 2 },
                     "noise": { "type": "testAudio", "wave": "white-noise" },
                     "mix": { "type": "mixAudio", "gains": [0, -30], "duration": "first" },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["talk -> mix.in", "noise -> mix.in.2", "mix -> out"] }
        """)
      let report = try await run.run()
      #expect(report.unbalanced == [] && report.state == .completed)
      #expect(try frames(output) == 96_000)
    }

    @Test("a fork that joins again in a mixer, beside a limiter's look-ahead, doesn't stand still")
    func fork() async throws {
      let output = scratch.path("forked.wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "testAudio", "live": false, "seconds": 5 },
                     "limit": { "type": "limiter", "lookAhead": 100, "ceiling": 0 },
                     "mix": { "type": "mixAudio", "gains": [-6.0206, -6.0206] },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in -> mix.in", "in -> limit -> mix.in.2", "mix -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      #expect(try frames(output) == 240_000)
    }

    @Test("resamples what is no number as silence", arguments: ["f32le", "f64le"])
    func resampleNonNumbers(format: String) async throws {
      let (input, output) = (scratch.path("in.wav"), scratch.path("out.wav"))
      // The wave isn't a number for a while, and then infinite.
      let wave = "if(between(t\\,0.3\\,0.31)\\,0/0\\,if(between(t\\,0.5\\,0.51)\\,1/0\\,0.25))"
      try ffmpeg("-f lavfi -i aevalsrc=\(wave):s=48000:d=1 -c:a pcm_\(format)", to: input)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "rate": { "type": "resample", "sampleRate": 44100 },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> rate -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      func samples(_ path: String) throws -> [Float] {
        let words = ["-v", "error", "-i", path, "-f", "f32le", "-"]
        return floats([UInt8](try tool("ffmpeg", words)))
      }
      #expect(try samples(input).contains { !$0.isFinite })
      let found = try samples(output)
      let areNumbers = found.allSatisfy { abs($0) < 0.5 }
      #expect(areNumbers && found.count > 44_000)
      #expect(abs(found[13_450]) < 0.01 && abs(found[20_000] - 0.25) < 0.01)
    }

    @Test(
      "resamples sound to where it was",
      arguments: [(48_000, 44_100), (44_100, 48_000), (48_000, 16_000), (8000, 48_000)])
    func resample(from: Int, to: Int) async throws {
      let (input, output) = (scratch.path("in.wav"), scratch.path("out.wav"))
      try ffmpeg("-f lavfi -i sine=f=440:r=\(from):d=2", to: input)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "rate": { "type": "resample", "sampleRate": \(to) },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> rate -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      // GStreamer's resampler leaves out what would end behind the last frame of the old rate.
      let missing: Int = try 2 * to - (frames(output) ?? 0)
      #expect(missing >= 0 && missing < (to + from - 1) / from, "\(missing)")
      let found = try PCM.samples(ofWave: output)
      // ffmpeg's tone has an eighth of full scale; half a frame is allowed.
      let errors = (1000..<to).map { frame in
        abs(4096 * sin(2 * .pi * 440 * Double(frame) / Double(to)) - Double(found[frame]))
      }
      let half = 4096 * .pi * 440 / Double(to)
      #expect(errors.max() ?? .infinity < half, "\(errors.max() ?? -1)")
    }
  }
}
