import Foundation
import TestTools
import Testing

@Suite(.inTurn) struct TickTests {
  /// The samples of a second of ticks, where all memory that the process gets is first filled.
  private func ticks(filler: Int, _ options: String) async throws -> [UInt8] {
    let folder = try Folder()
    try folder.write(
      "ticks.json",
      """
      { "nodes": {
          "a": { "type": "testAudio", "wave": "ticks", "sampleRate": 8000, "seconds": 3, \(options) },
          "b": { "type": "wavSink", "path": "a.wav" } },
        "wires": ["a -> b"] }
      """)
    let result = try await Graphctl.run(
      ["run", "ticks.json", "--quiet"], in: folder,
      environment: ["MALLOC_PERTURB_": "\(filler)"])
    #expect((result.status, result.messages) == (0, ""))
    return Array(try folder.data("a.wav"))
  }

  @Test(
    "every sample of a tick is written",
    arguments: [
      #""channels": 1"#, #""channels": 2"#, #""channels": 2, "sampleFormat": "s16""#,
      #""channels": 3, "layout": "planar""#,
    ])
  func everySampleIsWritten(_ options: String) async throws {
    let (one, other) = (try await ticks(filler: 85, options), try await ticks(filler: 170, options))
    #expect(one.count > 3 * 8_000 * 2 && one == other)
  }
}
