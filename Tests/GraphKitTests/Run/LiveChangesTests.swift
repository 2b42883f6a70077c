import Testing

@testable import GraphKit

@Suite("Live changes on their way to a node")
struct LiveChangesTests {
  private let changes = LiveChanges(NodeType(CheckerNodes.Gain.self))

  private func due(at seconds: Double?) -> [JSONValue] {
    var values: [JSONValue] = []
    let time = seconds.map { MediaTime(seconds: $0, preferredTimescale: 1000) }
    changes.apply(upTo: time) { _, _, value in values.append(value) }
    return values
  }

  private func time(_ seconds: Double) -> MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: 1000)
  }

  @Test("a change without a time comes with the next sample, once")
  func atOnce() {
    #expect(!changes.areWaiting)
    changes.add("decibels", .number(1), at: nil)
    #expect(changes.areWaiting)
    #expect(due(at: nil) == [.number(1)])
    #expect(due(at: nil).isEmpty)
    #expect(!changes.areWaiting)
  }

  @Test("a change waits for the first sample at or after its time")
  func later() {
    changes.add("decibels", .number(1), at: time(2))
    #expect(due(at: 1.999).isEmpty)
    #expect(due(at: nil).isEmpty)
    #expect(changes.areWaiting)
    #expect(due(at: 2) == [.number(1)])
  }

  @Test("changes that are due together come in the order in which they were asked for")
  func order() {
    changes.add("decibels", .number(1), at: time(1))
    changes.add("decibels", .number(2), at: nil)
    changes.add("decibels", .number(3), at: time(9))
    changes.add("decibels", .number(4), at: time(0.5))
    #expect(due(at: 1) == [.number(1), .number(2), .number(4)])
    #expect(due(at: 10) == [.number(3)])
  }
}
