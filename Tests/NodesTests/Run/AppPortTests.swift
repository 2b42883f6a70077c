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

    /// A program may be through with all samples before the pipeline plays.
    @Test func anEndBeforeTheStartIsAnEnd() async throws {
      let run = try pipeline(
        json.replacing("in -> half -> out", with: "in -> out").replacing(
          #""half": { "type": "gain", "decibels": -6.0206 },"#, with: ""))
      let (input, output) = (try run.input("in"), try run.output("out"))
      for number in 0..<5 { try await input.append(block(number, input)) }
      input.markAsFinished()
      var count = 0
      while let _ = await output.next() { count += 1 }
      #expect(count == 5)
      run.start()
      #expect(try await run.end().unbalanced == [])
    }

    private func recording(into path: String) throws -> Pipeline {
      try pipeline(
        """
        { "nodes": {
            "in": { "type": "appInput", "media": "audio", "sampleRate": 48000, "channels": 1 },
            "file": { "type": "wavSink", "path": "\(path)" } }, "wires": ["in -> file"] }
        """)
    }

    /// What was appended is written, whenever the run is asked to finish.
    @Test(arguments: [true, false]) func whatWasTakenIsWritten(finishesFirst: Bool) async throws {
      let scratch = try TestFolder()
      let path = scratch.path("a.wav")
      let run = try recording(into: path)
      let input = try run.input("in")
      for number in 0..<20 { try await input.append(block(number, input)) }
      if finishesFirst { run.finish() }
      run.start()
      if !finishesFirst { run.finish() }
      let report = try await run.end()
      #expect(report.state == .completed && report.unbalanced == [])
      #expect(try decodedSound(of: path).count == 20 * 480)
    }

    @Test func aPauseMayComeBeforeItRuns() async throws {
      let scratch = try TestFolder()
      let run = try recording(into: scratch.path("a.wav"))
      run.pause()
      run.start()
      #expect(await run.enters(.paused))
      let input = try run.input("in")
      for number in 0..<20 { try await input.append(block(number, input)) }
      run.resume()
      input.markAsFinished()
      #expect(try await run.end().unbalanced == [])
    }

    /// What has ended before a pause doesn't end once more after it.
    @Test func anEndBeforeAPauseIsAnEnd() async throws {
      let scratch = try TestFolder()
      let run = try pipeline(
        """
        { "nodes": {
            "one": { "type": "appInput", "media": "audio", "sampleRate": 48000, "channels": 1 },
            "other": { "type": "appInput", "media": "audio", "sampleRate": 48000, "channels": 1 },
            "file": { "type": "wavSink", "path": "\(scratch.path("one.wav"))" },
            "out": { "type": "appOutput" }, "end": { "type": "nullSink" },
            "last": { "type": "nullSink" } },
          "wires": ["one -> end", "one -> file", "one -> out", "other -> last"] }
        """)
      let (one, other, out) = (try run.input("one"), try run.input("other"), try run.output("out"))
      run.start()
      try await one.append(block(0, one))
      one.markAsFinished()
      while let _ = await out.next() {}
      #expect(await run.enters(.running))
      run.pause()
      #expect(await run.enters(.paused))
      try await other.append(block(0, other))
      other.markAsFinished()
      run.resume()
      let report = try await run.end()
      #expect(report.state == .completed && report.unbalanced == [])
    }

    /// Progress goes by the stated duration, and by none where nothing is stated.
    @Test(arguments: [nil, 2.0]) func aStatedDurationMakesProgress(_ duration: Double?) async throws
    {
      let stated = duration.map { ", \"duration\": \($0)" } ?? ""
      let run = try pipeline(
        json.replacing("\"channels\": 1", with: "\"channels\": 1\(stated)"))
      let (input, output) = (try run.input("in"), try run.output("out"))
      let events = run.events(of: [.progress])
      run.start()
      for number in 0..<50 {
        try await input.append(block(number, input))
        _ = await output.next()
      }
      var told: PipelineEvent.Progress?
      for await event in events {
        guard case .progress(let progress) = event.kind, progress.position > 0.4 else { continue }
        told = progress
        break
      }
      #expect(told?.duration == duration)
      #expect(told?.fraction.map { (0.2...0.26).contains($0) } == duration.map { _ in true })
      input.markAsFinished()
      while let _ = await output.next() {}
      _ = try await run.end()
    }

    /// The frames of the pool are used again, and hold what was drawn.
    @Test func framesOfThePoolGoThrough() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "in": { "type": "appInput", "media": "video", "width": 32, "height": 16,
                    "pixelFormat": "rgba", "frameRate": 25 },
            "negative": { "type": "invert" },
            "out": { "type": "appOutput" } }, "wires": ["in -> negative -> out"] }
        """)
      let (input, output) = (try run.input("in"), try run.output("out"))
      let pool = try #require(input.pixelBufferPool)
      #expect(pool.format.format == input.format.format)
      run.start()
      let writer = Task {
        for number in 0..<20 {
          var frame = try pool.take()
          frame.withMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = UInt8(number) }
          }
          frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
          try await input.append(frame)
        }
        input.markAsFinished()
      }
      var shades: [UInt8] = []
      while let sample = await output.next() {
        #expect(sample.byteCount == 32 * 16 * 4)
        shades.append(sample.withBytes { $0[0] == $0[2_044] ? 255 - $0[0] : 255 })
      }
      try await writer.value
      #expect(shades == Array(0..<20))
      _ = try await run.end()
      #expect(try pipeline(json).input("in").pixelBufferPool == nil)
    }

    @Test func whatIsCancelledBeforeItStartsHoldsNobody() async throws {
      let run = try pipeline(json)
      let (input, output) = (try run.input("in"), try run.output("out"))
      async let waiting = output.next()?.frameCount
      run.cancel()
      run.start()
      #expect(await waiting == nil)
      #expect(await output.next()?.frameCount == nil)
      await #expect(throws: SampleInputClosed.self) { try await input.append(block(0, input)) }
      #expect(!input.isReadyForMoreMediaData)
      #expect(await run.report().state == .cancelled)
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

    @Test("planar blocks of a pool enter as interleaved ones do", arguments: [1, 2])
    func planarBlocks(channels: Int) async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "in": { "type": "appInput", "layout": "planar", "channels": \(channels) },
            "convert": { "type": "audioConvert", "layout": "interleaved" },
            "out": { "type": "appOutput" } },
          "wires": ["in -> convert -> out"] }
        """)
      let (input, output) = (try run.input("in"), try run.output("out"))
      let pool = try BlockPool(
        AudioFormat(.f32, sampleRate: 48_000, channels: channels, layout: .planar), frameCount: 64)
      run.start()
      let values = (0..<64 * channels).map { Float($0) / 256 }
      for number in 0..<4 {
        var block = try pool.take()
        block.presentationTime = MediaTime(frames: number * 64, at: 48_000)
        block.withMutableElements(as: Float.self) { span in
          for index in span.indices { span[index] = values[index] }
        }
        // A part of a block is planar, too: its planes are as much shorter.
        if number == 3 { block.trim(offset: 0, byteCount: 32 * channels * 4) }
        try await input.append(block)
      }
      input.markAsFinished()
      var seen: [[Float]] = []
      while let sample = await output.next() {
        seen.append(sample.withSamples(as: Float.self) { span in span.indices.map { span[$0] } })
      }
      func interleaved(_ frames: Int) -> [Float] {
        (0..<frames * channels).map { values[$0 % channels * frames + $0 / channels] }
      }
      #expect(seen == [64, 64, 64, 32].map(interleaved))
      #expect(try await run.end().unbalanced == [])
    }

    @Test("what is no sample of the stream is refused in words")
    func refusals() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "sound": { "type": "appInput" },
            "video": { "type": "appInput", "media": "video", "width": 64, "height": 48 },
            "coded": { "type": "appInput", "media": "video", "codec": "h264" },
            "out1": { "type": "appOutput" }, "out2": { "type": "appOutput" },
            "out3": { "type": "appOutput" } },
          "wires": ["sound -> out1", "video -> out2", "coded -> out3"] }
        """)
      run.start()
      defer { run.cancel() }
      func refusal(_ node: String, _ count: Int, at time: MediaTime = .zero) throws -> String? {
        let input = try run.input(node)
        var sample = SampleBuffer(byteCount: count, format: input.format)
        sample.presentationTime = time
        return #expect(throws: NodeError.self) { try input.appendImmediately(sample) }?.message
      }
      #expect(try refusal("sound", 12)?.contains("each frame of") == true)
      #expect(try refusal("video", 64 * 48)?.contains("don't hold the planes") == true)
      let half = MediaTime(value: -1, timescale: 2)
      #expect(
        try refusal("sound", 8, at: half)
          == "a sample at -0.5 s, before the stream's beginning at 0.0 s")
      // The same codec, in another form of stream.
      let coded = try run.input("coded")
      let caps = coded.format.capsText.replacing("byte-stream", with: "avc")
      let other = SampleBuffer(byteCount: 8, format: try FormatDescription(capsText: caps))
      let form = #expect(throws: NodeError.self) { try coded.appendImmediately(other) }
      #expect(form?.message.contains("stream-format=(string)avc") == true)
    }

    @Test("frames whose rows are further apart enter with their layout, whatever enters later")
    func paddedRows() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "in": { "type": "appInput", "media": "video", "width": 6, "height": 4 },
            "turn": { "type": "videoConvert", "pixelFormat": "gray8" },
            "out": { "type": "appOutput" } },
          "wires": ["in -> turn -> out"] }
        """)
      let (input, output) = (try run.input("in"), try run.output("out"))
      guard case .video(let video) = input.format.format else { return }
      run.start()
      for padding in [0, 10, 4] {
        var frame = try SampleBuffer(input.format, video, padding: padding)
        frame.withMutableBytes { bytes in
          // Y as light as its column, the padding lighter, no color.
          for index in bytes.indices {
            let (stride, rows) = (8 + padding, 4)
            bytes[index] = index < stride * rows ? UInt8(10 * (1 + index % stride)) : 128
          }
        }
        frame.presentationTime = .zero
        try await input.append(frame)
      }
      input.markAsFinished()
      var rows: [[UInt8]] = []
      while let sample = await output.next() {
        sample.withPlane(0) { bytes, stride in
          for row in 0..<4 { rows.append((0..<6).map { bytes[row * stride + $0] }) }
        }
      }
      #expect(rows.count == 12 && Set(rows).count == 1)
      #expect(try await run.end().unbalanced == [])
    }

    @Test("a sample that begins before the last one is refused, and the stream goes on")
    func backwards() async throws {
      let run = try pipeline(json)
      let (input, output) = (try run.input("in"), try run.output("out"))
      run.start()
      for number in [0, 1, 2, 2] { try await input.append(block(number, input)) }
      let error = await #expect(throws: NodeError.self) { try await input.append(block(1, input)) }
      #expect(error?.message == "a sample at 0.01 s after one at 0.02 s")
      try await input.append(block(3, input))
      // One without a time follows the last.
      var untimed = block(4, input)
      untimed.presentationTime = .invalid
      try await input.append(untimed)
      input.markAsFinished()
      var count = 0
      while let _ = await output.next() { count += 1 }
      #expect(count == 6)
      #expect(try await run.end().unbalanced == [])
    }
  }
}
