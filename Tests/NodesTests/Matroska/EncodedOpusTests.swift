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
    let lines = try tool(
      "ffprobe", ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path])
    let times = String(decoding: lines, as: UTF8.self).split(whereSeparator: { ",\n".contains($0) })
      .compactMap { Double($0) }
    // The lead is 6.5 ms, and the file's times are in milliseconds.
    let expected = (0..<51).map { Double($0) * 0.020 - 0.0065 }
    #expect(times.count == expected.count)
    for (time, right) in zip(times, expected) { #expect(abs(time - right) < 0.001_6) }
    #expect(try decodedSound(of: path).count == 48_000)
  }
}
