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

    /// What a body that media data is requested from has seen.
    private actor Calls {
      private(set) var count = 0
      private(set) var most = 0
      private(set) var refusals = 0
      private var running = 0

      func begin() -> Int {
        running += 1
        most = max(most, running)
        defer { count += 1 }
        return count
      }

      func end(wasTaken: Bool) {
        running -= 1
        if !wasTaken { refusals += 1 }
      }
    }

    @Test func mediaDataIsRequestedWhileTheInputIsReady() async throws {
      let run = try pipeline(json)
      let (input, output) = (try run.input("in"), try run.output("out"))
      let calls = Calls()
      run.start()
      input.requestMediaDataWhenReady { input in
        let number = await calls.begin()
        // As long as nobody else appends, what is ready takes a sample.
        let isLast = number == 500
        let wasTaken = isLast ? true : try? input.appendImmediately(block(number, input))
        await calls.end(wasTaken: wasTaken ?? false)
        if isLast { input.markAsFinished() }
      }
      var times: [MediaTime] = []
      while let sample = await output.next() { times.append(sample.presentationTime) }
      #expect(times == (0..<500).map { MediaTime(frames: $0 * 480, at: 48000) })
      #expect(try await run.end().unbalanced == [])
      // Never two at once, and none after the end.
      #expect(await (calls.count, calls.most, calls.refusals) == (501, 1, 0))
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
