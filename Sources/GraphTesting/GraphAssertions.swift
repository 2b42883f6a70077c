import GraphKit

/// Checks that a run completed, and that every sample of every wire is accounted for.
public func expectBalanced(_ report: Report) throws {
  guard report.state == .completed else {
    throw HarnessError.report(
      "the run \(report.state.rawValue)"
        + (report.failure.map { ": \($0)" } ?? ", without a reason"))
  }
  try expectLedgersBalanced(report)
}

/// Checks that every sample of every wire is accounted for, however the run ended.
public func expectLedgersBalanced(_ report: Report) throws {
  let faults = report.unbalanced.compactMap { name in
    report.wires[name].map { "\(name): \($0.account)" }
  }
  guard faults.isEmpty else {
    throw HarnessError.report(
      "samples are lost without a trace: " + faults.joined(separator: "; "))
  }
}

/// Checks that no wire dropped anything.
public func expectNothingDropped(_ report: Report) throws {
  let losses = report.wires.filter { !$0.value.dropped.isEmpty }.sorted { $0.key < $1.key }
  guard losses.isEmpty else {
    let lines = losses.map { "\($0.key): \($0.value.account)" }
    throw HarnessError.report("samples were dropped: " + lines.joined(separator: "; "))
  }
}

/// Checks how many samples reached the far end of a wire, which is named as reports name it:
/// `tone.out -> gain.in`.
public func expectSamples(_ count: Int, on wire: String, of report: Report) throws {
  guard let ledger = report.wires[wire] else {
    let known = report.wires.keys.sorted().joined(separator: ", ")
    throw HarnessError.report("there is no wire `\(wire)`; there are \(known)")
  }
  guard ledger.samplesOut == count else {
    throw HarnessError.report("\(wire): \(ledger.account), not \(count) out")
  }
}

extension WireLedger {
  /// The account in words: `10 in, 7 out, 1 held, 2 dropped (wireFull)`.
  fileprivate var account: String {
    let losses = dropped.sorted { $0.key < $1.key }.map { ", \($0.value) dropped (\($0.key))" }
    return "\(samplesIn) in, \(samplesOut) out, \(held) held" + losses.joined()
  }
}
