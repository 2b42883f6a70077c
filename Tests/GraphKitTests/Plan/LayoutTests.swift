import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct LayoutTests {
  private struct Area {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    func covers(_ other: Area) -> Bool {
      left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
  }

  private func boxes(_ page: Page) -> [Area] {
    page.boxes.map { box in
      Area(
        left: box.origin.x, top: box.origin.y, right: box.origin.x + box.shape.width,
        bottom: box.origin.y + box.shape.height)
    }
  }

  /// The room of each label: from where it begins to the box, above the wire and below.
  private func labels(_ page: Page) -> [Area] {
    page.wires.map { wire in
      Area(left: wire.label.x, top: wire.end.y - 16, right: wire.end.x, bottom: wire.end.y + 16)
    }
  }

  private func pages() throws -> [Page] {
    try (UInt64(0)..<40).map { seed in
      var random = SplitMix(seed: seed)
      return Page(Drawing(try Plan(DeadlockTests.sketch(&random).graph)))
    } + [Page(Drawing(try Plan(Pictures.studio.graph)))]
  }

  @Test func `no box or label covers another`() throws {
    for page in try pages() {
      let areas = boxes(page) + labels(page)
      for (number, area) in areas.enumerated() {
        #expect(!areas[..<number].contains { $0.covers(area) })
      }
    }
  }

  @Test func `a wire that passes a column keeps clear of its boxes`() throws {
    for page in try pages() {
      for wire in page.wires {
        for (first, second) in zip(wire.curves, wire.curves.dropFirst()) {
          let level = Area(
            left: first.to.x, top: first.to.y - 8, right: second.from.x, bottom: first.to.y + 8)
          #expect(!boxes(page).contains { $0.covers(level) })
        }
      }
    }
  }

  @Test func `everything is on the page, and wires go from left to right`() throws {
    for page in try pages() {
      #expect(boxes(page).allSatisfy { $0.left > 0 && $0.top > 0 })
      #expect(boxes(page).allSatisfy { $0.right < page.width && $0.bottom < page.height })
      #expect(page.wires.allSatisfy { $0.start.x < $0.end.x })
    }
  }

  @Test func `a chain is drawn straight`() throws {
    let page = Page(Drawing(try Plan(Pictures.record.graph)))
    let heights = page.wires.filter { $0.line.to.node != "movie" && $0.line.kind == .video }
    #expect(Set(heights.map(\.end.y)).count == 1)
  }

  @Test func `wires cross only where they must`() throws {
    var sketch = Sketch()
    for name in ["a", "b", "c"] {
      sketch.add("\(name)1", FakeElement<SourceTag>.self, [output(.video())])
    }
    for name in ["c", "a", "b"] {
      sketch.add("\(name)2", FakeElement<SinkTag>.self, [input(.video())])
      sketch.wire("\(name)1 -> \(name)2")
    }
    let page = Page(Drawing(sketch.graph))
    #expect(page.wires.allSatisfy { $0.start.y == $0.end.y })
  }
}
