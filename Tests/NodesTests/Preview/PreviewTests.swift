import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  @Suite("A preview shows the newest frame and holds nothing up")
  struct PreviewTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// A live recording of three seconds with a preview beside the encoder.
    func recording(_ path: String, preview: String = "") throws -> Pipeline {
      var configuration = Pipeline.Configuration()
      configuration.clock = .virtual
      return try pipeline(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 64, "height": 48, "live": true },
            "look": { "type": "channelMask", "red": false },
            "video": { "type": "h264Encoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)", "seconds": 3 },
            "preview": { "type": "preview"\(preview) } },
          "wires": ["camera -> look -> video -> movie.video", "look -> preview"] }
        """, configuration: configuration)
    }

    /// The movie has every frame, and the preview's wire accounts for those that it got.
    func expectWhole(_ report: Report, _ path: String, taken: ClosedRange<Int>) throws {
      #expect(try probe(path).map(\.frames) == [90])
      try expectBalanced(report)
      let wires = report.wires.filter { !$0.key.hasSuffix("preview.in") }
      // The camera has no end of its own: what it makes beyond the movie's is left out.
      let dropped = wires.values.flatMap(\.dropped.keys)
      #expect(dropped.allSatisfy { $0 == "afterSessionEnd" || $0 == "runEnded" })
      let preview = try #require(report.wires.first { $0.key.hasSuffix("preview.in") }?.value)
      #expect(preview.samplesIn >= 90 && preview.waits == 0 && preview.highWaterSamples == 1)
      #expect(taken.contains(preview.samplesOut))
      let lost = preview.dropped.values.reduce(0, +)
      #expect(preview.samplesIn == preview.samplesOut + lost)
      #expect(Set(preview.dropped.keys).isSubset(of: ["superseded", "runEnded"]))
    }

    @Test func thatIsNeverRead() async throws {
      let path = scratch.path("a.mp4")
      let report = try await recording(path).run()
      try expectWhole(report, path, taken: 0...0)
      let wire = report.wires.first { $0.key.hasSuffix("preview.in") }?.value
      #expect(wire?.dropped["runEnded"] == 1)
    }

    @Test func whoseReaderStopsForGood() async throws {
      let path = scratch.path("a.mp4")
      let run = try recording(path)
      let preview = try run.preview("preview")
      let (never, keeper) = AsyncStream<Void>.makeStream()
      run.start()
      let reader = Task {
        let frame = await preview.next()
        for await _ in never {}
        return frame?.presentationTime
      }
      // A reader that has no turn before the run ends finds the frame afterwards.
      try expectWhole(try await run.end(), path, taken: 0...1)
      keeper.finish()
      #expect(await reader.value != nil)
    }

    @Test func inTheProgram() async throws {
      let path = scratch.path("a.mp4")
      let run = try recording(path, preview: #", "width": 32"#)
      let preview = try run.preview("preview")
      let isEarly = preview.latestFrame() != nil
      #expect(!isEarly)
      run.start()
      var last = MediaTime.negativeInfinity
      var count = 0
      while let frame = await preview.next() {
        #expect(
          frame.format.format
            == .video(VideoFormat(.bgra, width: 32, height: 24, frameRate: Rational(30))))
        #expect(frame.presentationTime > last)
        last = frame.presentationTime
        let red = frame.withBytes { bytes in
          stride(from: 2, to: bytes.count, by: 4).map { bytes[$0] }.max()
        }
        // Between BGRA and 4:2:0 a little comes back at the edges.
        #expect((red ?? 255) < 64)
        count += 1
      }
      #expect(count > 0)
      // The report may have been made before the last frame was asked for.
      try expectWhole(try await run.end(), path, taken: count - 1...count)
    }

    @Test(arguments: ["png", "jpg"]) func inAFile(ending: String) async throws {
      let (path, picture) = (scratch.path("a.mp4"), scratch.path("p.\(ending)"))
      // What an earlier run has shown is replaced.
      try Data("old".utf8).write(to: URL(filePath: picture))
      let run = try recording(
        path, preview: #", "path": "\#(picture)", "width": 40, "maxFrameRate": 10"#)
      try expectWhole(try await run.run(), path, taken: 1...100)
      let stream = try tool(
        "ffprobe",
        [
          "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
          picture,
        ])
      let codec = ending == "png" ? "png" : "mjpeg"
      #expect(String(decoding: stream, as: UTF8.self) == "\(codec),40,30\n")
      #expect(try decodeComplaints(picture) == "")
    }

    @Test func aloneEndsWithItsSource() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "frames": 20 }, "preview": { "type": "preview" } },
          "wires": ["camera -> preview"] }
        """)
      let report = try await run.run()
      try expectBalanced(report)
      let wire = try #require(report.wires["camera.out -> preview.in"])
      #expect((wire.samplesIn, wire.samplesOut) == (20, 0))
      #expect(wire.dropped == ["superseded": 19, "runEnded": 1])
    }

    /// A source that becomes brighter from frame to frame, and its preview.
    private func brightening(_ preview: String) throws -> Pipeline {
      try pipeline(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "pattern": "black", "width": 64, "height": 48,
                        "frames": 20 },
            "number": { "type": "text", "text": "{frame}", "size": 30, "position": "center" },
            "preview": { "type": "preview", \(preview) } },
          "wires": ["camera -> number -> preview"] }
        """)
    }

    @Test("a file ends with the last frame, however soon that comes after the one before")
    func lastFrameInAFile() async throws {
      let (few, all) = (scratch.path("few.png"), scratch.path("all.png"))
      for (path, rate) in [(few, 2), (all, 1000)] {
        let run = try brightening(#""path": "\#(path)", "maxFrameRate": \#(rate)"#)
        #expect(try await run.run().state == .completed)
      }
      #expect(try pixels(few) == pixels(all))
    }

    private func pixels(_ path: String) throws -> Data {
      try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "gray", "-"])
    }

    @Test func lastFrameInTheProgram() async throws {
      let run = try brightening(#""maxFrameRate": 0.5"#)
      let preview = try run.preview("preview")
      run.start()
      var times: [Double] = []
      while let frame = await preview.next() { times.append(frame.presentationTime.seconds) }
      #expect(times.count <= 2, "\(times)")
      #expect(times.last.map { abs($0 - 19.0 / 30) < 0.001 } == true, "\(times)")
      _ = try await run.end()
    }

    @Test func lastFrameAfterTheRun() async throws {
      let run = try brightening(#""maxFrameRate": 0.5"#)
      let preview = try run.preview("preview")
      #expect(try await run.run().state == .completed)
      let time = await preview.next()?.presentationTime.seconds
      #expect(time.map { abs($0 - 19.0 / 30) < 0.001 } == true, "\(time as Any)")
      #expect(await preview.next() == nil)
    }

    @Test func ofWhatIsInAFolderThatGoes() async throws {
      let path = scratch.path("a.mp4")
      let folder = scratch.path("gone")
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let run = try recording(path, preview: #", "path": "\#(folder)/p.png""#)
      try FileManager.default.removeItem(atPath: folder)
      let events = run.events()
      try expectWhole(try await run.run(), path, taken: 1...100)
      var warnings: [String] = []
      for await event in events {
        if case .warning("preview", let message) = event.kind { warnings.append(message) }
      }
      #expect(warnings.count == 1)
      #expect(warnings.first?.contains("p.png` can't be written") == true)
    }

    @Test(arguments: [
      (#""path": "a.gif""#, "`a.gif` names no kind of picture; end it in .png, .jpg or .webp"),
      (
        #""path": "a.png", "window": true"#,
        "both `path` and `window` are given; use a preview for each"
      ),
      (
        #""path": "/nowhere/a.png""#,
        "`/nowhere/a.png` can't be written: there is no folder `/nowhere`; give another path"
      ),
    ])
    func wrongParameters(parameters: String, message: String) throws {
      let error = #expect(throws: GraphErrors.self) {
        try recording(scratch.path("a.mp4"), preview: ", " + parameters)
      }
      #expect(error?.description.contains(message) == true, "\(String(describing: error))")
    }
  }
}
