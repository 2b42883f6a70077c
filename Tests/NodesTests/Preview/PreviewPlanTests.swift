import GraphKit
import Nodes
import TestTools
import Testing

@Suite("Where a plan keeps the newest frame alone", .inTurn)
struct PreviewPlanTests {
  private func lowerings(_ nodes: String, _ wires: String) throws -> [String: String] {
    let made = try plan("{ \"nodes\": { \(nodes) }, \"wires\": [\(wires)] }")
    return Dictionary(
      uniqueKeysWithValues: made.wires.map { wire in
        ("\(wire.from) -> \(wire.to)", wire.lowering.keepsLatest ? "latest" : "all")
      })
  }

  private let nodes = """
    "camera": { "type": "testVideo", "live": true }, "end": { "type": "nullSink" },
    "mask": { "type": "channelMask" }, "preview": { "type": "preview" }
    """

  @Test func beforeThePreview() throws {
    #expect(
      try lowerings(nodes, #""camera -> mask -> end", "mask -> preview""#) == [
        "camera.out -> mask.in": "all", "mask.out -> end.in": "all",
        "mask.out -> preview.in": "latest",
      ])
  }

  @Test func saysThatNothingElseLimitsIt() throws {
    let made = try plan(
      "{ \"nodes\": { \(nodes) }, \"wires\": [\"camera -> mask -> end\", \"mask -> preview\"] }")
    #expect("\(made)".contains("queue 1 sample of any length and size, keeps the newest"))
    let wires = PlanListing(made).wires
    let queue = try #require(wires.first { $0.to.node == "preview" }?.queue)
    #expect(queue.samples == 1 && queue.time == nil && queue.bytes == nil)
    #expect(queue.interleavingWindow == nil)
  }

  @Test func whereTheBranchForksOffThatLeadsToIt() throws {
    #expect(
      try lowerings(nodes, #""camera -> end", "camera -> mask -> preview""#) == [
        "camera.out -> end.in": "all", "camera.out -> mask.in": "latest",
        "mask.out -> preview.in": "latest",
      ])
  }
}

extension Lowering {
  fileprivate var keepsLatest: Bool {
    if case .queue(let policy) = self { policy.keepsLatest } else { false }
  }
}
