import GStreamer
import TestTools
import Testing

@testable import GraphKit

/// What watches a pad is kept by it, and must not keep it: a program that makes thousands of files would
/// run out of memory.
@Suite(.inTurn) struct PadProbeTests {
  private func isContextLetGo(_ watch: (RunContext, Element) throws -> Void) throws -> Bool {
    Library.start(plugins: ["audioconvert"])
    weak var watched: RunContext?
    do {
      let context = RunContext(log: RunLog(traces: false))
      watched = context
      try watch(context, try #require(Element(factory: "audioconvert", name: "a")))
    }
    return watched == nil
  }

  @Test("filters of a node let their pad go")
  func filters() throws {
    let isLetGo = try isContextLetGo { context, element in
      let filters: [PadFilter] = [
        .mixed(to: ChannelTargets([1, 2])), .bounded(to: 1), .completedRate, .samples { _ in },
        .steady { _ in NodeError("", remedy: "") },
      ]
      FilterRow(filters: filters, node: "a", context: context).attach(
        to: try #require(element.pad("sink")))
    }
    #expect(isLetGo)
  }

  @Test("so does what warns of a decoder's losses")
  func warnings() throws {
    let isLetGo = try isContextLetGo { context, element in
      let output = try #require(element.pad("src"))
      context.warnOfUndecoded(from: element.pad("sink"), to: output, of: "a")
      context.keepOrder(from: element.pad("sink"), to: output, of: "a")
      context.warnOfGaps(at: output, of: "a")
      context.warnOfEarlyEnd(of: output, "a", stated: .zero)
    }
    #expect(isLetGo)
  }
}
