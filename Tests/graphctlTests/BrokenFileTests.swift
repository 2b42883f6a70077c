import Foundation
import TestTools
import Testing

/// What isn't a graph file at all must not crash the command, nor hold it up.
@Suite(.inTurnOrAlone) struct BrokenFileTests {
  @Test func refusesEveryTruncation() async throws {
    let folder = try Folder()
    for length in stride(from: 0, to: smallGraph.utf8.count - 1, by: 41) {
      try folder.write("cut.json", String(decoding: smallGraph.utf8.prefix(length), as: UTF8.self))
      let result = try await Graphctl.run(["check", "cut.json"], in: folder)
      #expect(result.status == 65 && result.messages.hasPrefix("cut.json:"), "\(length): \(result)")
    }
  }

  @Test func refusesNoise() async throws {
    let folder = try Folder()
    var random = Noise(state: 7)
    for round in 0..<20 {
      let bytes = (0..<500).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      try Data(bytes).write(to: folder.url.appending(path: "noise.json"))
      let result = try await Graphctl.run(["check", "noise.json"], in: folder)
      #expect(result.status == 65 && !result.messages.isEmpty, "\(round): \(result)")
    }
  }

  @Test func refusesAFolderAndAHugeFile() async throws {
    let folder = try Folder()
    try folder.write("huge.json", String(repeating: " ", count: 2 << 20))
    let (huge, none) = (
      try await Graphctl.run(["check", "huge.json"], in: folder),
      try await Graphctl.run(["check", "."], in: folder)
    )
    #expect(huge.status == 65 && huge.messages.contains("may have up to 1048576"), "\(huge)")
    #expect(none.status == 66, "\(none)")
  }

  @Test func aPictureThatIsntThereIsAMissingInput() async throws {
    let folder = try Folder()
    try folder.write(
      "overlay.json",
      """
      { "nodes": { "a": { "type": "testVideo" }, "b": { "type": "nullSink" },
                   "logo": { "type": "overlay", "path": "none.png" } },
        "wires": ["a -> logo -> b"] }
      """)
    let picture = try await Graphctl.run(["check", "overlay.json"], in: folder)
    #expect(picture.status == 66, "\(picture)")
  }
}

/// SplitMix64, so that every run sees the same noise.
private struct Noise: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
