import GraphKit
import TestTools
import Testing

/// Audio of movies whose lists of edits end at a sample: what is read of them ends there.
@Suite(.inTurn) struct ExactEndTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// How many samples of a movie are decoded.
  private func count(_ path: String) async throws -> Int {
    let (wave, report) = try await readSound(of: path, in: scratch)
    #expect(report.failure == nil && report.warnings ?? [] == [], "\(report)")
    let words = ["-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", wave]
    let text = String(decoding: try tool("ffprobe", words), as: UTF8.self)
    return Int(text.filter(\.isNumber)) ?? -1
  }

  @Test(arguments: ["aacEncoder", "opusEncoder", "mp3Encoder"])
  func asManySamplesComeBackAsWereEncoded(_ encoder: String) async throws {
    let (path, copy) = (scratch.path("in.m4a"), scratch.path("copy.m4a"))
    let made = try await pipeline(
      """
      { "nodes": { "tone": { "type": "testAudio", "sampleRate": 48000, "seconds": 1 },
          "encoder": { "type": "\(encoder)" }, "out": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["tone -> encoder -> out.audio"] }
      """
    ).run()
    #expect(made.failure == nil, "\(made)")
    #expect(try await count(path) == 48_000)
    let copied = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(path)" },
          "out": { "type": "mp4Sink", "path": "\(copy)" } },
        "wires": ["in.audio -> out.audio"] }
      """
    ).run()
    #expect(copied.failure == nil && copied.warnings ?? [] == [], "\(copied)")
    #expect(try await count(copy) == 48_000)
  }

  /// Milliseconds say no sample, and all of the last packet is read, as by ffmpeg.
  @Test func whatAListInMillisecondsSaysIsNoCut() async throws {
    let path = scratch.path("in.m4a")
    try ffmpeg("-f lavfi -i sine=d=1:r=44100 -c:a aac", to: path)
    #expect(try await count(path) == 44 * 1_024)
  }
}
