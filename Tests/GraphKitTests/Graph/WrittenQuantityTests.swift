import TestTools
import Testing

@testable import GraphKit

@Suite("Quantities as people write them", .inTurn)
struct WrittenQuantityTests {
  @Test(
    "numbers with units are read in the parameter's unit",
    arguments: [
      ("1:05", "s", 65), ("0:00.5", "s", 0.5), ("1:02:03.25", "s", 3723.25), ("500ms", "s", 0.5),
      ("2 s", "s", 2), ("1.5min", "s", 90), ("2h", "s", 7200), ("250us", "ms", 0.25),
      ("1:00", "ms", 60_000), ("0.5s", "ms", 500), ("2MB", "B", 2_000_000), ("1KiB", "B", 1024),
      ("128k", "bit/s", 128_000), ("2.5Mbit/s", "bit/s", 2_500_000), ("44.1kHz", "Hz", 44_100),
      ("-3dB", "dB", -3), ("1e3s", "s", 1000),
    ] as [(String, String, Double)])
  func values(_ text: String, _ unit: String, _ value: Double) throws {
    let read = try #require(WrittenQuantity.number(text, in: unit))
    #expect(abs(read - value) < 1e-9)
  }

  @Test(
    "what is none stays text",
    arguments: [
      ("", "s"), ("half", "s"), ("1:60", "s"), ("1:2:3:4", "s"), ("1:60:00", "s"), ("-1:05", "s"),
      ("5", "s"), ("5x", "s"), ("2MB", "s"), ("5 Mb", "B"), ("1:05", "B"), ("nan s", "s"),
      ("infs", "s"), ("1::05", "s"), (":05", "s"), ("1:", "s"),
    ])
  func none(_ text: String, _ unit: String) {
    #expect(WrittenQuantity.number(text, in: unit) == nil)
  }

  @Test("a graph's nodes take them, and ranges hold for them")
  func inGraph() throws {
    func json(_ frequency: String) -> String {
      """
      { "parameters": { "f": "\(frequency)" },
        "nodes": { "a": { "type": "tone", "frequency": "${f}" },
          "b": { "type": "soundSink", "path": "b" } },
        "wires": ["a -> b"] }
      """
    }
    let graph = try CheckerNodes.graph(json("1.5kHz"))
    #expect((graph["a"]?.node as? CheckerNodes.Tone)?.frequency == 1500)
    #expect(
      CheckerNodes.complaints(json("30kHz")) == [
        "g.json:2:50: error: `frequency` is 30000 Hz; it goes from 20 to 20000 Hz"
      ])
    #expect(
      CheckerNodes.complaints(json("high")) == [
        "g.json:2:50: error: `frequency` is text; "
          + "write a number (Hz), or a frequency such as `\"48kHz\"`"
      ])
  }

  @Test(
    "a path has parts",
    arguments: [
      ("/a/b.c/d.tar.gz", "/a/b.c", "d.tar.gz", "d.tar", "gz"), ("d", ".", "d", "d", ""),
      ("/d.x", "/", "d.x", "d", "x"), (".profile", ".", ".profile", ".profile", ""),
      ("a/", "a", "", "", ""),
    ])
  func pathParts(_ path: String, _ folder: String, _ name: String, _ stem: String, _ end: String) {
    #expect(PathPart.allCases.map { $0.of(path) } == [folder, name, stem, end])
    #expect(PathPart.allCases == [.folder, .name, .stem, .extension])
  }
}
