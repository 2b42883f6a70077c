import Foundation
import GraphKit
import TestTools
import Testing

/// A microphone without hardware: the monitor of a sink that nobody hears.
@Suite(.serialized, .inTurn) struct SoundCaptureTests {
  static let graph = Graphctl.repository.appending(path: "graphs/m4a.json").path

  @Test(arguments: ["auto", SoundServer.monitor]) func recordsATone(device: String) async throws {
    let folder = try Folder()
    let server = try await SoundServer(in: folder)
    let tone = try await server.play(frequency: 1000)
    try folder.write(
      "sound.json",
      """
      { "nodes": {
          "microphone": { "type": "microphone", "device": "\(device)" },
          "audio": { "type": "aacEncoder" },
          "file": { "type": "mp4Sink", "path": "a.m4a", "seconds": 2 } },
        "wires": ["microphone -> audio -> file"] }
      """)
    let result = try await Graphctl.run(
      ["run", "sound.json"], in: folder, environment: server.environment)
    #expect(result.status == 0, "\(result)")
    #expect(!result.messages.contains("using a live test"))
    let movie = try MovieReader.read("\(folder.path)/a.m4a")
    #expect(movie.tracks.count == 1 && abs(movie.duration - 2) < 0.05, "\(movie)")
    let samples = try await Decoded.sound(of: "a.m4a", in: folder)
    let seconds = Double(samples.count) / 48_000
    #expect(abs(seconds - 2) < 0.1)
    // Of a tone of 1 kHz, the sign changes upwards every 48 samples; a player that a busy machine
    // keeps waiting leaves gaps between.
    let middle = Array(samples.dropFirst(24_000).prefix(48_000))
    let rises = middle.indices.dropFirst().filter { middle[$0 - 1] < 0 && middle[$0] >= 0 }
    let periods: [Int] = zip(rises, rises.dropFirst()).map { $1 - $0 }.sorted()
    try #require(periods.count > 100)
    let median: Int = periods[periods.count / 2]
    #expect(abs(median - 48) <= 1, "\(median) samples")
    #expect((middle.max() ?? 0) > 8000)
    withExtendedLifetime(tone) {}
  }

  @Test func aServerThatIsGoneIsNamed() async throws {
    let folder = try Folder()
    try folder.write(
      "sound.json",
      """
      { "nodes": { "microphone": { "type": "microphone", "device": "pulse:nobody" },
                   "end": { "type": "nullSink" } }, "wires": ["microphone -> end"] }
      """)
    let result = try await Graphctl.run(["run", "sound.json"], in: folder)
    #expect(result.status == 74)
    #expect(result.messages.contains("microphone"), "\(result)")
  }
}
