import GraphKit
import Nodes
import Testing

extension RunTests {
  @Suite struct AppPortTests {
    let json = """
      { "nodes": {
          "in": { "type": "appInput", "media": "audio", "sampleRate": 48000, "channels": 1 },
          "half": { "type": "gain", "decibels": -6.0206 },
          "out": { "type": "appOutput" } },
        "wires": ["in -> half -> out"] }
      """

    func block(_ number: Int, _ input: SampleInput) -> SampleBuffer {
      var sample = SampleBuffer(byteCount: 480 * 4, format: input.format)
      sample.withMutableBytes { bytes in
        for index in bytes.indices { bytes[index] = 0 }
      }
      sample.presentationTime = MediaTime(frames: number * 480, at: 48000)
      sample.duration = MediaTime(frames: 480, at: 48000)
      return sample
    }

    @Test func samplesComeOutAsTheyWentIn() async throws {
      let run = try pipeline(json)
      let (input, output) = (try run.input("in"), try run.output("out"))
      run.start()
      let writer = Task {
        for number in 0..<500 { try await input.append(block(number, input)) }
        input.markAsFinished()
      }
      var count = 0
      while let sample = await output.next() {
        #expect(sample.presentationTime == MediaTime(frames: count * 480, at: 48000))
        #expect(sample.frameCount == 480)
        count += 1
      }
      try await writer.value
      #expect(count == 500)
      let report = try await run.end()
      #expect(report.unbalanced == [])
    }

    @Test func aFullInputSaysNoAndAppendWaits() async throws {
      let run = try pipeline(json)
      let (input, output) = (try run.input("in"), try run.output("out"))
      run.start()
      var taken = 0
      // Nobody reads, so both queues fill; each holds seconds at most.
      while try input.appendImmediately(block(taken, input)) || taken < 50 {
        taken += 1
        try #require(taken < 10_000)
      }
      let waiting = Task { [taken] in try await input.append(block(taken, input)) }
      while let _ = output.nextIfAvailable() {}
      _ = await output.next()
      try await waiting.value
      run.cancel()
      await #expect(throws: RunError.self) { try await run.end() }
      #expect(throws: SampleInputClosed.self) { try input.appendImmediately(block(0, input)) }
    }
  }
}
