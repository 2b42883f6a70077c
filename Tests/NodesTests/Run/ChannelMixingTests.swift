import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Channels are mixed, and count for loudness, by the speakers that they are for, as ffmpeg has it.
@Suite(.inTurn) struct ChannelMixingTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// The frequency of a channel's tone: low enough for that of deep sounds.
  private func frequency(of channel: Int) -> Int { 60 + 20 * channel }

  /// The levels of channels of one tone each, by Goertzel's algorithm, in each channel of a file.
  private func levels(of path: String, channels: Int, tones: Int) throws -> [[Double]] {
    let words = ["-v", "error", "-i", path, "-f", "f32le", "-"]
    let samples = floats(Array(try tool("ffmpeg", words)))
    return (0..<channels).map { channel in
      let wave = stride(from: channel, to: samples.count, by: channels).map { Double(samples[$0]) }
        .dropFirst(12_000).prefix(48_000)
      return (0..<tones).map { tone in
        let step = 2 * Double.pi * Double(frequency(of: tone)) / 48_000
        let (x, y) = wave.enumerated().reduce((0.0, 0.0)) { sum, sample in
          let angle = step * Double(sample.offset)
          return (sum.0 + sample.element * cos(angle), sum.1 + sample.element * sin(angle))
        }
        return 2 * (x * x + y * y).squareRoot() / Double(wave.count) / 0.1
      }
    }
  }

  private func mixed(_ layout: String, tones: Int, by node: String) async throws -> String {
    let words = (0..<tones).map { "0.1*sin(2*PI*\(frequency(of: $0))*t)" }.joined(separator: "|")
    let (input, output) = (scratch.path("in.wav"), scratch.path("a.wav"))
    try ffmpeg("-f lavfi -i aevalsrc=\(words):c=\(layout):s=48000:d=1.5 -c:a pcm_f32le", to: input)
    _ = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, "mix": { \(node) },
                   "out": { "type": "wavSink", "path": "\(output)" } },
        "wires": ["in.audio -> mix -> out"] }
      """
    ).run()
    return output
  }

  /// As ffmpeg mixes where it keeps within full scale.
  @Test(
    arguments: [
      ("2.1", 3), ("3.0", 3), ("4.0", 4), ("quad", 4), ("5.1", 6), ("5.1(side)", 6), ("6.1", 7),
      ("7.1", 8),
    ], [1, 2])
  func fewerChannelsAreMixed(layout: (name: String, count: Int), channels: Int) async throws {
    let output = try await mixed(
      layout.name, tones: layout.count, by: #""type": "audioConvert", "channels": \#(channels)"#)
    let found = try levels(of: output, channels: channels, tones: layout.count)
    let peer = scratch.path("peer.wav")
    // The resampler's own matrix is lowered only where samples are whole numbers.
    _ = try tool(
      "ffmpeg",
      [
        "-v", "error", "-i", scratch.path("in.wav"), "-ac", "\(channels)", "-c:a", "pcm_s16le",
        peer,
      ])
    let expected = try levels(of: peer, channels: channels, tones: layout.count)
    for (mine, theirs) in zip(found.joined(), expected.joined()) {
      #expect(abs(mine - theirs) < 0.01, "\(layout.name): \(found), \(expected)")
    }
  }

  /// Channels that change in the middle of a stream are mixed on, whatever is before the converter.
  @Test(arguments: [(6, 2), (2, 6)], ["audioConvert", "resample"])
  func channelsMayChange(counts: (first: Int, second: Int), node: String) async throws {
    let parts = [counts.first, counts.second].map { scratch.path("part\($0).ts") }
    for (path, count) in zip(parts, [counts.first, counts.second]) {
      try ffmpeg("-f lavfi -i sine=440:r=48000:d=2 -ac \(count) -c:a ac3", to: path)
    }
    let joined = try parts.flatMap { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }
    let input = try scratch.write(joined, to: "in.ts")
    let output = scratch.path("a.wav")
    let before = node == "resample" ? #""resample", "sampleRate": 44100"# : #""audioConvert""#
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, "first": { "type": \(before) },
                   "mix": { "type": "audioConvert", "channels": 2 },
                   "out": { "type": "wavSink", "path": "\(output)" } },
        "wires": ["in.audio -> first -> mix -> out"] }
      """
    ).run()
    #expect(report.unbalanced == [])
    let rate = node == "resample" ? 44_100.0 : 48_000
    let samples = floats(
      Array(try tool("ffmpeg", ["-v", "error", "-i", output, "-f", "f32le", "-"])))
    #expect(abs(Double(samples.count) / 2 / rate - 4) < 0.1, "\(samples.count)")
  }

  /// What is mixed or joined need not be for the usual speakers.
  @Test(arguments: ["mixAudio", "concat"])
  func unusualSpeakersAreMixedAndJoined(node: String) async throws {
    let (input, output) = (scratch.path("in.wav"), scratch.path("a.wav"))
    try ffmpeg("-f lavfi -i sine=440:r=48000:d=1 -af aformat=cl=5.1(side)", to: input)
    let settings = node == "mixAudio" ? #""mixAudio", "channels": 6"# : #""concat", "channels": 6"#
    let (port, end) = node == "mixAudio" ? ("in", "join") : ("audio", "join.audio")
    let report = try await pipeline(
      """
      { "nodes": { "one": { "type": "file", "path": "\(input)" },
                   "two": { "type": "file", "path": "\(input)" }, "join": { "type": \(settings) },
                   "out": { "type": "wavSink", "path": "\(output)" } },
        "wires": ["one.audio -> join.\(port)", "two.audio -> join.\(port).2", "\(end) -> out"] }
      """
    ).run()
    #expect(report.unbalanced == [])
    let words = ["-v", "error", "-show_entries", "stream=channel_layout", "-of", "csv=p=0", output]
    #expect(String(decoding: try tool("ffprobe", words), as: UTF8.self) == "5.1(side)\n")
  }

  @Test func resampledChannelsAreMixedOnce() async throws {
    let output = try await mixed(
      "5.1(side)", tones: 6, by: #""type": "audioConvert", "channels": 6, "sampleRate": 48000"#)
    let found = try levels(of: output, channels: 6, tones: 6)
    for (channel, levels) in found.enumerated() {
      for (tone, level) in levels.enumerated() {
        #expect(abs(level - (tone == channel ? 1 : 0)) < 0.01, "\(channel), \(tone): \(level)")
      }
    }
  }

  @Test(arguments: ["2.1", "4.0", "5.1(side)", "6.1", "7.1"])
  func loudnessCountsSpeakers(layout: String) async throws {
    let input = scratch.path("in.wav")
    try ffmpeg("-f lavfi -i anoisesrc=d=4:r=48000:a=0.1:seed=3 -af aformat=cl=mono", to: input)
    let many = scratch.path("many.wav")
    _ = try tool(
      "ffmpeg",
      [
        "-v", "error", "-i", input, "-af",
        "pan=\(layout)|"
          + (0..<8).prefix(channelCount(of: layout)).map { "c\($0)=c0" }
          .joined(separator: "|"), many,
      ])
    let output = scratch.path("loudness.json")
    _ = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(many)" },
                   "loudness": { "type": "loudness" },
                   "out": { "type": "measurementSink", "path": "\(output)" } },
        "wires": ["in.audio -> loudness -> out"] }
      """
    ).run()
    let text = try String(contentsOfFile: output, encoding: .utf8)
    let words = "ffmpeg -nostdin -hide_banner -i \"$1\" -af ebur128 -f null - 2>&1"
    let said = String(decoding: try tool("sh", ["-c", words, "sh", many]), as: UTF8.self)
    let peer = try #require(said.matches(of: /I: +(-?[0-9.]+) LUFS/).last.flatMap { Double($0.1) })
    let mine = try #require(
      text.firstMatch(of: /"integrated": *(-?[0-9.]+)/).flatMap { Double($0.1) })
    #expect(abs(mine - peer) < 0.11, "\(layout): \(mine), \(peer)")
  }

  private func channelCount(of layout: String) -> Int {
    layout.prefix(3).split(separator: ".").compactMap { Int($0) }.reduce(0, +)
  }
}
