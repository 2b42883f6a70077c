import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("pass and nullSink", .inTurn)
struct PassTests {
  private let mono = AudioFormat(.s16, sampleRate: 1000, channels: 1)

  @Test("pass hands every sample on, empty ones too")
  func pass() throws {
    let harness = NodeHarness(Pass())
    for block in [[1, 2], [], [3]] as [[Int16]] { try harness.push(block, format: mono) }
    try harness.finish()
    #expect(try harness.samples().map { $0.values(as: Int16.self) } == [[1, 2], [], [3]])
    #expect(harness.hasEnded)
  }

  @Test("nullSink takes whatever comes, and its end")
  func nullSink() throws {
    let harness = NodeHarness(NullSink())
    try harness.push([1, 2] as [Int16], format: mono)
    try harness.push([] as [Int16], format: mono)
    try harness.finish()
    #expect(harness.hasEnded)
  }

  @Test("either takes an end without a sample")
  func immediateEnd() throws {
    let (pass, sink) = (NodeHarness(Pass()), NodeHarness(NullSink()))
    try pass.finish()
    try sink.finish()
    #expect(pass.hasEnded && sink.hasEnded)
    #expect(try pass.samples().isEmpty)
  }
}
