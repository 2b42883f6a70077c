import GStreamer
import Nodes
import GraphKitSystem
import TestTools
import Testing

@testable import GraphKit

/// Has GLib complain: a pad's direction can't be changed.
private func provoke() {
  Library.start(plugins: ["coreelements"])
  Element(factory: "fakesink", name: "provoked")?.pad("sink")?.set("direction", "src")
}

/// Has GLib complain with every sample, always about the same.
private struct Provoking: SwiftNode {
  static let declaration = NodeDeclaration<Provoking>(
    "provoking", role: .effect, help: "Provokes.", example: "a -> provoking -> b")
  static let ports = EffectPorts<Audio>()

  mutating func process(_ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs)
    throws
  {
    provoke()
    try outputs.send(sample, on: 0)
  }
}

/// What GLib and GStreamer complain about is heard by runs, and not written to the terminal.
@Suite(.serialized, .inTurn) struct ComplaintTests {
  private func heard(_ body: (_ run: Int) -> Void) -> [Complaints.Complaint] {
    let all = Monitor<[Complaints.Complaint]>([])
    let run = Complaints.listen { complaint in all.withLock { $0.append(complaint) } }
    body(run)
    Complaints.stopListening(run)
    return all.withLock { $0 }.filter { $0.text.contains("\"direction\"") }
  }

  @Test func aThreadsElementIsNamedOnce() {
    let complaints = heard { run in
      Complaints.enter(run, element: "source")
      for _ in 1...3 { provoke() }
      Complaints.leave()
    }
    #expect(complaints.map(\.element) == ["source"])
    #expect(complaints.first?.message.hasPrefix("GLib-GObject reports on its thread: ") == true)
  }

  @Test func anUnknownThreadsRunIsEveryRun() {
    var inner: [Complaints.Complaint] = []
    let outer = heard { _ in
      inner = heard { _ in provoke() }
    }
    #expect(inner.map(\.element) == [nil] && outer == inner)
  }

  @Test func theNextRunHearsWhatNoneHeard() {
    provoke()
    let complaints = heard { _ in provoke() }
    #expect(complaints.count == 1)
    #expect(!Complaints.takeWaiting().contains { $0.text.contains("\"direction\"") })
  }

  @Test func aRunWarnsOnceWithItsNode() async throws {
    var catalog = Catalog.builtIn
    _ = catalog.add(NodeType(Provoking.self))
    let document = try GraphDocument(
      json: """
        { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
            "weak": { "type": "provoking" }, "loud": { "type": "gain" },
            "end": { "type": "nullSink" } },
          "wires": ["tone -> weak -> loud -> end"] }
        """)
    let environment = LiveEnvironment()
    let plan = try Plan(Graph(checking: document, catalog: catalog, environment: environment))
    let report = try await Pipeline(plan, environment: environment).run()
    let warnings = (report.warnings ?? []).filter { $0.message.contains("\"direction\"") }
    // Its source's thread runs it. What other tests provoke meanwhile, on threads of no run, is
    // every run's.
    #expect(warnings.compactMap(\.node) == ["tone"])
  }
}
