import GraphTesting
import TestTools
import Testing

@testable import GraphKit

/// What a harness makes of nodes that take no more of an input, as the engine does.
@Suite(.inTurn) struct EnoughTests {
  private let mono = AudioFormat(.s16, sampleRate: 1000, channels: 1)

  @Test func aNodeThatHasEnoughIsNotCalledAgain() throws {
    let harness = NodeHarness(Few(count: 3))
    for number in 0..<6 {
      let error: FlowStopped? = {
        do { try harness.push([1] as [Int16], format: mono) } catch { return error as? FlowStopped }
        return nil
      }()
      #expect(error?.isEnough == (number < 2 ? nil : true), "\(number)")
      if let error { #expect("\(error)" == "the node takes no more of this input") }
    }
    #expect(harness.node.calls == ["in", "in", "in", "in ends", "end"])
    #expect(harness.hasEnded)
    try harness.finish()
    #expect(harness.node.calls.count == 5)
    #expect(try harness.samples().count == 3)
  }

  @Test func anInputThatEndsLeavesTheOthersOpen() throws {
    let harness = NodeHarness(Few(count: 2), inputs: ["in", "in.2"])
    try harness.push([1] as [Int16], format: mono, to: "in.2")
    for _ in 0..<3 {
      #expect(throws: FlowStopped.self) {
        try harness.push([1] as [Int16], format: mono, to: "in.2")
      }
    }
    #expect(!harness.hasEnded)
    try harness.push([1] as [Int16], format: mono, to: "in")
    try harness.finish()
    #expect(harness.node.calls == ["in.2", "in.2", "in.2 ends", "in", "in ends", "end"])
  }
}

/// Takes so many samples of each input.
private struct Few: SwiftNode {
  struct Ports: PortSet {
    let input = InputPort<Audio>("in", isRepeatable: true, help: "Audio.")
    let output = OutputPort<Audio>("out", help: "Audio.")
  }
  static let declaration = NodeDeclaration<Few>(
    "few", role: .general, help: "Takes few.", example: "a -> few")
  static let ports = Ports()
  var count = 1
  var calls: [String] = []

  init() {}
  init(count: Int) { self.count = count }

  private func name(_ input: Int) -> String { input == 0 ? "in" : "in.\(input + 1)" }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    calls.append(name(input))
    try outputs.send(sample)
    if calls.count(where: { $0 == name(input) }) >= count { throw FlowStopped.enough }
  }

  mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    calls.append("\(name(input)) ends")
  }

  mutating func finish(to outputs: NodeOutputs) throws { calls.append("end") }
}
