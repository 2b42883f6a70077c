import GraphTesting
import TestTools
import Testing

@testable import GraphKit

@Suite("The node harness", .inTurn)
struct NodeHarnessTests {
  private let mono = AudioFormat(.s16, sampleRate: 1000, channels: 1)

  @Test("gives blocks one after another, and collects what comes out")
  func collecting() throws {
    let harness = NodeHarness(HarnessNodes.Delay(length: 2))
    try harness.push([1, 2, 3] as [Int16], format: mono)
    try harness.push([4] as [Int16], format: mono)
    #expect(try harness.values(as: Int16.self) == [1, 2])
    #expect(!harness.hasEnded)
    try harness.finish()
    #expect(harness.hasEnded)
    #expect(try harness.values(as: Int16.self) == [1, 2, 3, 4])
    #expect(try harness.formats() == [.audio(mono)])
    #expect(try harness.samples().first?.presentationTime == .zero)
    #expect(try harness.takeSamples().count == 3)
    #expect(try harness.samples().isEmpty)
  }

  @Test("announces each format once, and again where it changes")
  func announcing() throws {
    let harness = NodeHarness(HarnessNodes.Delay(length: 0))
    let other = AudioFormat(.s16, sampleRate: 2000, channels: 1)
    try harness.push([1] as [Int16], format: mono)
    try harness.push([2] as [Int16], format: mono)
    try harness.push([3] as [Int16], format: other)
    #expect(harness.node.prepared == [.audio(mono), .audio(other)])
  }

  /// As the engine ends a run for it.
  @Test(
    "refuses what the port doesn't take, and says what it does",
    arguments: [
      AudioFormat(.s16, sampleRate: 1000, channels: 2),
      AudioFormat(.f32, sampleRate: 1000, channels: 1),
      AudioFormat(.f32, sampleRate: 1000, channels: 2, layout: .planar),
    ])
  func refusing(_ format: AudioFormat) throws {
    let harness = NodeHarness(HarnessNodes.Strict())
    let error = try #require(throws: HarnessError.self) {
      try harness.push([UInt8](repeating: 0, count: 16), format: format)
    }
    #expect("\(error)".hasPrefix("`in` takes raw audio f32 interleaved, stereo"), "\(error)")
    #expect("\(error)".contains("\(format)"), "\(error)")
    let taken = AudioFormat(.f32, sampleRate: 1000, channels: 2)
    try harness.push([0, 0] as [Float], format: taken)
    #expect(try harness.samples().count == 1)
  }

  @Test("an immediate end and an empty block are streams like any other")
  func empty() throws {
    let harness = NodeHarness(HarnessNodes.Delay(length: 2))
    try harness.push([] as [Int16], format: mono)
    try harness.finish()
    try harness.finish()
    #expect(try harness.values(as: Int16.self).isEmpty)
    #expect(throws: HarnessError.inputFinished("in")) {
      try harness.push([1] as [Int16], format: mono)
    }
  }

  @Test("several inputs go by name, and the node ends with the last of them")
  func inputs() throws {
    let harness = NodeHarness(HarnessNodes.Joiner(), inputs: ["in", "in.2"])
    try harness.push([1] as [Int16], format: mono, to: "in.2")
    try harness.push([2] as [Int16], format: mono, to: "in")
    try harness.finish("in.2")
    try harness.push([3] as [Int16], format: mono, to: "in")
    #expect(harness.node.order == [1, 0, 0])
    #expect(!harness.node.hasFinished)
    try harness.finish("in")
    #expect(harness.node.hasFinished)
    #expect(throws: HarnessError.noSuchPort("in.3", ports: ["in", "in.2"])) {
      try harness.finish("in.3")
    }
    #expect(throws: HarnessError.needsPort(["in", "in.2"])) {
      try harness.push([1] as [Int16], format: mono)
    }
  }

  @Test("a node that sends more than there is demand for is told so")
  func demand() throws {
    let harness = NodeHarness(HarnessNodes.Delay(length: 0))
    harness.demand = 2
    try harness.push([1] as [Int16], format: mono)
    #expect(harness.demand == 1)
    try harness.push([2] as [Int16], format: mono)
    #expect(throws: HarnessError.noDemand(output: "out")) {
      try harness.push([3] as [Int16], format: mono)
    }
    harness.demand = nil
    try harness.push([4] as [Int16], format: mono)
    #expect(try harness.values(as: Int16.self) == [1, 2, 4])
  }

  @Test("a node that keeps a refusal to itself is found out")
  func ignoring() throws {
    let harness = NodeHarness(HarnessNodes.Deaf())
    harness.demand = 0
    #expect(throws: HarnessError.refusalIgnored(output: "out")) {
      try harness.push([1] as [Int16], format: mono)
    }
  }

  @Test("a node that must remember but doesn't is found out by cutting")
  func cutting() throws {
    let format = AudioFormat(.s16, sampleRate: 1000, channels: 2)
    let values = AudioSignal.ramp.values16(0..<100, sampleRate: 1000, channels: 2)
    let same = try outputOfEveryCut(of: values, format: format) { HarnessNodes.Delay(length: 6) }
    #expect(same == values)
    let difference = HarnessError.cutDiffers(.oneFrame, index: 2, whole: "2", found: "0")
    #expect(throws: difference) {
      try outputOfEveryCut(of: values, format: format) { HarnessNodes.Numberer() }
    }
  }

  @Test("cuts cover everything once", arguments: BlockCut.allCases, [0, 1, 2, 5000])
  func cuts(cut: BlockCut, count: Int) {
    #expect(cut.blocks(of: count).flatMap { $0 } == Array(0..<count))
  }

  @Test("planar blocks are made of the same interleaved samples")
  func planar() throws {
    let format = AudioFormat(.s16, sampleRate: 1000, channels: 2, layout: .planar)
    let values = (0..<40).map { Int16($0) }
    let same = try outputOfEveryCut(of: values, format: format) { HarnessNodes.Relay() }
    #expect(same == values)
  }

  @Test("parameters are set as a graph file sets them")
  func parameters() {
    let harness = NodeHarness(SignalSource())
    #expect(harness.set("frames", to: .number(5)))
    #expect(harness.node.frames == 5)
    #expect(!harness.set("frames", to: .number(-5)))
    #expect(!harness.set("frame", to: .number(5)))
  }

  @Test("values of another type than the format's are refused, and parts of frames")
  func wrongValues() throws {
    let harness = NodeHarness(HarnessNodes.Relay())
    #expect(throws: HarnessError.wrongValues("2 values of Float", format: mono)) {
      try harness.push([1, 2] as [Float], format: mono)
    }
    let stereo = AudioFormat(.s16, sampleRate: 1000, channels: 2)
    #expect(throws: HarnessError.wrongValues("3 values of Int16", format: stereo)) {
      try harness.push([1, 2, 3] as [Int16], format: stereo)
    }
    try harness.push([1, 0, 2, 0] as [UInt8], format: stereo)
    #expect(try harness.values(as: Int16.self) == [1, 2])
  }

  @Test("a node that sends a part of a frame gets an error")
  func partsOfFrames() throws {
    let harness = NodeHarness(HarnessNodes.Cutter())
    #expect(throws: NodeError.self) { try harness.push([1] as [Int16], format: mono) }
    #expect(try harness.samples().isEmpty)
  }

  @Test(
    "inputs that the node can't have are refused",
    arguments: [["in", "in"], ["in", "zzz"], ["zzz"]])
  func wrongInputs(inputs: [String]) throws {
    let harness = NodeHarness(HarnessNodes.Joiner(), inputs: inputs)
    let error = #expect(throws: HarnessError.self) {
      try harness.push([1] as [Int16], format: mono, to: inputs[0])
    }
    #expect(error == .wrongInputs(inputs, ports: ["in"]))
    #expect(error?.description.contains("in.2") == true)
    #expect(throws: HarnessError.self) { try harness.finish() }
  }
}
