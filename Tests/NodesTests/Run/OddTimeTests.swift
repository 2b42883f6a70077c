import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

extension RunTests {
  /// Times that no sample can have.
  @Suite struct OddTimeTests {
    static let times = [
      MediaTime.positiveInfinity, .negativeInfinity, MediaTime(value: .max, timescale: 1),
    ]

    @Test(arguments: times) func aTimeThatNoSampleHasIsAnError(time: MediaTime) async throws {
      var graph = GraphBuilder(catalog: .builtIn)
      let tone = graph.add("tone", TestAudio()) { $0.seconds = 0.1 }
      let odd = graph.add("odd", OddTimes()) { $0.time = time }
      let end = graph.add("end", NullSink())
      graph.connect(tone.output, to: odd.input)
      graph.connect(odd.output, to: end.port("in", as: Audio.self))
      let environment = LiveEnvironment()
      let run = try Pipeline(Plan(graph.build(in: environment)), environment: environment)
      run.start()
      let failure = try #require(await run.report().failure)
      #expect(failure.node == "odd")
      #expect(failure.message.contains("`out`"), "\(failure.message)")
      #expect(!failure.remedy.isEmpty)
    }

    @Test(arguments: times) func aHarnessRefusesItToo(time: MediaTime) throws {
      var node = OddTimes()
      node.time = time
      let harness = NodeHarness(node)
      let format = AudioFormat(.f32, sampleRate: 48_000, channels: 1)
      let error = try #require(throws: NodeError.self) {
        try harness.push([0, 0] as [Float], format: format)
      }
      #expect(error.message.contains("`out`"), "\(error)")
    }

    @Test(arguments: [MediaTime.invalid, .seconds(-3), .seconds(1e9)])
    func otherTimesAreTaken(time: MediaTime) throws {
      var node = OddTimes()
      node.time = time
      let harness = NodeHarness(node)
      try harness.push(
        [0, 0] as [Float], format: AudioFormat(.f32, sampleRate: 48_000, channels: 1))
      let found = try #require(try harness.samples().first)
      #expect(found.presentationTime.isNumeric == time.isNumeric)
    }
  }
}

/// Gives each sample one time.
private struct OddTimes: SwiftNode {
  var time = MediaTime.zero

  static let declaration = NodeDeclaration<OddTimes>(
    "oddTimes", role: .effect, help: "Gives one time.",
    example: "testAudio -> oddTimes -> nullSink",
    parameters: [])
  static let ports = EffectPorts<Audio>(.audio([.f32]))

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    sample.presentationTime = time
    try outputs.send(sample)
  }
}
