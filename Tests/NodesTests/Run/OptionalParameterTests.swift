import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  /// Live parameters that a graph may leave out.
  @Suite struct OptionalParameterTests {
    @Test func goBackToWhatTheNodeDecides() async throws {
      var catalog = Catalog.builtIn.withTesting()
      let isNew = catalog.add(NodeType(Overridden.self))
      #expect(isNew)
      let run = try pipeline(
        """
        { "nodes": {
            "tone": { "type": "testAudio", "seconds": 3 }, "o": { "type": "overridden" },
            "out": { "type": "appOutput" } },
          "wires": ["tone -> o -> out"] }
        """, catalog: catalog)
      try run.set("o.value", 5, at: MediaTime(value: 1, timescale: 1))
      try run.set("o.value", .null, at: MediaTime(value: 2, timescale: 1))
      let output = try run.output("out")
      run.start()
      var values: [Double: Float] = [:]
      while let sample = await output.next() {
        let second = sample.presentationTime.seconds.rounded(.down)
        sample.withSamples(as: Float.self) { values[second] = $0[0] }
      }
      #expect(values == [0: 1, 1: 5, 2: 1])
      #expect(try await run.end().changes.map(\.value) == [5, .null])
    }

    @Test func onlyThoseMayBeNull() async throws {
      let run = try pipeline(
        """
        { "nodes": { "tone": { "type": "testAudio", "seconds": 1 }, "level": { "type": "gain" },
            "out": { "type": "nullSink" } },
          "wires": ["tone -> level -> out"] }
        """)
      #expect(throws: NodeError.self) { try run.set("level.decibels", .null) }
      _ = try await run.run()
    }
  }
}

/// Gives one value: the stated one, or 1.
private struct Overridden: SwiftNode {
  var value: Double?
  init() {}

  static let declaration = NodeDeclaration<Overridden>(
    "overridden", role: .effect, help: "Gives one value.", example: "microphone -> overridden",
    parameters: [.number("value", \.value, in: -9...9, live: true, help: "The value.")])
  static let ports = EffectPorts<Audio>(.audio([.f32]))

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    var sample = sample
    var block = try sample.audioBlock()
    var span = block.samples(as: Float.self)
    for index in span.indices { span[index] = Float(value ?? 1) }
    try outputs.send(sample)
  }
}
