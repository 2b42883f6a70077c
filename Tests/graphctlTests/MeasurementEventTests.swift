import Foundation
import TestTools
import Testing

/// What nodes measure, as events while a graph runs.
@Suite(.inTurn) struct MeasurementEventTests {
  private struct Levels: Codable, Equatable {
    var time: Double
    var duration: Double
    var peak: [Double?]
    var rms: [Double?]
  }

  private struct Event: Decodable {
    var event: String
    var node: String
    var values: Levels
  }

  private func decoded<Value: Decodable>(_ text: String, as type: Value.Type) throws -> [Value] {
    try text.split(separator: "\n").map { try JSONDecoder().decode(type, from: Data($0.utf8)) }
  }

  @Test func aMeterGetsWhatTheFileHas() async throws {
    let folder = try Folder()
    try folder.write(
      "meter.json",
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 1, "channels": 2, "volume": 0.5 },
          "meter": { "type": "level", "interval": "250ms" },
          "file": { "type": "measurementSink", "path": "levels.jsonl" } },
        "wires": ["tone -> meter -> file"] }
      """)
    let result = try await Graphctl.run(
      ["run", "meter.json", "--events", "measurement"], in: folder)
    #expect(result.status == 0, "\(result)")
    let events = try decoded(result.output, as: Event.self)
    #expect(events.allSatisfy { $0.event == "measurement" && $0.node == "meter" })
    #expect(events.map(\.values.time) == [0, 0.25, 0.5, 0.75])
    #expect(try events.map(\.values) == decoded(folder.text("levels.jsonl"), as: Levels.self))
    #expect(events.allSatisfy { $0.values.peak.count == 2 })
  }

  @Test func onlyWhoAsksGetsThem() async throws {
    let folder = try Folder()
    try folder.write(
      "meter.json",
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
          "meter": { "type": "level", "interval": "250ms" }, "end": { "type": "nullSink" } },
        "wires": ["tone -> meter -> end"] }
      """)
    let result = try await Graphctl.run(["run", "meter.json", "--events", "end"], in: folder)
    #expect(result.status == 0, "\(result)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 1 && lines.first?.contains(#""event": "end""#) == true, "\(lines)")
  }
}
