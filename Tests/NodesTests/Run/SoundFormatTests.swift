import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// What a file's sound is comes through a decoder, to the plan and to the sink.
  @Suite struct SoundFormatTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    static let cases: [(file: String, codec: String, rate: Int, channels: Int)] = [
      ("mono.m4a", "aac", 44_100, 1), ("slow.m4a", "aac", 8_000, 1),
      ("surround.m4a", "aac", 48_000, 6), ("slow.mp3", "libmp3lame", 22_050, 1),
      ("surround.flac", "flac", 44_100, 6), ("mono.ogg", "libvorbis", 16_000, 1),
      ("mono.opus", "libopus", 48_000, 1), ("stereo.mkv", "ac3", 44_100, 2),
    ]

    private func makeInput(_ sound: (file: String, codec: String, rate: Int, channels: Int)) throws
      -> String
    {
      let path = scratch.path(sound.file)
      let layout = [1: "mono", 2: "stereo", 6: "5.1"][sound.channels] ?? ""
      try ffmpeg(
        "-f lavfi -i sine=f=440:r=\(sound.rate):d=0.5 -af aformat=channel_layouts=\(layout)",
        "-c:a \(sound.codec)", to: path)
      return path
    }

    @Test("decoded sound keeps its rate and channels", arguments: cases.indices)
    func keeps(_ index: Int) async throws {
      let sound = Self.cases[index]
      let (input, output) = (try makeInput(sound), scratch.path("out.wav"))
      let plan = try plan(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> out"] }
        """)
      let last = try #require(plan.inputs(of: "out").first)
      #expect(last.format.sampleRates == [sound.rate] && last.format.channels == [sound.channels])
      #expect(!plan.nodes.contains { $0.parameters.keys.contains("sampleRate") })
      _ = try await Pipeline(plan, environment: LiveEnvironment()).run()
      #expect(try format(of: output) == [sound.rate, sound.channels])
    }

    @Test("an encoder gets the sound as it is")
    func encoded() async throws {
      let input = try makeInput(("mono.m4a", "aac", 44_100, 1))
      let output = scratch.path("out.m4a")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "decode": { "type": "decoder" }, "encode": { "type": "aacEncoder" },
                     "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.audio -> decode -> encode -> movie.audio"] }
        """)
      _ = try await run.run()
      #expect(try format(of: output) == [44_100, 1])
    }

    @Test("what may be twice as fast as it says is left to the run")
    func unknown() async throws {
      let (whole, input) = (scratch.path("a.m4a"), scratch.path("a.aac"))
      try ffmpeg("-f lavfi -i sine=f=440:r=22050:d=0.5 -ac 1 -c:a aac", to: whole)
      try ffmpeg("-i \(whole) -c:a copy", to: input)
      let output = scratch.path("out.m4a")
      let plan = try plan(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
                     "encode": { "type": "aacEncoder" },
                     "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.audio -> encode -> movie.audio"] }
        """)
      let entering = try #require(plan.inputs(of: "encode").first)
      #expect(entering.format.sampleRates.count > 1 && entering.format.channels.count > 1)
      _ = try await Pipeline(plan, environment: LiveEnvironment()).run()
      #expect(try format(of: output) == [22_050, 1])
    }

    @Test("PCM of Matroska, whose frames begin anywhere in the file")
    func matroska() async throws {
      let (whole, input) = (scratch.path("a.wav"), scratch.path("a.mkv"))
      try ffmpeg("-f lavfi -i anoisesrc=d=0.5:r=44100:seed=3 -ac 2 -c:a pcm_s16le", to: whole)
      try ffmpeg("-i \(whole) -c:a copy", to: input)
      var points: [Data] = []
      for path in [whole, input] {
        let output = scratch.path("points\(points.count).dat")
        let run = try pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)" }, "points": { "type": "waveform" },
                       "out": { "type": "peaksSink", "path": "\(output)" } },
            "wires": ["in.audio -> points -> out"] }
          """)
        _ = try await run.run()
        points.append(try Data(contentsOf: URL(fileURLWithPath: output)))
      }
      #expect(points[0].count > 300 && points[0] == points[1])
    }

    private func format(of path: String) throws -> [Int] {
      let words = ["-v", "error", "-show_entries", "stream=sample_rate,channels"]
      let text = String(
        decoding: try tool("ffprobe", words + ["-of", "csv=p=0", path]), as: UTF8.self)
      return text.split(whereSeparator: { ",\n".contains($0) }).compactMap { Int($0) }
    }
  }
}
