import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// Audio of a packet, of some samples and of none is read and written like any other.
@Suite(.inTurn) struct TinyAudioTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func run(_ input: String, _ nodes: String, _ wire: String) async throws {
    _ = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, \(nodes) },
        "wires": ["in.audio -> \(wire)"] }
      """
    ).run()
  }

  private func sampleCount(of path: String) throws -> Int {
    try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"]).count / 2
  }

  private func write(_ count: Int) throws -> String {
    let path = scratch.path("in\(count).wav")
    try ffmpeg("-f lavfi -i sine=440:r=48000 -af atrim=end_sample=\(count)", to: path)
    return path
  }

  /// GStreamer's demuxer takes packets of one size for bytes of PCM.
  @Test(arguments: [
    ("alac", "a.m4a", "sine=440:r=48000", 1_000), ("flac", "a.mp4", "sine=440:r=48000", 1_000),
    ("alac", "a.m4a", "anullsrc=cl=mono:r=48000", 40_960),
    ("flac", "a.mp4", "anullsrc=cl=mono:r=48000", 46_080),
  ])
  func packetsOfOneSizeAreRead(codec: String, name: String, source: String, count: Int) async throws
  {
    let (input, output) = (scratch.path(name), scratch.path("a.wav"))
    try ffmpeg(
      "-f lavfi -i \(source) -af atrim=end_sample=\(count) -c:a \(codec) -strict -2", to: input)
    try await run(input, #""out": { "type": "wavSink", "path": "\#(output)" }"#, "out")
    #expect(try sampleCount(of: output) == count)
  }

  @Test(arguments: ["flac", "opus"], [1, 10, 100, 648, 1_000])
  func someSamplesAreWritten(codec: String, count: Int) async throws {
    let output = scratch.path(codec == "flac" ? "a.flac" : "a.ogg")
    let nodes =
      #""e": { "type": "\#(codec)Encoder" }, "out": { "type": "audioSink", "path": "\#(output)" }"#
    try await run(write(count), nodes, "e -> out")
    #expect(try sampleCount(of: output) == count)
  }

  @Test(arguments: [1, 10, 100, 648, 1_000])
  func vorbisEndsWithItsSamples(count: Int) async throws {
    let (output, decoded) = (scratch.path("a.ogg"), scratch.path("a.raw"))
    let nodes =
      #""e": { "type": "vorbisEncoder" }, "out": { "type": "audioSink", "path": "\#(output)" }"#
    try await run(write(count), nodes, "e -> out")
    try tool("oggdec", ["-Q", "-R", "-o", decoded, output])
    #expect(try Data(contentsOf: URL(fileURLWithPath: decoded)).count == 2 * count)
  }

  @Test(arguments: [
    ("flac", "audioSink", "a.flac"), ("opus", "audioSink", "a.ogg"),
    ("vorbis", "audioSink", "a.ogg"), ("mp3", "audioSink", "a.mp3"),
    ("opus", "matroskaSink", "a.mkv"), ("aac", "mp4Sink", "a.mp4"), ("aac", "hlsSink", "a"),
  ])
  func noSamplesAreAnError(codec: String, sink: String, name: String) async throws {
    let input = try scratch.write(PCM.waveFile([], sampleRate: 48_000, channels: 1), to: "none.wav")
    let nodes = """
      "e": { "type": "\(codec)Encoder" },
      "out": { "type": "\(sink)", "path": "\(scratch.path(name))" }
      """
    let error = await #expect(throws: RunError.self) { try await run(input, nodes, "e -> out") }
    let failure = error?.report.failure
    #expect(failure?.node == "out")
    #expect(failure?.message.contains("holds nothing: no ") == true, "\(failure?.message ?? "")")
  }
}
