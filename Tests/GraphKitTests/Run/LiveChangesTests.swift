import TestTools
import Testing

@testable import GraphKit

@Suite("Live changes on their way to a node", .inTurn)
struct LiveChangesTests {
  private let log = RunLog(traces: false)
  private let changes: LiveChanges

  init() {
    changes = LiveChanges(
      of: "gain", NodeType(CheckerNodes.Gain.self), at: CheckerNodes.Gain(),
      in: Plan(nodes: [], wires: []), log: log)
  }

  private func add(_ value: JSONValue, at time: MediaTime?) throws {
    try changes.add([("decibels", value)], at: time)
  }

  private func due(at seconds: Double?) -> [JSONValue] {
    var values: [JSONValue] = []
    let time = seconds.map(time) ?? .invalid
    changes.apply(upTo: time) { _, _, value in values.append(value) }
    return values
  }

  private func time(_ seconds: Double) -> MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: 1000)
  }

  @Test("a change without a time comes with the next sample, once")
  func atOnce() throws {
    #expect(!changes.areWaiting)
    try add(1, at: nil)
    #expect(changes.areWaiting)
    #expect(due(at: nil) == [1])
    #expect(due(at: nil).isEmpty)
    #expect(!changes.areWaiting)
  }

  @Test("a change waits for the first sample at or after its time")
  func later() throws {
    try add(1, at: time(2))
    #expect(due(at: 1.999).isEmpty)
    #expect(due(at: nil).isEmpty)
    #expect(changes.areWaiting)
    #expect(due(at: 2) == [1])
  }

  @Test("changes that are due together come in the order of their times, those without one last")
  func order() throws {
    try add(1, at: time(1))
    try add(2, at: nil)
    try add(3, at: time(9))
    try add(4, at: time(0.5))
    #expect(due(at: 1) == [4, 1, 2])
    #expect(due(at: 10) == [3])
  }

  @Test("what came is logged with its time, what hasn't waits")
  func logged() throws {
    try add(1, at: time(1))
    try add(2, at: time(9))
    #expect(due(at: 3) == [1])
    #expect(log.changes.first.map(\.applied) == [time(3)])
    #expect(changes.waiting.map(\.value) == [2])
  }

  @Test("the log keeps the first changes, and counts the others")
  func bounded() {
    var log = FirstEntries<ParameterChange>(most: 100)
    let change = ParameterChange(node: "a", parameter: "b", value: 1)
    for _ in 0..<103 { log.add(change) }
    #expect((log.first.count, log.more) == (100, 3))
    let kept = log.kept(with: [change, change])
    #expect((kept.entries.count, kept.omitted) == (100, 5))
    let all = FirstEntries<ParameterChange>(most: 100).kept(with: [change])
    #expect((all.entries.count, all.omitted) == (1, nil))
  }
}
