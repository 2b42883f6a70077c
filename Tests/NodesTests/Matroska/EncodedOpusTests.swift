import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// When players of Matroska present what the run's encoder of Opus made, as ffprobe reads it.
@Suite(.inTurn) struct EncodedOpusTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  @Test("the first packet is as far from the second as all others are", arguments: ["mkv", "webm"])
  func packetsFollow(_ kind: String) async throws {
    let path = scratch.path("out.\(kind)")
    _ = try await pipeline(
      """
      { "nodes": {
          "tone": { "type": "testAudio", "sampleRate": 48000, "seconds": 1 },
          "opus": { "type": "opusEncoder" },
          "file": { "type": "matroskaSink", "path": "\(path)" } },
        "wires": ["tone -> opus -> file.audio"] }
      """
    ).run()
    let times = try packetTimes(path)
    // The lead is 6.5 ms, and the file's times are in milliseconds.
    let expected = (0..<51).map { Double($0) * 0.020 - 0.0065 }
    #expect(times.count == expected.count)
    for (time, right) in zip(times, expected) { #expect(abs(time - right) < 0.001_6) }
    #expect(try decodedSound(of: path).count == 48_000)
  }

  /// AAC has 21 ms in front that such files can't have skipped, so that all else comes later.
  @Test("beside AAC its packets follow each other too") func besideAAC() async throws {
    let path = scratch.path("both.mkv")
    _ = try await pipeline(
      """
      { "nodes": {
          "tone": { "type": "testAudio", "sampleRate": 48000, "seconds": 1 },
          "opus": { "type": "opusEncoder" }, "aac": { "type": "aacEncoder" },
          "file": { "type": "matroskaSink", "path": "\(path)" } },
        "wires": ["tone -> opus -> file.audio", "tone -> aac -> file.audio.2"] }
      """
    ).run()
    let times = try packetTimes(path)
    #expect(times.count == 51)
    // What is heard first is when the AAC's is.
    let lead = 1_024.0 / 48_000 - 0.0065
    for (index, time) in times.enumerated() {
      #expect(abs(time - lead - Double(index) * 0.020) < 0.001_6, "\(index): \(time)")
    }
  }

  /// When the packets of the first track are presented, in seconds.
  private func packetTimes(_ path: String) throws -> [Double] {
    let words = ["-v", "error", "-select_streams", "0", "-show_entries", "packet=pts_time"]
    let lines = try tool("ffprobe", words + ["-of", "csv=p=0", path])
    return String(decoding: lines, as: UTF8.self).split(whereSeparator: { ",\n".contains($0) })
      .compactMap { Double($0) }
  }
}
