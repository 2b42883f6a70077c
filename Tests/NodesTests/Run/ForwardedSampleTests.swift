import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Samples that a program takes from one pipeline and appends to another: what enters is what
  /// their public properties say.
  @Suite struct ForwardedSampleTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Half a second of silence, then a tone. The audio track begins with priming that the file
    /// says to leave out.
    private func movie(_ name: String, audio: String) throws -> String {
      let path = scratch.path(name)
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=1",
        "-f lavfi -i aevalsrc=0.5*sin(2*PI*1000*t)*gte(t\\,0.5):s=48000:d=1",
        "-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p -ac 1 -c:a", audio, to: path)
      return path
    }

    /// What a sample says in public.
    struct Statement: Equatable {
      var times: [MediaTime]
      var marks: [Bool]
      var bytes: [UInt8]

      init(_ sample: borrowing SampleBuffer) {
        times = [sample.presentationTime, sample.decodeTime, sample.duration]
        marks = [sample.isSync, sample.isDiscontinuity]
        bytes = sample.withBytes { span in span.indices.map { span[$0] } }
      }

      /// A sample that says this, and nothing else.
      func sample(_ format: FormatDescription) -> SampleBuffer {
        var sample = SampleBuffer(bytes: bytes, format: format)
        sample.presentationTime = times[0]
        sample.decodeTime = times[1]
        sample.duration = times[2]
        (sample.isSync, sample.isDiscontinuity) = (marks[0], marks[1])
        return sample
      }
    }

    private static func statements(_ output: SampleOutput) async -> [Statement] {
      var statements: [Statement] = []
      while let sample = await output.next() { statements.append(Statement(sample)) }
      return statements
    }

    /// A graph with two equal paths for samples of a format.
    private func twins(_ format: FormatDescription, _ media: String, _ nodes: String) throws
      -> Pipeline
    {
      let caps = format.capsText.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      let entry = #"{ "type": "appInput", "media": "\#(media)", "caps": "\#(caps)" }"#
      let exit = #"{ "type": "appOutput" }"#
      let (one, two) = (nodes.isEmpty ? "" : "one -> ", nodes.isEmpty ? "" : "two -> ")
      let inner = nodes.isEmpty ? "" : #", "one": \#(nodes), "two": \#(nodes)"#
      return try pipeline(
        """
        { "nodes": { "in1": \(entry), "in2": \(entry), "out1": \(exit), "out2": \(exit)\(inner) },
          "wires": ["in1 -> \(one)out1", "in2 -> \(two)out2"] }
        """)
    }

    private func reader(_ path: String, _ port: String, decodes: Bool) throws -> Pipeline {
      let decoder = #", "decode": { "type": "decoder", "media": "\#(port)" }"#
      return try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "out": { "type": "appOutput" }
            \(decodes ? decoder : "") },
          "wires": ["in.\(port) -> \(decodes ? "decode -> " : "")out"] }
        """)
    }

    /// Appends a stream's samples as they come to one path, and fresh ones that say the same to
    /// the other; returns what comes out of both.
    private func forwarded(_ output: SampleOutput, _ media: String, _ nodes: String) async throws
      -> (samples: [Statement], fresh: [Statement])
    {
      guard let first = await output.next() else { return ([], []) }
      let writer = try twins(first.format, media, nodes)
      let inputs = (try writer.input("in1"), try writer.input("in2"))
      let outputs = (try writer.output("out1"), try writer.output("out2"))
      writer.start()
      async let one = Self.statements(outputs.0)
      async let two = Self.statements(outputs.1)
      defer {
        inputs.0.markAsFinished()
        inputs.1.markAsFinished()
      }
      var next = Optional(first)
      while let sample = next.take() {
        // What is before the beginning is there to be decoded alone.
        if !(sample.presentationTime < .zero) {
          try await inputs.1.append(Statement(sample).sample(inputs.1.format))
          try await inputs.0.append(sample)
        }
        next = await output.next()
      }
      inputs.0.markAsFinished()
      inputs.1.markAsFinished()
      let (samples, fresh) = await (one, two)
      #expect(try await writer.end().unbalanced == [])
      return (samples, fresh)
    }

    struct Case: CustomTestStringConvertible, Sendable {
      var name: String, audio: String, port: String
      var decodes = false
      var nodes = ""
      var testDescription: String { "\(port) of \(name)\(decodes ? ", decoded" : "")" }
    }

    static let cases = [
      Case(name: "a.mp4", audio: "aac", port: "audio", decodes: true),
      Case(name: "a.mp4", audio: "aac", port: "audio", nodes: #"{ "type": "decoder" }"#),
      Case(name: "a.mkv", audio: "libopus", port: "audio", nodes: #"{ "type": "decoder" }"#),
      Case(name: "a.mkv", audio: "libopus", port: "audio", decodes: true),
      Case(name: "a.mp4", audio: "aac", port: "video", decodes: true),
      Case(
        name: "a.mp4", audio: "aac", port: "video",
        nodes: #"{ "type": "decoder", "media": "video" }"#),
    ]

    @Test("a forwarded sample is what a fresh one is that says the same", arguments: cases)
    func sameAsFresh(_ item: Case) async throws {
      let reader = try reader(movie(item.name, audio: item.audio), item.port, decodes: item.decodes)
      let output = try reader.output("out")
      reader.start()
      let (samples, fresh) = try await forwarded(output, item.port, item.nodes)
      #expect(!fresh.isEmpty && samples == fresh)
      #expect(try await reader.end().unbalanced == [])
    }

    @Test("audio that a program forwards into a movie with video begins with it")
    func movieWithVideo() async throws {
      let reader = try reader(movie("a.mp4", audio: "aac"), "audio", decodes: true)
      let output = try reader.output("out")
      let path = scratch.path("out.mp4")
      let writer = try pipeline(
        """
        { "nodes": {
            "in": { "type": "appInput", "sampleRate": 48000, "channels": 1, "layout": "planar" },
            "video": { "type": "testVideo", "width": 64, "height": 48, "seconds": 1 },
            "audio": { "type": "aacEncoder" }, "pictures": { "type": "h264Encoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["in -> audio -> movie.audio", "video -> pictures -> movie.video"] }
        """)
      let input = try writer.input("in")
      reader.start()
      writer.start()
      do {
        defer { input.markAsFinished() }
        while let sample = await output.next() { try await input.append(sample) }
      }
      #expect(try await writer.end().unbalanced == [])
      let track = try #require(try probe(path).first { $0.codec_type == "audio" })
      #expect(abs(track.start) < 0.001)
      let onset = try #require(try decodedSound(of: path).firstIndex { abs(Int($0)) > 3000 })
      #expect(abs(onset - 24_000) < 200)
    }

    @Test("encoded video that a program forwards into a movie keeps its times", arguments: [0, 2])
    func encodedVideo(reordered: Int) async throws {
      let source = scratch.path("b.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=60x48:r=25:d=1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p",
        "-b_strategy 0 -bf \(reordered)", to: source)
      let reader = try reader(source, "video", decodes: false)
      let output = try reader.output("out")
      reader.start()
      let first = try await collected(output)
      let path = scratch.path("out.mp4")
      let caps = first.format.capsText.replacing("\"", with: "\\\"")
      let writer = try pipeline(
        """
        { "nodes": { "in": { "type": "appInput", "media": "video", "caps": "\(caps)" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } }, "wires": ["in -> movie"] }
        """)
      let input = try writer.input("in")
      writer.start()
      do {
        defer { input.markAsFinished() }
        for sample in first.samples { try await input.append(sample.sample(input.format)) }
      }
      #expect(try await writer.end().unbalanced == [])
      #expect(try differs(frameTimes(path), from: frameTimes(source)) < 0.001)
      #expect(try decodeComplaints(path) == "")
    }

    private func collected(_ output: SampleOutput) async throws
      -> (samples: [Statement], format: FormatDescription)
    {
      var samples: [Statement] = []
      var format: FormatDescription?
      while let sample = await output.next() {
        format = sample.format
        samples.append(Statement(sample))
      }
      return (samples, try #require(format))
    }
  }
}
