import GStreamer
import GraphTesting
import Nodes
import TestTools
import Testing

@testable import GraphKit

@Suite("Memory of a running graph", .inTurn)
struct SteadyMemoryTests {
  @Test("a thousand blocks of a pool pass stages and queues in the memory of a few")
  func blocks() async throws {
    var graph = GraphBuilder(catalog: .builtIn)
    let source = graph.add("source", SignalSource(.ramp, frames: 1000 * 1024))
    let gain = graph.add("gain", Gain(decibels: -6))
    let exit = graph.add("exit", AppOutput())
    graph.connect(source.output, to: gain.input)
    graph.connect(gain.output, to: exit.input)
    let environment = LiveEnvironment()
    var patient = Pipeline.Configuration()
    // This task reads, and has to wait for its turn among those of all other tests.
    patient.stallTimeout = 100
    let pipeline = try Pipeline(
      Plan(graph.build(in: environment)), environment: environment, configuration: patient)
    let output = try pipeline.output("exit")
    pipeline.start()
    var (addresses, count): (Set<UInt>, Int) = ([], 0)
    while let sample = await output.next() {
      if let address = BufferMap(sample.buffer)?.address { addresses.insert(address) }
      count += 1
    }
    try await expectBalanced(pipeline.end())
    #expect(count == 1000)
    // As many as the one wire holds, and those in hand.
    let most = try await pipeline.end().wires.values.map(\.highWaterSamples).max() ?? 0
    #expect(addresses.count <= most + 3, "\(addresses.count) blocks, \(most) on the wire")
    #expect(most < 200)
  }
}
