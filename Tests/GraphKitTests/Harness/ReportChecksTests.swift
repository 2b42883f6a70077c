import GraphTesting
import TestTools
import Testing

@testable import GraphKit

@Suite("Checks of a report", .inTurn)
struct ReportChecksTests {
  private func report(
    _ state: PipelineState = .completed, in samplesIn: Int = 3, out: Int = 3,
    dropped: [String: Int] = [:]
  ) -> Report {
    var ledger = WireLedger()
    (ledger.samplesIn, ledger.samplesOut, ledger.dropped) = (samplesIn, out, dropped)
    return Report(
      state: state, failure: nil, wallSeconds: 1, cpuSeconds: 1, wires: ["a.out -> b.in": ledger])
  }

  private func fault(_ body: () throws -> Void) -> String? {
    do { try body() } catch { return "\(error)" }
    return nil
  }

  @Test("a report that adds up passes")
  func balanced() {
    #expect(fault { try expectBalanced(report()) } == nil)
    #expect(fault { try expectBalanced(report(in: 5, dropped: ["wireFull": 2])) } == nil)
    #expect(fault { try expectNothingDropped(report()) } == nil)
    #expect(fault { try expectSamples(3, on: "a.out -> b.in", of: report()) } == nil)
  }

  @Test("one that doesn't says where and by how much")
  func faults() {
    #expect(
      fault { try expectBalanced(report(in: 4)) }
        == "samples are lost without a trace: a.out -> b.in: 4 in, 3 out, 0 held")
    #expect(
      fault { try expectBalanced(report(.cancelled)) } == "the run cancelled, without a reason")
    #expect(
      fault { try expectNothingDropped(report(in: 5, dropped: ["wireFull": 2])) }
        == "samples were dropped: a.out -> b.in: 5 in, 3 out, 0 held, 2 dropped (wireFull)")
    #expect(
      fault { try expectSamples(4, on: "a.out -> b.in", of: report()) }
        == "a.out -> b.in: 3 in, 3 out, 0 held, not 4 out")
    #expect(
      fault { try expectSamples(4, on: "x", of: report()) }
        == "there is no wire `x`; there are a.out -> b.in")
  }
}
