import GraphKit
import Nodes

/// Writes five seconds of a tone into a WAV file, half as loud as it was.
func writeSofterTone(to path: String) async throws -> Report {
  var builder = GraphBuilder(catalog: .builtIn)
  let tone = builder.add("tone", TestAudio()) { $0.seconds = 5 }
  let softer = builder.add("softer", Gain(decibels: -6))
  let file = builder.add("file", WAVSink()) { $0.path = path }
  builder.connect(tone.output, to: softer.input)
  builder.connect(softer.output, to: file.input)

  let machine = LiveEnvironment()
  let graph = try builder.build(in: machine)
  let pipeline = try Pipeline(try Plan(graph), environment: machine)
  return try await pipeline.run()
}
