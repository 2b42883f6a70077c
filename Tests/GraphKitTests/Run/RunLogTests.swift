import TestTools
import Testing

@testable import GraphKit

/// What a run keeps of what it reports.
@Suite(.inTurn) struct RunLogTests {
  @Test func countsTheWarningsThatItLeavesOut() {
    let log = RunLog(traces: false)
    for number in 0..<100 { log.send(.warning(node: "a", message: "\(number)")) }
    #expect(log.warnings.more == 0)
    for number in 100..<130 { log.send(.warning(node: "a", message: "\(number)")) }
    #expect(log.warnings.first.map(\.message) == (0..<100).map(String.init))
    #expect(log.warnings.more == 30)
  }

  /// Of a reducer that works on several cores a graph has one node.
  @Test(arguments: [("peaks:1", "peaks"), ("peaks", "peaks"), ("a:b:2", "a:b"), ("a:b", "a:b")])
  func namesTheNodeOfTheGraph(copy: String, node: String) {
    let context = RunContext(log: RunLog(traces: false))
    context.fail(PipelineFailure(node: copy, message: "m", remedy: "r"))
    #expect(context.failure?.node == node)
  }
}
