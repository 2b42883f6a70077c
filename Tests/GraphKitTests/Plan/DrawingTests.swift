import Foundation
import TestTools
import Testing

@testable import GraphKit

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite(.inTurn) struct DrawingTests {
  /// Two nodes, one wire, and a converter between them.
  private var small: Drawing {
    get throws {
      var sketch = Sketch()
      sketch.add(
        "a\"<b>&", FakeElement<SourceTag>.self, [output(.video([.bgra]))], isLive: true)
      sketch.add("sink", FakeElement<SinkTag>.self, [input(.video([.i420]))])
      sketch.wires = [
        GraphWire(
          from: PortReference("a\"<b>&", "out"), to: PortReference("sink", "in"),
          place: nil)
      ]
      return Drawing(try Plan(sketch.graph))
    }
  }

  @Test func `DOT names nodes, formats and queues`() throws {
    #expect(
      try small.dot == #"""
        digraph {
          rankdir=LR;
          node [shape=box, style="rounded,filled", fontname="Helvetica"];
          edge [fontname="Helvetica", fontsize=10];
          "a\"<b>&" [label="a\"<b>&\nfakesource", fillcolor="#e3f4ea"];
          "sink" [label="sink\nfakesink", fillcolor="#e4ecfb"];
          "convert:a\"<b>&-sink" [label="videoConvert\ni420", fillcolor="#eef0f3", \#
        style="rounded,filled,dashed"];
          "a\"<b>&" -> "convert:a\"<b>&-sink" [label="BGRA\nqueue 1 s, drops", style=bold];
          "convert:a\"<b>&-sink" -> "sink" [label="I420"];
        }

        """#)
  }

  @Test func `Mermaid names nodes, formats and queues`() throws {
    #expect(
      try small.mermaid == """
        flowchart LR
          n0("<b>a&quot;&lt;b&gt;&amp;</b><br>fakesource"):::source_
          n1("<b>sink</b><br>fakesink"):::sink_
          n2("<b>videoConvert</b><br>i420"):::converter_
          n0 ==>|"BGRA<br>queue 1 s, drops"| n2
          n2 -->|"I420"| n1
          classDef source_ fill:#e3f4ea,stroke:#2a8f5b,color:#1b1f24
          classDef converter_ fill:#eef0f3,stroke:#6b7684,color:#1b1f24
          classDef sink_ fill:#e4ecfb,stroke:#2f66c4,color:#1b1f24
          style n2 stroke-dasharray:4 3

        """)
  }

  @Test(arguments: 0..<4) func `SVG is well formed and has each node and wire once`(
    number: Int
  ) throws {
    let drawings = try [
      small, Drawing(Plan(Pictures.record.graph)), Drawing(Plan(Pictures.studio.graph)),
      Drawing(Pictures.fanOut.graph),
    ]
    let drawing = drawings[number]
    let document = try XMLDocument(xmlString: drawing.svg)
    let root = try #require(document.rootElement())
    let groups = root.elements(forName: "g").compactMap { group in
      group.attributes?.first { $0.name == "class" }?.stringValue
    }
    #expect(groups.count { $0.hasPrefix("node ") } == drawing.nodes.count)
    #expect(groups.count { $0.hasPrefix("wire ") } == drawing.wires.count)
    let titles = root.elements(forName: "g").compactMap {
      $0.elements(forName: "title").first?.stringValue
    }
    for node in drawing.nodes {
      #expect(titles.count { $0.hasPrefix("\(node.name): ") } == 1)
    }
    for wire in drawing.wires {
      #expect(titles.count { $0.hasPrefix("\(wire.from) -> \(wire.to)") } == 1)
    }
    if let folder = ProcessInfo.processInfo.environment["DRAWINGS"] {
      try drawing.svg.write(toFile: "\(folder)/\(number).svg", atomically: true, encoding: .utf8)
    }
  }

  @Test func `a graph of nothing can be drawn`() throws {
    let empty = Drawing(Sketch().graph)
    #expect(throws: Never.self) { try XMLDocument(xmlString: empty.svg) }
    #expect(empty.mermaid == "flowchart LR\n")
  }
}
