import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  @Suite("Parameters with keyframes")
  struct KeyframeTests {
    /// A second of frames without contrast, whose brightness has keyframes.
    func brightened(_ keyframes: String) throws -> Pipeline {
      try pipeline(
        """
        { "nodes": {
            "count": { "type": "counterFrames", "frames": 30, "pixelFormat": "bgra" },
            "mask": { "type": "contrast", "amount": 0, "brightness": \(keyframes) },
            "out": { "type": "appOutput" } },
          "wires": ["count -> mask -> out"] }
        """, catalog: .builtIn.withTesting())
    }

    /// How light each frame is, from 0 to 1.
    func levels(of run: Pipeline) async throws -> [Double] {
      let output = try run.output("out")
      run.start()
      var levels: [Double] = []
      while let sample = await output.next() {
        // Without contrast all is grey of one half, which the brightness lightens.
        levels.append(sample.withBytes { Double($0[2]) / 255 })
      }
      _ = try await run.end()
      return levels
    }

    @Test(arguments: [
      ("[[0, 0], [1, 0.3]]", [0.5, 0.59, 0.65, 0.71]),
      ("[[0, 0], [1, 0.3, \"easeIn\"]]", [0.5, 0.527, 0.575, 0.647]),
      ("[[0, 0], [1, 0.3, \"easeOut\"]]", [0.5, 0.653, 0.725, 0.773]),
      ("[[0, 0], [1, 0.3, \"easeInOut\"]]", [0.5, 0.5648, 0.65, 0.7352]),
      ("[[0, 0], [\"500ms\", 0.3, \"hold\"]]", [0.5, 0.5, 0.8, 0.8]),
      ("[[0.25, 0.1], [0.5, 0.2], [0.6, -0.1]]", [0.6, 0.62, 0.7, 0.4]),
    ])
    func followThem(_ keyframes: String, _ wanted: [Double]) async throws {
      let levels = try await levels(of: brightened(keyframes))
      #expect(levels.count == 30)
      // Frames 0, 9, 15 and 21: at 0, 0.3, 0.5 and 0.7 s.
      for (frame, value) in zip([0, 9, 15, 21], wanted) {
        #expect(abs(levels[frame] - value) < 0.004, "frame \(frame): \(levels[frame]), \(value)")
      }
    }

    @Test func wordsAndSwitchesChangeAtTheirTime() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "count": { "type": "counterFrames", "frames": 30, "pixelFormat": "bgra" },
            "mask": { "type": "channelMask", "red": [[0, true], ["1/3", false]] },
            "out": { "type": "appOutput" } },
          "wires": ["count -> mask -> out"] }
        """.replacing("\"1/3\"", with: "0.333333334"), catalog: .builtIn.withTesting())
      let output = try run.output("out")
      run.start()
      var red: [Bool] = []
      while let sample = await output.next() {
        red.append(
          sample.withBytes { bytes in
            stride(from: 2, to: bytes.count, by: 4).contains { bytes[$0] != 0 }
          })
      }
      let report = try await run.end()
      // Number 0 is black.
      let wanted = (1..<30).map { $0 <= 10 }
      #expect(Array(red.dropFirst()) == wanted)
      #expect(report.changes == [], "what the graph says is no change of it")
    }

    @Test func whatIsAskedForWhileItRunsHoldsFromThenOn() async throws {
      let run = try brightened("[[0, 0], [1, 0.4]]")
      try run.set("mask.brightness", -0.3, at: MediaTime(value: 1, timescale: 2))
      let levels = try await levels(of: run)
      #expect(abs(levels[14] - (0.5 + 0.4 * 14 / 30)) < 0.004)
      #expect(levels[15...].allSatisfy { abs($0 - 0.2) < 0.004 })
      #expect(try run.value(of: "mask.brightness") == -0.3)
    }

    @Test func swiftSaysThemToo() throws {
      var builder = GraphBuilder(catalog: .builtIn)
      let video = builder.add("video", TestVideo())
      let light = builder.add("light", Contrast())
      let out = builder.add("out", NullSink())
      builder.connect(video.output, to: light.input)
      builder.connect(light.output, to: out.input)
      builder.animate(
        light, "brightness", [Keyframe(at: .zero, 0), Keyframe(at: .seconds(2), 0.5, .easeOut)])
      let graph = try builder.build(in: FakeEnvironment())
      let text = graph.document.json
      #expect(text.contains("[[0, 0], [2, 0.5, \"easeOut\"]]"), "\(text)")
    }

    @Test(arguments: [
      (
        "\"amount\": [[0, 1], [1, 9]]",
        "g.json:1:90: error: `amount` is 9; it goes from 0 to 8"
      ),
      (
        "\"amount\": [[1, 1], [1, 2]]",
        "keyframe 2 of `amount` isn't later than the one before; "
          + "write keyframes by their times, each time once"
      ),
      ("\"amount\": [[0]]", "is no keyframe; write `[time, value]`"),
      (
        "\"amount\": [[0, 1], [1, 2, \"slow\"]]",
        "`slow` is no easing; write one of linear, easeIn"
      ),
      ("\"amount\": [[0, \"a\"]]", "`amount` is text; write a number"),
      ("\"amount\": [[-1, 2]]", "times are from 0 on"),
      ("\"amount\": []", "`amount` is a list; write a number"),
    ])
    func whatIsWrongWithThemIsSaid(_ parameter: String, _ wanted: String) throws {
      let text = """
        { "nodes": { "a": { "type": "testVideo" }, "b": { "type": "contrast", \(parameter) }, \
        "c": { "type": "nullSink" } }, "wires": ["a -> b -> c"] }
        """
      let document = try GraphDocument(json: text, file: "g.json")
      let errors = #expect(throws: GraphErrors.self) {
        _ = try Graph(checking: document, catalog: .builtIn, environment: FakeEnvironment())
      }
      #expect(errors?.diagnostics.count == 1)
      #expect(errors.map { "\($0)".contains(wanted) } == true, "\(errors.map { "\($0)" } ?? "")")
    }

    @Test(arguments: [
      (#""curves", "master": [[0, [[0, 0], [1, 1]]], [1, [[0, 1], [1, 0]]]]"#, "master"),
      (#""equalizer", "bands": [[0, []], [1, []]]"#, "bands"),
    ])
    func whatTakesNoneIsSaidToTakeNone(_ node: String, _ parameter: String) throws {
      let text = """
        { "nodes": { "a": { "type": "test\(parameter == "bands" ? "Audio" : "Video")" },
          "b": { "type": \(node) }, "c": { "type": "nullSink" } }, "wires": ["a -> b -> c"] }
        """
      let document = try GraphDocument(json: text, file: "g.json")
      let errors = #expect(throws: GraphErrors.self) {
        _ = try Graph(checking: document, catalog: .builtIn, environment: FakeEnvironment())
      }
      let wanted = "`\(parameter)` takes no keyframes; write its value alone: a list: `[ … ]`"
      #expect(errors.map { "\($0)".contains(wanted) } == true, "\(errors.map { "\($0)" } ?? "")")
    }

    /// A reader of PCM gives seconds in one sample.
    @Test(arguments: [8_000, 44_100]) func longSamplesChangeWithin(rate: Int) async throws {
      let scratch = try TestFolder()
      let (input, output) = (scratch.path("a.wav"), scratch.path("b.wav"))
      try ffmpeg("-f lavfi -i aevalsrc=0.1:d=12:s=\(rate) -c:a pcm_s16le", to: input)
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
            "gain": { "type": "gain", "decibels": [[0, -20], [5, 0, "hold"]] },
            "out": { "type": "wavSink", "path": "\(output)" } }, "wires": ["in.audio -> gain -> out"] }
        """
      ).run()
      let samples = try floats(
        Array(tool("ffmpeg", ["-v", "error", "-i", output, "-f", "f32le", "-"])))
      #expect(samples.count == 12 * rate)
      let first = samples.firstIndex { $0 > 0.05 }.map { Double($0) / Double(rate) }
      #expect(first.map { $0 >= 5 && $0 < 5.02 } == true, "\(first ?? -1)")
    }

    @Test func aParameterOfTheGraphMayHoldThem() throws {
      let text = """
        { "parameters": { "fade": [[0, 0], [1, 1]] },
          "nodes": { "a": { "type": "testVideo" }, "b": { "type": "contrast", "amount": "${fade}" },
          "c": { "type": "nullSink" } }, "wires": ["a -> b -> c"] }
        """
      let document = try GraphDocument(json: text, file: "g.json")
      func amount(_ overrides: [String: String] = [:]) throws -> JSONValue? {
        try Graph(
          checking: document, catalog: .builtIn, environment: FakeEnvironment(), set: overrides
        )["b"]?.parameters["amount"]
      }
      #expect(try amount() == [[0, 0], [1, 1]])
      #expect(try amount(["fade": "[[0, 1], [2, 4, \"hold\"]]"]) == [[0, 1], [2, 4, "hold"]])
      #expect(throws: GraphErrors.self) { try amount(["fade": "[[0, 9]]"]) }
    }

    @Test func onlyLiveParametersHaveThem() throws {
      let text = """
        { "nodes": { "a": { "type": "testVideo", "width": [[0, 64], [1, 128]] },
          "c": { "type": "nullSink" } }, "wires": ["a -> c"] }
        """
      let document = try GraphDocument(json: text, file: "g.json")
      let errors = #expect(throws: GraphErrors.self) {
        _ = try Graph(checking: document, catalog: .builtIn, environment: FakeEnvironment())
      }
      #expect(
        errors.map { "\($0)".contains("`width` can't change while the graph runs") } == true)
    }

    /// The values of the two parameters are right by themselves, but not together at 1 s.
    @Test func eachMomentIsCheckedAsAWhole() throws {
      let text = """
        { "nodes": { "a": { "type": "testVideo" },
          "b": { "type": "levels", "inputBlack": [[0, 0], [1, 0.8]],
            "inputWhite": [[0, 1], [2, 0.5]] },
          "c": { "type": "nullSink" } }, "wires": ["a -> b -> c"] }
        """
      let document = try GraphDocument(json: text, file: "g.json")
      #expect(throws: GraphErrors.self) {
        _ = try Graph(checking: document, catalog: .builtIn, environment: FakeEnvironment())
      }
    }
  }
}
