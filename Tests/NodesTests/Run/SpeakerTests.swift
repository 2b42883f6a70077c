import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Channels of more than two keep their speakers through encoders, as ffmpeg decodes them.
@Suite(.inTurn) struct SpeakerTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// The frequency of a channel's tone: low enough for that of deep sounds.
  private func frequency(of channel: Int) -> Int { 60 + 20 * channel }

  private func transcode(_ input: String, _ encoder: String, to sink: String) async throws {
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, "encoder": { "type": "\(encoder)" },
                   "out": { "type": \(sink) } },
        "wires": ["in.audio -> encoder -> out"] }
      """
    ).run()
    #expect(report.unbalanced == [])
  }

  @Test(
    arguments: [
      ("2.1", 3), ("3.0", 3), ("quad", 4), ("5.0", 5), ("5.1", 6), ("6.1", 7), ("7.1", 8),
    ],
    ["flac", "opus", "vorbis"])
  func channelsKeepTheirPlaces(layout: (name: String, count: Int), encoder: String) async throws {
    let tones = (0..<layout.count).map { "0.4*sin(2*PI*\(frequency(of: $0))*t)" }
      .joined(separator: "|")
    let input = scratch.path("in.wav")
    try ffmpeg("-f lavfi -i aevalsrc=\(tones):c=\(layout.name):s=48000:d=1.5", to: input)
    let output = scratch.path(encoder == "flac" ? "a.flac" : "a.ogg")
    try await transcode(input, "\(encoder)Encoder", to: #""audioSink", "path": "\#(output)""#)
    let words = ["-v", "error", "-i", output, "-f", "s16le", "-"]
    let samples = integers(Array(try tool("ffmpeg", words))) as [Int16]
    // Opus and Vorbis have 2.1 as 5.1 without the others.
    let isPadded = layout.name == "2.1" && encoder != "flac"
    let count = isPadded ? 6 : layout.count
    #expect(abs(samples.count - 72_000 * count) < 6_000)
    for channel in 0..<layout.count {
      let place = isPadded && channel == 2 ? 3 : channel
      let wave = stride(from: place, to: samples.count, by: count).map { samples[$0] }
        .dropFirst(12_000).prefix(48_000)
      let turns = zip(wave, wave.dropFirst()).count { $0 < 0 && $1 >= 0 }
      #expect(abs(turns - frequency(of: channel)) <= 2, "\(layout.name), \(channel): \(turns)")
      #expect((wave.max() ?? 0) > 11_000, "\(layout.name), \(channel)")
    }
  }

  @Test(
    arguments: ["2.1", "3.0", "4.0", "quad", "5.0", "5.1", "5.1(side)", "6.0", "7.1(wide)"],
    [("in.wav", "a.wav"), ("in.mov", "a.wav"), ("in.caf", "a.mov"), ("in.w64", "a.mov")])
  func filesOfPCMSaySpeakers(layout: String, files: (from: String, to: String)) async throws {
    let (input, output) = (scratch.path(files.from), scratch.path(files.to))
    try ffmpeg(
      "-f lavfi -i anullsrc=cl=\(layout):r=48000 -t 0.5 -c:a pcm_s24le", to: input)
    let sink = files.to.hasSuffix("wav") ? "wavSink" : "mp4Sink"
    _ = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" },
                   "out": { "type": "\(sink)", "path": "\(output)" } }, "wires": ["in.audio -> out"] }
      """
    ).run()
    let words = ["-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0", output]
    let said = String(decoding: try tool("ffprobe", words), as: UTF8.self)
    // ffmpeg's movies and CAF files call those at the sides of 5.1 as they call those at the back.
    let isSame = layout == "5.1(side)" && !["in.wav", "in.w64"].contains(files.from)
    #expect(said == (isSame ? "5.1" : layout) + "\n")
  }

  /// A tone on one side alone stays there, and the other is silent.
  @Test(arguments: ["aac", "mp3", "opus", "vorbis"])
  func sidesStayApart(codec: String) async throws {
    let (input, output) = (scratch.path("in.wav"), scratch.path("a.mkv"))
    try ffmpeg("-f lavfi -i aevalsrc=0.4*sin(2*PI*440*t)|0:c=stereo:s=48000:d=1.5", to: input)
    try await transcode(input, "\(codec)Encoder", to: #""matroskaSink", "path": "\#(output)""#)
    let words = ["-v", "error", "-i", output, "-f", "f32le", "-"]
    let samples = floats(Array(try tool("ffmpeg", words)))
    let levels = (0..<2).map { side in
      let wave = stride(from: side, to: samples.count, by: 2).map { samples[$0] }
        .dropFirst(12_000).prefix(48_000)
      return (wave.reduce(0) { $0 + $1 * $1 } / Float(wave.count)).squareRoot()
    }
    #expect(abs(levels[0] - Float(0.08).squareRoot()) < 0.02, "\(levels)")
    #expect(levels[1] < 0.003, "\(levels)")
  }

  /// ALAC has 16 bits and more, and a WAV file of 24 keeps them.
  @Test func losslessKeepsTwentyFourBits() async throws {
    let (input, output) = (scratch.path("in.wav"), scratch.path("a.m4a"))
    try ffmpeg("-f lavfi -i anoisesrc=d=1:r=48000:seed=7 -c:a pcm_s24le", to: input)
    try await transcode(
      input, "alacEncoder", to: #""mp4Sink", "path": "\#(output)""#)
    let decoded = try [input, output].map { path in
      try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "s24le", "-"])
    }
    #expect(decoded[0].count == 144_000 && decoded[0] == decoded[1])
  }
}
