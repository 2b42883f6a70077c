import GraphKit
import GraphTesting
import Testing

/// An element whose property changes while it runs: only by name, as a plug-in's would.
private struct Brightness: ElementNode {
  var level = 0.0
  init() {}

  static let declaration = NodeDeclaration<Brightness>(
    "brightness", role: .effect, help: "Makes pictures lighter.", example: "camera -> brightness",
    parameters: [.number("level", \.level, in: -1...1, live: true, help: "How much lighter.")])
  static let ports = EffectPorts<Video>(.video([.i420]))

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    [ElementChain([ElementSpec("videobalance", plugin: "videofilter", ["brightness": "\(level)"])])]
  }
}

extension RunTests {
  @Suite("Live parameters of elements")
  struct LiveElementTests {
    @Test func changeAtTheFirstFrameOfTheirTime() async throws {
      var catalog = Catalog.builtIn.withTesting()
      let isNew = catalog.add(NodeType(Brightness.self))
      #expect(isNew)
      let run = try pipeline(
        """
        { "nodes": {
            "count": { "type": "counterFrames", "frames": 30 },
            "light": { "type": "brightness" }, "out": { "type": "appOutput" } },
          "wires": ["count -> light -> out"] }
        """, catalog: catalog)
      try run.set("light.level", -1, at: MediaTime(value: 1, timescale: 3))
      try run.set("light.level", 0, at: MediaTime(value: 2, timescale: 3))
      let output = try run.output("out")
      run.start()
      var numbers: [Int] = []
      while let sample = await output.next() { numbers.append(FrameNumber.read(sample) ?? -1) }
      // Where all is dark, the number reads as zero.
      #expect(numbers == Array(0..<10) + Array(repeating: 0, count: 10) + Array(20..<30))
      let report = try await run.end()
      #expect(report.changes.map(\.applied?.nanoseconds) == [333_333_333, 666_666_666])
      #expect(try run.value(of: "light.level") == 0)
    }
  }
}
