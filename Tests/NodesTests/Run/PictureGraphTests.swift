import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  /// Graphs that change the shape of pictures, or put several together.
  @Suite struct PictureGraphTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// The planes of one frame of a movie, in RGB, as ffmpeg decodes it.
    private func frame(_ number: Int, of path: String, width: Int, height: Int) throws -> [UInt8] {
      let data = try tool(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-vf", "select=eq(n\\,\(number))", "-frames:v", "1",
          "-pix_fmt", "rgb24", "-f", "rawvideo", "-",
        ])
      #expect(data.count == width * height * 3)
      return Array(data)
    }

    @Test("the plan knows the size behind a crop, a turn and a scale, and what leaves has it")
    func sizes() async throws {
      let json = """
        { "nodes": {
            "pattern": { "type": "testVideo", "width": 640, "height": 360, "seconds": 0.2 },
            "crop": { "type": "crop", "aspectRatio": "3:4" },
            "turn": { "type": "rotate" },
            "scale": { "type": "scale", "width": 180 },
            "video": { "type": "h264Encoder" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["pattern -> crop -> turn -> scale -> video -> movie.video"] }
        """
      let plan = try plan(json)
      let widths = ["turn", "scale", "video"].map { plan.inputs(of: $0).first?.format.width }
      let heights = ["turn", "scale", "video"].map { plan.inputs(of: $0).first?.format.height }
      #expect(widths == [270, 360, 180] && heights == [360, 270, 136])
      let report = try await Pipeline(plan, environment: LiveEnvironment()).run()
      try expectNothingDropped(report)
      let words = ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0"]
      let size = try tool("ffprobe", words + [scratch.path("a.mp4")])
      #expect(String(decoding: size, as: UTF8.self).hasPrefix("180,136"))
    }

    @Test("a crop that doesn't fit is found before the run, behind a file and its decoder too")
    func misfit() throws {
      let input = scratch.path("a.mp4")
      try ffmpeg("-f lavfi -i testsrc=s=320x180:d=0.2 -c:v libx264", to: input)
      let error = #expect(throws: GraphErrors.self) {
        try plan(
          """
          { "nodes": { "in": { "type": "file", "path": "\(input)" },
                       "crop": { "type": "crop", "width": 400 }, "end": { "type": "nullSink" } },
            "wires": ["in.video -> crop -> end"] }
          """)
      }
      #expect(error?.diagnostics.first?.description.contains("320x180") == true)
    }

    @Test("two pictures of one fork, one of them changed, come together again")
    func fork() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "pattern": { "type": "testVideo", "width": 320, "height": 180, "seconds": 4 },
            "small": { "type": "scale", "width": 80 },
            "soft": { "type": "blur" },
            "mix": { "type": "mixVideo", "places": { "in.2": { "x": 8, "y": 8 } } },
            "end": { "type": "nullSink" } },
          "wires": ["pattern -> mix.in", "pattern -> small -> soft -> mix.in.2", "mix -> end"] }
        """)
      let report = try await run.run()
      try expectNothingDropped(report)
      try expectSamples(120, on: "mix.out -> end.in", of: report)
    }

    @Test(
      "inputs of other lengths, rates and beginnings neither stop the mix nor lose its frames",
      arguments: [(0.5, 15, 0.0), (4.0, 60, 0.0), (3.0, 25, 1.5), (1.0, 10, 2.5)])
    func lengths(_ seconds: Double, _ rate: Int, _ start: Double) async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "ground": { "type": "testVideo", "width": 64, "height": 48, "seconds": 3 },
            "other": { "type": "testVideo", "width": 32, "height": 32, "seconds": \(seconds),
                       "frameRate": \(rate), "pixelFormat": "bgra" },
            "later": { "type": "timeShift", "seconds": \(start) },
            "mix": { "type": "mixVideo", "places": { "in.2": { "width": 16 } } },
            "end": { "type": "nullSink" } },
          "wires": ["ground -> mix.in", "other -> later -> mix.in.2", "mix -> end"] }
        """)
      let report = try await run.run()
      try expectLedgersBalanced(report)
      try expectSamples(90, on: "mix.out -> end.in", of: report)
    }

    @Test("a mix ends with its ground, though another input goes on for ever")
    func endless() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "ground": { "type": "testVideo", "width": 64, "height": 48, "seconds": 1 },
            "other": { "type": "testVideo", "width": 32, "height": 32 },
            "mix": { "type": "mixVideo" }, "end": { "type": "nullSink" } },
          "wires": ["ground -> mix.in", "other -> mix.in.2", "mix -> end"] }
        """)
      let report = try await run.run()
      try expectLedgersBalanced(report)
      try expectSamples(30, on: "mix.out -> end.in", of: report)
    }

    @Test("a crossfade of two movies is as long as both, less what they share")
    func crossfade() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "first": { "type": "testVideo", "pattern": "red", "width": 64, "height": 48,
                       "seconds": 2 },
            "second": { "type": "testVideo", "pattern": "blue", "width": 64, "height": 48,
                        "seconds": 3 },
            "later": { "type": "timeShift", "seconds": 1.5 },
            "fade": { "type": "crossfade", "at": 1.5, "duration": 0.5 },
            "video": { "type": "h264Encoder" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))" } },
          "wires": ["first -> fade.from", "second -> later -> fade.to",
                    "fade -> video -> movie.video"] }
        """)
      try expectNothingDropped(try await run.run())
      #expect(try probe(scratch.path("a.mp4")).first?.frames == 135)
      let colors = try [10, 52, 120].map { number in
        try frame(number, of: scratch.path("a.mp4"), width: 64, height: 48).prefix(3).map {
          Int($0)
        }
      }
      #expect(colors[0][0] > 200 && colors[0][2] < 50 && colors[2][0] < 50 && colors[2][2] > 200)
      #expect((90...165).contains(colors[1][0]) && (90...165).contains(colors[1][2]))
    }

    @Test("a live mix keeps up")
    func live() async throws {
      var graph = GraphBuilder(catalog: .builtIn)
      let source = { (width: Int) in
        TestVideo.with { ($0.width, $0.height, $0.live, $0.seconds) = (width, 48, true, 2) }
      }
      let (ground, other) = (graph.add("ground", source(64)), graph.add("other", source(32)))
      let mix = graph.add("mix", MixVideo())
      let end = graph.add("end", NullSink())
      graph.connect(ground.output, to: mix.input)
      graph.connect(other.output, to: mix.port("in.2", as: Video.self))
      graph.connect(mix.output, to: end.input)
      let report = try await graph.build(in: LiveEnvironment()).runInVirtualTime()
      try expectNothingDropped(report)
      try expectSamples(60, on: "mix.out -> end.in", of: report)
    }

    /// What ffprobe says of the size, and of the turn that players do.
    private func shape(_ path: String) throws -> String {
      let words = ["-v", "error", "-select_streams", "v:0", "-show_entries"]
      let data = try tool(
        "ffprobe",
        words + ["stream=width,height:stream_side_data=rotation", "-of", "csv=p=0:nk=1", path])
      return String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    }

    @Test(
      "which way up a movie is stays known in a copy and a transcode, or its pixels are turned",
      arguments: [
        ("", #""wires": ["in.video -> movie.video"]"#, "320,180,-90"),
        (
          #""video": { "type": "h264Encoder" },"#,
          #""wires": ["in.video -> video -> movie.video"]"#, "320,180,-90"
        ),
        (
          #""turn": { "type": "orientation" }, "video": { "type": "h264Encoder" },"#,
          #""wires": ["in.video -> turn -> video -> movie.video"]"#, "180,320"
        ),
        (
          #""turn": { "type": "orientation", "mode": "pass" }, "video": { "type": "h264Encoder" },"#,
          #""wires": ["in.video -> turn -> video -> movie.video"]"#, "320,180,-90"
        ),
        (
          #""look": { "type": "sepia" }, "video": { "type": "h264Encoder" },"#,
          #""wires": ["in.video -> look -> video -> movie.video"]"#, "320,180,-90"
        ),
        // What knows up and down gets pictures upright.
        (
          #""cut": { "type": "crop", "width": 180, "height": 300 },"#
            + #""video": { "type": "h264Encoder" },"#,
          #""wires": ["in.video -> cut -> video -> movie.video"]"#, "180,300"
        ),
        (
          #""look": { "type": "sepia" }, "mix": { "type": "mixVideo" },"#
            + #""video": { "type": "h264Encoder" },"#,
          #""wires": ["in.video -> look -> mix -> video -> movie.video", "in.video -> mix.in.2"]"#,
          "180,320"
        ),
        (
          #""mix": { "type": "mixVideo" }, "video": { "type": "h264Encoder" },"#,
          #""wires": ["in.video -> mix -> video -> movie.video", "in.video.2 -> mix.in.2"]"#,
          "180,320"
        ),
      ])
    func orientation(_ nodes: String, _ wires: String, _ wanted: String) async throws {
      let (flat, input) = (scratch.path("flat.mp4"), scratch.path("in.mp4"))
      let output = scratch.path("out.mp4")
      try ffmpeg("-f lavfi -i testsrc=s=320x180:d=0.2 -c:v libx264 -pix_fmt yuv420p", to: flat)
      try ffmpeg("-i \(flat) -map 0 -map 0 -c copy -metadata:s:v rotate=270", to: input)
      // ffprobe counts clockwise from -180; the file is to be turned by 270 degrees clockwise.
      #expect(try shape(input) == "320,180,-90")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" }, \(nodes)
                     "movie": { "type": "mp4Sink", "path": "\(output)" } }, \(wires) }
        """)
      try expectNothingDropped(try await run.run())
      #expect(try shape(output) == wanted)
    }

    @Test("the graph for pictures in pictures shows the camera, mirrored, on the screen")
    func pictureInPicture() async throws {
      let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../graphs/picture-in-picture.json")
      let output = scratch.path("a.mp4")
      let graph = try Graph(
        checking: GraphDocument(json: String(contentsOf: file, encoding: .utf8)),
        catalog: .builtIn, environment: Undeviced(), set: ["output": output, "seconds": "0.5"])
      let plan = try Plan(graph)
      let format = try #require(plan.inputs(of: "video").first?.format)
      let (width, height) = (try #require(format.width), try #require(format.height))
      let report = try await Pipeline(plan, environment: LiveEnvironment()).run()
      try expectLedgersBalanced(report)
      let pixels = try frame(2, of: output, width: width, height: height)
      func pixel(_ x: Int, _ y: Int) -> [UInt8] {
        Array(pixels[(y * width + x) * 3..<(y * width + x) * 3 + 3])
      }
      // Bars from the last, blue, to the first, grey; and nothing around them but a ball.
      let (left, right) = (pixel(32 + 12, 32 + 40), pixel(32 + 308, 32 + 40))
      #expect(left[2] > 120 && left[0] < 60 && left[1] < 60, "\(left)")
      #expect(right.allSatisfy { $0 > 150 }, "\(right)")
      #expect(pixel(10, 10).allSatisfy { $0 < 40 })
    }
  }
}
