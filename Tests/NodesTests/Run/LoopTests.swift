import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Files that are played several times, beside what ffmpeg decodes of them once.
  @Suite struct LoopTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func run(_ nodes: String, _ wires: String) async throws {
      let run = try pipeline(#"{ "nodes": { \#(nodes) }, "wires": [\#(wires)] }"#)
      #expect(try await run.run().unbalanced == [])
    }

    private func sound(of path: String, _ words: String) async throws -> [Int16] {
      let output = scratch.path("\(UUID().uuidString).wav")
      try await run(
        #""in": { "type": "file", "path": "\#(path)", \#(words) }, "#
          + #""out": { "type": "wavSink", "path": "\#(output)" }"#, #""in.audio -> out""#)
      return try decodedSound(of: output)
    }

    @Test(
      "audio goes on with its first sample after its last",
      arguments: [
        "a.wav -c:a pcm_s16le", "a.flac -sample_fmt s16", "a.m4a -c:a aac -aac_pns 0",
        "a.mp3 -c:a libmp3lame", "a.ogg -c:a libvorbis",
      ])
    func sounds(_ file: String) async throws {
      let words = file.split(separator: " ", maxSplits: 1).map(String.init)
      let path = scratch.path(words[0])
      try ffmpeg(
        "-f lavfi -i aevalsrc=0.3*sin(2771*t)+0.1*sin(911*t):s=48000:d=1.2345 -ac 1", words[1],
        to: path)
      let once = try decodedSound(of: path)
      let wanted = once + once + once
      let got = try await sound(of: path, #""loop": 3"#)
      #expect(got.count == wanted.count)
      #expect(zip(got, wanted).map { abs(Int($0) - Int($1)) }.max() ?? .max <= 2)
    }

    @Test("WAV is as ffmpeg's -stream_loop has it, and so is a part")
    func wave() async throws {
      let (path, theirs) = (scratch.path("noise.wav"), scratch.path("theirs.wav"))
      try ffmpeg("-f lavfi -i anoisesrc=r=48000:d=0.777:seed=1 -ac 1 -c:a pcm_s16le", to: path)
      try ffmpeg("-stream_loop 2 -i", path, "-c:a pcm_s16le", to: theirs)
      #expect(try await sound(of: path, #""loop": 3"#) == decodedSound(of: theirs))
      let part = Array(try decodedSound(of: path)[9_600..<14_400])
      let words = #""from": 0.2, "to": 0.3, "loop": 4"#
      #expect(try await sound(of: path, words) == part + part + part + part)
    }

    private static let frameSize = 96 * 64 * 3 / 2

    private func pictures(of path: String, _ words: String...) throws -> [Data] {
      let data = try tool(
        "ffmpeg",
        ["-v", "error"] + words + ["-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p", "-"])
      return stride(from: 0, to: data.count, by: Self.frameSize).map {
        data[$0..<($0 + Self.frameSize)]
      }
    }

    @Test("frames keep their order and their rate")
    func frames() async throws {
      let path = scratch.path("v.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=96x64:r=25:d=0.6 -pix_fmt yuv420p -c:v libx264 -bf 2 -g 10",
        to: path)
      let once = try pictures(of: path)
      #expect(once.count == 15)
      let (frames, movie) = (scratch.path("frames.yuv"), scratch.path("out.mp4"))
      try await run(
        #""in": { "type": "file", "path": "\#(path)", "loop": 3 }, "#
          + #""v": { "type": "h264Encoder" }, "m": { "type": "mp4Sink", "path": "\#(movie)" }, "#
          + #""out": { "type": "gst", "element": "filesink", "#
          + #""properties": { "location": "\#(frames)" } }"#,
        #""in.video -> out", "in.video -> v -> m""#)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: frames))
      #expect(bytes == Data((once + once + once).joined()))
      let stream = try #require(try probe(movie).first)
      #expect(stream.frames == 45 && abs(stream.end - 1.8) < 0.0001, "\(stream)")
    }

    @Test("each time audio and video begin together, as with ffmpeg's -stream_loop")
    func together() async throws {
      let (path, ours) = (scratch.path("both.mp4"), scratch.path("ours.mp4"))
      try ffmpeg(
        "-f lavfi -i color=black:s=96x64:r=25:d=1,drawbox=c=white:t=fill:enable='lt(t,0.03)'",
        "-f lavfi -i aevalsrc='lt(t,0.02)*sin(6000*t)':s=48000:d=0.8 -c:v libx264",
        "-pix_fmt yuv420p -c:a aac", to: path)
      try await run(
        #""in": { "type": "file", "path": "\#(path)", "loop": 3 }, "v": { "type": "h264Encoder" }, "#
          + #""a": { "type": "aacEncoder" }, "m": { "type": "mp4Sink", "path": "\#(ours)" }"#,
        #""in.video -> v -> m.video", "in.audio -> a -> m.audio""#)
      let bright = try pictures(of: ours).enumerated().filter { $0.element.first ?? 0 > 150 }
        .map(\.offset)
      let theirs = try pictures(of: path, "-stream_loop", "2").enumerated()
        .filter { $0.element.first ?? 0 > 150 }.map(\.offset)
      #expect(bright == [0, 25, 50] && bright == theirs)
      let levels = try decodedSound(of: ours).map { abs(Int($0)) }
      for start in [0, 48_000, 96_000] {
        let loud = try #require(levels[start...].firstIndex { $0 > 3_000 })
        #expect(loud - start < 100, "\(start)")
      }
    }

    @Test("without end, it is played until what follows has enough")
    func endless() async throws {
      let (path, output) = (scratch.path("short.flac"), scratch.path("long.wav"))
      try ffmpeg("-f lavfi -i sine=d=0.3:r=48000", to: path)
      try await run(
        #""in": { "type": "file", "path": "\#(path)", "loop": 0 }, "#
          + #""t": { "type": "trim", "duration": 2 }, "#
          + #""out": { "type": "wavSink", "path": "\#(output)" }"#, #""in -> t -> out""#)
      #expect(try decodedSound(of: output).count == 96_000)
    }

    @Test(
      "what can't be played again is refused in words",
      arguments: [
        (
          #""type": "tsSink", "path": "c.ts""#, #""loop": 2"#,
          "gives raw audio, but `out.audio` takes encoded audio"
        ),
        (#""type": "loudnessNormalize""#, #""loop": 0"#, "`in` has no end"),
        (#""type": "nullSink""#, #""loop": -1"#, "loop"),
      ])
    func refuses(_ node: String, _ words: String, _ message: String) throws {
      let path = scratch.path("sine.m4a")
      try ffmpeg("-f lavfi -i sine=d=0.2:r=48000 -c:a aac", to: path)
      let isEffect = node.contains("Normalize")
      let error = #expect(throws: GraphErrors.self) {
        try plan(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)", \(words) },
              "out": { \(node) }\(isEffect ? #", "n": { "type": "nullSink" }"# : "") },
            "wires": ["in.audio -> out\(isEffect ? " -> n" : "")"] }
          """)
      }
      #expect("\(try #require(error))".contains(message), "\(error.map { "\($0)" } ?? "")")
    }

    @Test("a picture has no length to repeat")
    func picture() throws {
      let path = scratch.path("still.png")
      try ffmpeg("-f lavfi -i testsrc2=s=32x16 -frames:v 1", to: path)
      let error = #expect(throws: GraphErrors.self) {
        try plan(
          """
          { "nodes": { "in": { "type": "file", "path": "\(path)", "loop": 5 },
              "out": { "type": "nullSink" } }, "wires": ["in.video -> out"] }
          """)
      }
      #expect("\(try #require(error))".contains("is a picture, which has no length"))
    }
  }
}
