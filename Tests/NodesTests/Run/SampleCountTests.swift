import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// A file's sound is decoded to exactly the samples that ffmpeg decodes.
  @Suite struct SampleCountTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    struct Sound: Sendable, CustomTestStringConvertible {
      var file: String
      var options: String
      var rate = 48_000
      var seconds = 1.2345
      var testDescription: String { "\(file) \(options) \(rate) Hz \(seconds) s" }
    }

    static let sounds: [Sound] = [
      Sound(file: "a.m4a", options: "-c:a aac"),
      Sound(file: "a.m4a", options: "-c:a aac", rate: 44_100),
      Sound(file: "a.m4a", options: "-c:a aac", rate: 8_000),
      Sound(file: "a.m4a", options: "-c:a aac", seconds: 0.02),
      Sound(file: "a.m4a", options: "-c:a aac -use_editlist 0"),
      Sound(file: "a.m4a", options: "-c:a aac -movflags +faststart"),
      Sound(file: "a.m4a", options: "-c:a aac -movflags +frag_keyframe+empty_moov"),
      Sound(file: "a.aac", options: "-c:a aac"), Sound(file: "a.mkv", options: "-c:a aac"),
      Sound(file: "a.m4a", options: "-c:a alac"), Sound(file: "a.mp4", options: "-c:a libmp3lame"),
      Sound(file: "a.mp4", options: "-c:a libopus"),
      Sound(file: "a.mp3", options: "-c:a libmp3lame"),
      Sound(file: "a.mp3", options: "-c:a libmp3lame", rate: 44_100),
      Sound(file: "a.mp3", options: "-c:a libmp3lame", rate: 22_050),
      Sound(file: "a.mp3", options: "-c:a libmp3lame -write_xing 0"),
      Sound(file: "a.opus", options: "-c:a libopus"),
      Sound(file: "a.ogg", options: "-c:a libvorbis"),
      Sound(file: "a.ogg", options: "-c:a libvorbis", rate: 44_100),
      Sound(file: "a.ogg", options: "-c:a libvorbis", rate: 44_100, seconds: 2),
      Sound(file: "a.mkv", options: "-c:a libvorbis", rate: 44_100),
      Sound(file: "a.flac", options: "-c:a flac"), Sound(file: "a.wav", options: "-c:a pcm_s16le"),
      Sound(file: "a.mp4", options: "-c:a libopus -use_editlist 0"),
      Sound(file: "a.mp4", options: "-c:a libopus -movflags +frag_keyframe+empty_moov"),
    ]

    private func make(_ sound: Sound) throws -> String {
      let path = scratch.path(sound.file)
      // No channel is silent, and no second like another.
      let wave = "0.4*sin(880*PI*t)+0.2*sin(PI*(200+1800*t)*t)"
      try ffmpeg(
        "-f lavfi -i aevalsrc=\(wave)|\(wave):s=\(sound.rate):d=\(sound.seconds)",
        sound.options, to: path)
      return path
    }

    private func samples(of path: String) throws -> [Int16] {
      integers(Array(try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])))
    }

    private func expectSame(_ one: [Int16], _ other: [Int16]) {
      #expect(one.count == other.count && !one.isEmpty)
      // Decoders differ in their last bits, those of Opus in more; a sample's shift is 1,000.
      #expect(PCM.difference(one, other).most <= 150)
    }

    private func run(_ wires: String, _ nodes: String, from input: String) async throws {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" }, \(nodes) },
          "wires": ["\(wires)"] }
        """)
      #expect(try await run.run().unbalanced == [])
    }

    @Test("a decoder gives what the file presents", arguments: sounds)
    func decoded(_ sound: Sound) async throws {
      let (input, output) = (try make(sound), scratch.path("out.wav"))
      try await run(
        "in.audio -> out", "\"out\": { \"type\": \"wavSink\", \"path\": \"\(output)\" }",
        from: input)
      try expectSame(samples(of: output), samples(of: input))
    }

    @Test("the rounded lengths of packets don't add up")
    func long() async throws {
      let (input, output) = (scratch.path("a.mp3"), scratch.path("out.wav"))
      try ffmpeg(
        "-f lavfi -i anullsrc=r=44100:cl=mono -t 400 -c:a libmp3lame -b:a 32k", to: input)
      try await run(
        "in.audio -> out", "\"out\": { \"type\": \"wavSink\", \"path\": \"\(output)\" }",
        from: input)
      #expect(try PCM.samples(ofWave: output).count == 400 * 44_100)
    }

    @Test("a copy presents what its source presents", arguments: sounds.indices.prefix(9))
    func copied(_ index: Int) async throws {
      let (input, output) = (try make(Self.sounds[index]), scratch.path("out.m4a"))
      try await run(
        "in.audio -> out", "\"out\": { \"type\": \"mp4Sink\", \"path\": \"\(output)\" }",
        from: input)
      try expectSame(samples(of: output), samples(of: input))
      #expect(try packetCount(output) == packetCount(input))
    }

    @Test("a copy of Opus begins with its source's first sample")
    func copiedOpus() async throws {
      let (input, output) = (
        try make(Sound(file: "a.opus", options: "-c:a libopus")), scratch.path("out.m4a")
      )
      try await run(
        "in.audio -> out", "\"out\": { \"type\": \"mp4Sink\", \"path\": \"\(output)\" }",
        from: input)
      let (source, copy) = (try samples(of: input), try samples(of: output))
      expectSame(Array(copy.prefix(source.count)), source)
    }

    private func packetCount(_ path: String) throws -> Int {
      let words = ["-v", "error", "-select_streams", "a", "-show_entries", "packet=size"]
      return try tool("ffprobe", words + ["-of", "csv=p=0", path]).count { $0 == 10 }
    }

    @Test("sound that begins later than the pictures, or with priming, is copied in its place")
    func copiedBesidePictures() async throws {
      for (number, delay) in [("-itsoffset 0.5", ""), ("", "-itsoffset 0.5")].enumerated() {
        let (input, output) = (scratch.path("in\(number).mp4"), scratch.path("out\(number).mp4"))
        try ffmpeg(
          delay.1, "-f lavfi -i testsrc=s=320x180:r=30:d=2", delay.0,
          "-f lavfi -i sine=f=440:r=48000:d=2 -c:v libx264 -bf 2 -pix_fmt yuv420p -c:a aac",
          to: input)
        let run = try pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(input)" },
                       "out": { "type": "mp4Sink", "path": "\(output)" } },
            "wires": ["in.video -> out.video", "in.audio -> out.audio"] }
          """)
        #expect(try await run.run().unbalanced == [])
        try expectSame(samples(of: output), samples(of: input))
        let (before, after) = (try probe(input), try probe(output))
        for (one, other) in zip(before, after) {
          #expect(abs(one.start - other.start) < 0.001 && one.frames == other.frames)
        }
      }
    }
  }
}
