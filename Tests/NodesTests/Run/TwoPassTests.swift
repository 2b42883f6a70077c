import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Video that is encoded in two passes, to meet a bit rate that one pass misses.
  @Suite struct TwoPassTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Four seconds of nothing, and then of noise: one pass spends bits before it knows.
    private func uneven() throws -> String {
      let path = scratch.path("uneven.mp4")
      try ffmpeg(
        "-f lavfi -i color=gray:s=160x120:r=25:d=4 -f lavfi -i",
        "mandelbrot=s=160x120:r=25:end_pts=400,trim=duration=4 -filter_complex",
        "[0]setsar=1[a];[1]setsar=1[b];[a][b]concat=n=2 -c:v libx264 -qp 8 -preset ultrafast",
        "-pix_fmt yuv420p", to: path)
      return path
    }

    private func encode(_ encoder: String, to name: String, more: String = "") async throws
      -> Report
    {
      let sink = name.hasSuffix("mkv") ? "matroskaSink" : "mp4Sink"
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(try uneven())" },
            "video": { \(encoder), "twoPass": true },
            "out": { "type": "\(sink)", "path": "\(scratch.path(name))" \(more) } },
          "wires": ["in.video -> video -> out.video"] }
        """)
      return try await run.run()
    }

    private func size(of name: String) throws -> Int {
      try #require(try? Data(contentsOf: URL(filePath: scratch.path(name))).count)
    }

    @Test("a plan shows the first pass") func listing() throws {
      let planned = try plan(
        """
        { "nodes": { "in": { "type": "testVideo", "seconds": 1 },
            "video": { "type": "h264Encoder", "bitRate": 100000, "twoPass": true },
            "out": { "type": "mp4Sink", "path": "\(scratch.path("out.mp4"))" } },
          "wires": ["in -> video -> out.video"] }
        """)
      let text = planned.description.split(separator: "first pass, before the run:")
      #expect(text.count == 2 && text[1].contains("video.out -> pass:video.in"), "\(planned)")
      #expect(!text[0].contains("pass:video") && !text[1].contains("mp4Sink"), "\(planned)")
      let first = try #require(PlanListing(planned).firstPasses)
      #expect(first.map { $0.nodes.map(\.type) } == [["testVideo", "h264Encoder", "discard"]])
    }

    @Test(
      "a bit rate is met",
      arguments: [
        ("h264Encoder", "out.mp4", #""preset": "medium""#),
        ("hevcEncoder", "out.mp4", #""preset": "medium""#),
        ("vp8Encoder", "out.mkv", #""speed": 5"#), ("vp9Encoder", "out.mkv", #""speed": 5"#),
      ])
    func rate(_ encoder: String, name: String, options: String) async throws {
      let report = try await encode(
        #""type": "\#(encoder)", "bitRate": 120000, \#(options)"#, to: name)
      #expect(report.unbalanced == [] && report.warnings == nil)
      #expect(try packetCount(scratch.path(name)) == 200)
      #expect(try decodeComplaints(scratch.path(name)) == "")
      // Eight seconds of 120 kbit/s. One pass makes twice as much of H.264, and less by a quarter of
      // HEVC.
      let size = try size(of: name)
      #expect((105_000...150_000).contains(size), "\(size)")
    }

    @Test("sinks' limits are those of the first pass, too")
    func limited() async throws {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "testVideo", "width": 64, "height": 48 },
            "video": { "type": "h264Encoder", "bitRate": 100000, "twoPass": true },
            "out": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))", "seconds": 1 } },
          "wires": ["in -> video -> out.video"] }
        """)
      #expect(try await run.run().unbalanced == [])
      #expect(try packetCount(scratch.path("a.mp4")) == 30)
    }

    @Test("the first pass is seen in the events, and leaves nothing")
    func events() async throws {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(try uneven())" },
            "video": { "type": "h264Encoder", "bitRate": 100000, "twoPass": true,
                       "preset": "veryslow", "threads": 1 },
            "out": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["in.video -> video -> out.video"] }
        """)
      let events = run.events(of: [.progress, .state])
      run.start()
      var passes: [Int?] = []
      for await event in events {
        if case .progress(let progress) = event.kind { passes.append(progress.pass) }
        if case .state(.running) = event.kind { passes.append(2) }
      }
      #expect(try await run.end().state == .completed)
      let running = try #require(passes.firstIndex(of: 2))
      #expect(running > 0 && passes[..<running].allSatisfy { $0 == 1 }, "\(passes)")
      #expect(passes[(running + 1)...].allSatisfy { $0 == nil }, "\(passes)")
    }

    @Test("a run that is asked to end in its first pass writes nothing", arguments: [true, false])
    func ended(isCancelled: Bool) async throws {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "testVideo", "width": 640, "height": 480 },
            "video": { "type": "h264Encoder", "bitRate": 100000, "twoPass": true },
            "out": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["in -> video -> out.video"] }
        """)
      let events = run.events(of: [.progress])
      run.start()
      for await event in events {
        if case .progress(let progress) = event.kind, progress.position > 0.5 { break }
      }
      if isCancelled { run.cancel() } else { run.finish() }
      let report = await run.report()
      #expect(report.state == .cancelled && report.failure == nil, "\(report)")
      #expect(!FileManager.default.fileExists(atPath: scratch.path("a.mp4")))
    }

    @Test("what fails in the first pass is the run's failure, and nothing is written")
    func failing() async throws {
      let path = try uneven()
      let plan = try plan(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "video": { "type": "h264Encoder", "bitRate": 100000, "twoPass": true },
            "out": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["in.video -> video -> out.video"] }
        """)
      let run = try Pipeline(plan, environment: LiveEnvironment())
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.truncate(atOffset: 0)
      run.start()
      let report = await run.report()
      #expect(report.state == .failed && report.failure != nil, "\(report)")
      #expect(!FileManager.default.fileExists(atPath: scratch.path("a.mp4")))
    }

    @Test(
      "what comes once has no second pass",
      arguments: [
        (#""type": "testVideo", "live": true"#, "`in` is live"),
        (
          #""type": "appInput", "media": "video", "width": 64, "height": 48"#,
          "`in` gives what a program appends"
        ),
      ])
    func refused(_ source: String, reason: String) throws {
      let graph = """
        { "nodes": { "in": { \(source) },
            "video": { "type": "h264Encoder", "bitRate": 100000, "twoPass": true },
            "out": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["in -> video -> out.video"] }
        """
      let error = #expect(throws: GraphErrors.self) { try plan(graph) }
      #expect(error?.description.contains("two passes, and \(reason), so") == true)
    }

    @Test("two passes need a bit rate to meet", arguments: ["", #", "quality": 20"#])
    func rateless(more: String) throws {
      let graph = """
        { "nodes": { "in": { "type": "testVideo" },
            "video": { "type": "h264Encoder", "twoPass": true \(more) },
            "out": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["in -> video -> out.video"] }
        """
      let error = #expect(throws: GraphErrors.self) { try plan(graph) }
      #expect(error?.description.contains("no `bitRate` to meet") == true, "\(error as Any)")
    }
  }
}
