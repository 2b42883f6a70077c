import Nodes
import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct BuiltInNodesTests {
  /// A machine without devices, and with one movie.
  private struct Machine: Environment {
    func isInstalled(_ element: ElementSpec) -> Bool { true }
    func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
      throw NodeError("no \(factory)", remedy: "install it")
    }
    func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
      var picture = EncodedFormat(.h264)
      (picture.width, picture.height, picture.frameRate) = (1280, 720, Rational(30))
      return [
        DiscoveredStream(identifier: "0", format: .encoded(picture), duration: nil),
        DiscoveredStream(identifier: "1", format: .encoded(EncodedFormat(.aac)), duration: nil),
      ]
    }
    func devices(_ kind: DeviceKind) -> [Device] { [] }
    func outputPlace(_ path: String) -> OutputPlace { .free }
  }

  private func plan(_ json: String) throws -> Plan {
    let document = try GraphDocument(json: json, file: "g.json")
    return try Plan(
      Graph(checking: document, catalog: .builtIn, environment: Machine(), set: [:]))
  }

  @Test func `a recording needs nothing converted`() throws {
    let plan = try plan(
      """
      { "nodes": {
          "camera": { "type": "camera" }, "microphone": { "type": "microphone" },
          "pass": { "type": "pass" },
          "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": ["camera -> pass -> video -> movie.video",
                  "microphone -> audio -> movie.audio"] }
      """)
    #expect(plan.nodes.count { $0.isInserted } == 0, "\(plan)")
    #expect(plan.nodes.count { $0.stage != nil } == 1)
    let live = plan.wires.filter { ["camera", "microphone"].contains($0.from.node) }
    for wire in live {
      guard case .queue(let policy) = wire.lowering else {
        Issue.record("\(wire) has no queue")
        continue
      }
      #expect(policy.dropsWhenNotReady)
    }
  }

  @Test func `a transcoding decodes both streams once`() throws {
    let plan = try plan(
      """
      { "nodes": {
          "file": { "type": "file", "path": "in.mp4" },
          "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
          "quiet": { "type": "gain", "decibels": -6 },
          "movie": { "type": "mp4Sink", "path": "out.mp4" } },
        "wires": ["file.video -> video -> movie.video",
                  "file.audio -> quiet -> audio -> movie.audio"] }
      """)
    #expect(plan.nodes.count { $0.type.name == "decoder" } == 2, "\(plan)")
    #expect(plan.wires.allSatisfy { !$0.to.port.isEmpty && !$0.from.port.isEmpty })
    #expect(throws: Never.self) { Drawing(plan).svg }
  }
}
