import Containers
import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// WAV files beyond 4 GiB, which the sizes of RIFF can't say.
@Suite(.inTurn) struct LargeWAVTests {
  private let scratch: TestFolder

  init() throws { scratch = try TestFolder() }

  /// A tenth of a second of 32 bits, stereo: the head has 80 bytes, the audio 38,400.
  private func record(_ node: String = "wavSink", _ name: String = "a.wav") async throws -> String {
    let path = scratch.path(name)
    let run = try pipeline(
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 0.1, "channels": 2 },
          "wide": { "type": "audioConvert", "sampleFormat": "s32" },
          "out": { "type": "\(node)", "path": "\(path)", "title": "T" } },
        "wires": ["tone -> wide -> out"] }
      """)
    #expect(try await run.run().unbalanced == [])
    return path
  }

  private func number(_ data: Data, at place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(data[place + $1]) << ($1 * 8) }
  }

  @Test func theHeadHasRoomForLargerSizes() async throws {
    let data = try Data(contentsOf: URL(filePath: await record()))
    #expect(data[..<4] == Data("RIFF".utf8) && data[8..<16] == Data("WAVEJUNK".utf8))
    #expect(number(data, at: 4) == data.count - 8 && number(data, at: 16) == 28)
    #expect(data[72..<76] == Data("data".utf8) && number(data, at: 76) == 38_400)
  }

  /// The same file with silence in the middle, that takes no room on the disk, and the size that an encoder
  /// gives it which counts with 32 bits.
  private func enlarge(_ path: String, by count: UInt64) throws {
    let data = try Data(contentsOf: URL(filePath: path))
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.truncate(atOffset: 80)
    try file.truncate(atOffset: 80 + count)
    try file.seekToEnd()
    try file.write(contentsOf: data[80...])
    let stated = count + 38_400
    try file.seek(toOffset: 76)
    try file.write(contentsOf: Data((0..<4).map { UInt8(truncatingIfNeeded: stated >> ($0 * 8)) }))
    try file.close()
  }

  @Test(arguments: [0xffff_f000, 0x1_4000_0000, 0x2_8000_0000])
  func itsSizesAreThoseOfRF64(silence: UInt64) async throws {
    let path = try await record()
    let audio = try decodedSound(of: path)
    try enlarge(path, by: silence)
    try WAVSizes.complete(path)
    let entries = "stream=duration_ts:format_tags=title"
    let words = ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", path]
    let frames = Int(silence / 8) + 4_800
    #expect(try String(decoding: tool("ffprobe", words), as: UTF8.self) == "\(frames)\nT\n")
    // The last tenth of a second, where it is.
    let start = "\(Double(silence) / 8 / 48_000)"
    let end = scratch.path("end.wav")
    _ = try tool("ffmpeg", ["-v", "error", "-ss", start, "-i", path, "-c:a", "pcm_s32le", end])
    #expect(try decodedSound(of: end).suffix(4_000) == audio.suffix(4_000))
    let copy = scratch.path("copy.wav")
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(path)", "from": \(start) },
          "out": { "type": "wavSink", "path": "\(copy)" } }, "wires": ["in -> out"] }
      """)
    #expect(try await run.run().unbalanced == [])
    #expect(try decodedSound(of: copy).suffix(4_000) == audio.suffix(4_000))
  }

  @Test func aSmallerOneStaysAsItIs() async throws {
    let path = try await record()
    let before = try Data(contentsOf: URL(filePath: path))
    try WAVSizes.complete(path)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func aPipeIsLeftAlone() throws {
    let path = scratch.path("pipe")
    _ = try tool("mkfifo", [path])
    try WAVSizes.complete(path)
  }

  @Test func anAIFFFileCannotSaySo() async throws {
    let path = try await record("aiffSink", "a.aiff")
    try AIFFSizes.check(path)
    try #require(FileHandle(forUpdatingAtPath: path)).truncate(atOffset: 1 << 32 + 8)
    let error = #expect(throws: NodeError.self) { try AIFFSizes.check(path) }
    #expect(error?.message.contains("4294967304 bytes") == true && error?.remedy != "")
  }
}
