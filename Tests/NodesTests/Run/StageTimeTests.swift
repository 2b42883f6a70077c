import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

/// An effect that takes a hundredth of a second with each block.
private struct Slow: AudioEffect {
  static let declaration = NodeDeclaration<Slow>(
    "slow", role: .effect, help: "Takes its time with each block.", example: "microphone -> slow",
    parameters: [])
  static let ports = EffectPorts<Audio>(.audio([.f32]))

  mutating func process(_ block: inout AudioBlock) throws {
    // Work that takes as long on any machine.
    Thread.sleep(forTimeInterval: 0.01)
  }
}

extension RunTests {
  @Suite("How the threads of a run spent their time", .inTurnOrAlone)
  struct StageTimeTests {
    private let catalog = Catalog(Catalog.builtIn.all + [NodeType(Slow.self)])

    /// What has ended isn't busy for the rest of the run.
    @Test(arguments: [#""gain""#, #""aacEncoder""#])
    func aStageThatEndsEarlyIsBusyNoLonger(after type: String) async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "short": { "type": "testAudio", "seconds": 0.1 }, "next": { "type": \(type) },
            "one": { "type": "nullSink" },
            "long": { "type": "testAudio", "seconds": 2 }, "slow": { "type": "slow" },
            "two": { "type": "nullSink" } },
          "wires": ["short -> next -> one", "long -> slow -> two"] }
        """, catalog: catalog)
      run.start()
      let report = try await run.end()
      let stages = try #require(report.stages)
      let busy = { (name: String) in
        stages.filter { $0.nodes.contains(name) }.map(\.busy).max() ?? -1
      }
      let (short, slow) = (["short", "next", "one"].map(busy).max() ?? -1, busy("slow"))
      #expect(short >= 0 && slow > 5 * short, "\(stages)")
      #expect(report.limitedBy?.contains("`slow`") == true, "\(report.limitedBy ?? "")")
    }

    /// A program that doesn't read holds the graph back, which isn't work, and a pause is neither.
    @Test func aRunThatWaitsForItsReaderIsNotBusy() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "tone": { "type": "testAudio", "seconds": 60 }, "out": { "type": "appOutput" } },
          "wires": ["tone -> out"] }
        """)
      let output = try run.output("out")
      let events = run.events(of: [.readiness])
      run.start()
      for await event in events {
        if case .readiness(_, isReady: false, _) = event.kind { break }
      }
      // The reader takes its time, first while the graph runs, then while it is paused.
      try await Task.sleep(for: .milliseconds(300))
      run.pause()
      #expect(await run.enters(.paused))
      try await Task.sleep(for: .milliseconds(300))
      run.resume()
      while let _ = await output.next() {}
      let report = try await run.end()
      let stage = try #require(report.stages?.first { $0.nodes.contains("tone") })
      #expect(stage.waitedForRoom >= 0.29, "\(stage)")
      let active = stage.busy + stage.waitedForRoom
      #expect(active <= report.wallSeconds - 0.29, "\(stage) of \(report.wallSeconds) s")
    }
  }
}
