import GraphKit
import Nodes
import Testing

extension RunTests {
  /// Programs that take their time, or don't take what is there for them.
  @Suite struct SlowReaderTests {
    private static let sound = """
      "in": { "type": "testAudio", "seconds": 30 },
      "out": { "type": "appOutput" }
      """

    private func run(_ nodes: String, _ wires: String) throws -> Pipeline {
      var configuration = Pipeline.Configuration()
      // More than a run that is to end may be at rest.
      configuration.stallTimeout = 0.75
      return try pipeline(
        #"{ "nodes": { \#(nodes) }, "wires": [\#(wires)] }"#, configuration: configuration)
    }

    /// Returns once the run has stood still for as long as it may, and its program was warned.
    private func standsStill(_ warnings: AsyncStream<PipelineEvent>) async {
      for await _ in warnings { break }
    }

    @Test func aProgramMayTakeItsTime() async throws {
      let run = try run(Self.sound, #""in -> out""#)
      let output = try run.output("out")
      let warnings = run.events(of: [.warning])
      run.start()
      var frames = await output.next()?.frameCount ?? 0
      #expect(await run.enters(.running))
      await standsStill(warnings)
      #expect(run.state == .running)
      while let block = await output.next() { frames += block.frameCount }
      #expect(frames == 30 * 48_000)
      let report = try await run.end()
      #expect(report.unbalanced == [] && report.warnings?.map(\.node) == ["out"])
    }

    /// What is there when a run is asked to finish is the program's, whenever it takes it.
    @Test func whatIsThereMayBeTakenAfterTheFinish() async throws {
      let run = try run(Self.sound, #""in -> out""#)
      let output = try run.output("out")
      let warnings = run.events(of: [.warning])
      run.start()
      _ = await output.next()
      #expect(await run.enters(.running))
      run.finish()
      #expect(await run.enters(.finishing))
      await standsStill(warnings)
      #expect(run.state == .finishing)
      while let _ = await output.next() {}
      let report = try await run.end()
      #expect(report.state == .completed && report.unbalanced == [])
    }

    @Test func anOutputThatNobodyReadsIsNamed() async throws {
      let run = try run(
        Self.sound + #", "other": { "type": "appOutput" }"#, #""in -> out", "in -> other""#)
      let (output, _) = (try run.output("out"), try run.output("other"))
      run.start()
      while let _ = await output.next() {}
      let failure = try #require(await run.report().failure)
      #expect(failure.isStall && failure.node == "other")
      #expect(failure.message.contains("no program takes its samples"))
    }

    @Test(arguments: [#""in -> out""#, #""in -> out", "in -> file""#])
    func aProgramThatNeverReadsIsTold(wires: String) async throws {
      let file = wires.contains("file") ? #", "file": { "type": "nullSink" }"# : ""
      let run = try run(Self.sound + file, wires)
      // A program that has another end, too, has no time to lose.
      if !file.isEmpty { _ = try run.output("out") }
      let error = await #expect(throws: RunError.self) { try await run.run() }
      #expect(error?.report.failure?.node == "out")
    }
  }
}
