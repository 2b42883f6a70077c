import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// Every file's samples reach a reducer, as many and the same as ffmpeg decodes.
  @Suite struct ReadingTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    struct Sound: Sendable, CustomTestStringConvertible {
      var file: String
      var options: String
      /// How far values may differ, and which part of them by more than 2.
      var most = 0
      var part = 0.0
      var channels = 2
      var seconds = 0.6
      var testDescription: String { "\(file) \(options)" }
    }

    /// PCM and lossless codecs are exact. Of floating-point samples, as decoders make them, ffmpeg
    /// rounds the 32,768th part and libsndfile cuts off the 32,767th, as `waveform` does.
    static let sounds: [Sound] = [
      Sound(file: "u8.wav", options: "-c:a pcm_u8"), Sound(file: "s16.wav", options: ""),
      Sound(file: "s24.wav", options: "-c:a pcm_s24le"),
      Sound(file: "s32.wav", options: "-c:a pcm_s32le"),
      Sound(file: "f32.wav", options: "-c:a pcm_f32le", most: 2),
      Sound(file: "f64.wav", options: "-c:a pcm_f64le", most: 2),
      Sound(file: "extensible.wav", options: "", channels: 6),
      Sound(file: "rf64.wav", options: "-rf64 always"),
      Sound(file: "a.aiff", options: "-c:a pcm_s16be"),
      Sound(file: "s8.aiff", options: "-c:a pcm_s8"),
      Sound(file: "s24.aiff", options: "-c:a pcm_s24be"),
      Sound(file: "sowt.aiff", options: "-c:a pcm_s16le"),
      Sound(file: "a.flac", options: "-c:a flac -sample_fmt s16"),
      Sound(file: "s24.flac", options: "-c:a flac -sample_fmt s32 -strict -2"),
      Sound(file: "a.oga", options: "-c:a flac"), Sound(file: "a.mkv", options: "-c:a flac"),
      Sound(file: "a.mp3", options: "-c:a libmp3lame", most: 2),
      Sound(file: "b.mp3", options: "-c:a libmp3lame -write_xing 0", most: 2),
      Sound(file: "a.ogg", options: "-c:a libvorbis", most: 2, seconds: 1.2345),
      // The decoders are two programs: at the very beginning they differ most.
      Sound(file: "a.opus", options: "-c:a libopus", most: 150, part: 0.005),
      Sound(file: "a.m4a", options: "-c:a aac", most: 2),
      Sound(file: "s16.m4a", options: "-c:a alac -sample_fmt s16p"),
      Sound(file: "s24.m4a", options: "-c:a alac -sample_fmt s32p"),
      Sound(file: "a.mov", options: "-c:a pcm_s16be"),
    ]

    private static func source(channels: Int, seconds: Double = 0.6) -> String {
      let wave = "0.4*sin(880*PI*t)+0.2*sin(PI*(200+1800*t)*t)"
      let waves = Array(repeating: wave, count: channels).joined(separator: "|")
      return "-f lavfi -i aevalsrc=\(waves):s=44100:d=\(seconds)"
    }

    private func decoded(_ path: String, stream: Int = 0) throws -> [Int16] {
      if path.hasSuffix(".wav"), let wave = try? PCM.Wave(path) { return wave.samples }
      let words = ["-v", "error", "-i", path, "-map", "0:a:\(stream)", "-f", "s16le", "-"]
      return integers(Array(try tool("ffmpeg", words)))
    }

    @Test(arguments: sounds)
    func readsWhatIsPresented(_ sound: Sound) async throws {
      let path = scratch.path(sound.file)
      let source = Self.source(channels: sound.channels, seconds: sound.seconds)
      try ffmpeg(source, sound.options, to: path)
      let (ours, theirs) = (
        try await ReducedFile(input: path, cores: 2).samples(in: scratch), try decoded(path)
      )
      #expect(ours.count == theirs.count && !ours.isEmpty)
      let difference = Difference(ours, theirs)
      #expect(difference.most <= sound.most && difference.part <= sound.part, "\(difference)")
    }

    @Test func readsTheStreamThatIsNamed() async throws {
      let path = scratch.path("movie.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc=s=64x64:r=10:d=1", Self.source(channels: 2, seconds: 1),
        "-f lavfi -i sine=f=300:r=32000:d=1 -map 0 -map 1 -map 2 -pix_fmt yuv420p -c:v libx264",
        "-c:a aac", to: path)
      for (number, port) in ["audio", "audio.2"].enumerated() {
        let ours = try await ReducedFile(input: path, port: port, cores: 2).samples(in: scratch)
        let theirs = try decoded(path, stream: number)
        #expect(ours.count == theirs.count && !ours.isEmpty)
        #expect(Difference(ours, theirs).most <= 2)
      }
    }

    @Test func aDecoderHandsOnWhatIsRawAlready() async throws {
      for name in ["a.wav", "a.flac"] {
        let (input, output) = (scratch.path(name), scratch.path("\(name).dat"))
        try ffmpeg(Self.source(channels: 2), "-sample_fmt s16", to: input)
        let run = try pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(input)" },
                       "decode": { "type": "decoder" }, "waveform": { "type": "waveform" },
                       "out": { "type": "peaksSink", "path": "\(output)" } },
            "wires": ["in.audio -> decode -> waveform -> out"] }
          """)
        #expect(try await run.run().unbalanced == [])
      }
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: scratch.path("a.wav.dat")))
          == Data(contentsOf: URL(fileURLWithPath: scratch.path("a.flac.dat"))))
    }
  }
}
