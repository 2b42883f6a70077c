import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

extension FileTests {
  /// Files with a single picture, as sources of a graph.
  @Suite struct StillFileTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func picture(_ name: String) throws -> String {
      let path = scratch.path(name)
      try ffmpeg("-f lavfi -i testsrc=s=64x48:d=1 -frames:v 1", to: path)
      return path
    }

    private func pixels(_ path: String) throws -> Data {
      try tool("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    }

    @Test(
      "a picture is decoded to the pixel", arguments: ["in.png", "in.bmp", "in.tiff", "in.gif"])
    func exact(name: String) async throws {
      let input = try picture(name)
      let areSame = try await decode(input) == pixels(input)
      #expect(areSame)
    }

    /// Cameras leave end markers out, and the packets of capture cards hold two fields.
    @Test func motionJPEGIsDecodedInWholePackets() async throws {
      let input = scratch.path("in.avi")
      try ffmpeg("-f lavfi -i testsrc2=s=64x48:d=0.4:r=25 -c:v mjpeg", to: input)
      var bytes = Array(try Data(contentsOf: URL(filePath: input)))
      // The second picture's end marker.
      let ends = bytes.indices.dropLast().filter { bytes[$0] == 0xff && bytes[$0 + 1] == 0xd9 }
      try #require(ends.count == 10)
      (bytes[ends[1]], bytes[ends[1] + 1]) = (0, 0)
      _ = try scratch.write(bytes, to: "in.avi")
      let report = try await pipeline(
        """
        { "nodes": { "f": { "type": "file", "path": "\(input)" }, "d": { "type": "decoder" },
                     "o": { "type": "nullSink" } }, "wires": ["f.video -> d -> o"] }
        """
      ).run()
      #expect(report.wires["d.out -> o.in"]?.samplesOut == 10)
    }

    /// Decodes the first picture of a file.
    private func decode(_ input: String) async throws -> Data {
      let output = scratch.path("out.png")
      let run = try pipeline(
        """
        { "nodes": { "f": { "type": "file", "path": "\(input)" },
                     "c": { "type": "videoConvert", "pixelFormat": "rgba" },
                     "p": { "type": "preview", "path": "\(output)" } },
          "wires": ["f.video -> c -> p"] }
        """)
      try expectNothingDropped(try await run.run())
      return try pixels(output)
    }

    @Test(
      "JPEG of whole colours is decoded as ffmpeg does it",
      arguments: ["in.jpg", "in.avi", "in.mkv", "in.mov"])
    func wholeColors(name: String) async throws {
      let input = scratch.path(name)
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:d=1 -frames:v 1 -c:v mjpeg -pix_fmt yuvj444p", to: input)
      let (values, others) = (try await decode(input), try pixels(input))
      try #require(values.count == others.count && !values.isEmpty)
      let sum = zip(values, others).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
      #expect(Double(sum) / Double(values.count) < 1.5)
    }

    @Test("PNG of 16 bits, which GStreamer reads wrongly, is an error that says so")
    func deepPNG() async throws {
      let input = scratch.path("in.png")
      try ffmpeg("-f lavfi -i testsrc2=s=64x48:d=1 -frames:v 1 -pix_fmt rgb48be", to: input)
      let error = await #expect(throws: RunError.self) { _ = try await decode(input) }
      let text = error?.report.failure?.message ?? ""
      #expect(text.hasPrefix("a PNG picture of 16 bits a channel at 0"), "\(text)")
    }

    /// A graph that encodes a file's pictures.
    private func encoded(_ path: String) throws -> Graph {
      try Graph(
        checking: GraphDocument(
          json: """
            { "nodes": { "f": { "type": "file", "path": "\(path)" },
                         "e": { "type": "h264Encoder" }, "n": { "type": "nullSink" } },
              "wires": ["f.video -> e -> n"] }
            """), catalog: .builtIn, environment: LiveEnvironment())
    }

    @Test(
      "what would make a movie without a length is said, with its place",
      arguments: ["a.png", "a.jpg", "a.bmp", "a.tiff"])
    func movie(name: String) throws {
      let graph = try encoded(picture(name))
      #expect(
        graph.warnings.map(\.description) == [
          "2:14: warning: `f` is a single image, and what `e` makes of it has no length; "
            + "lay the image over a testVideo with an `overlay`, which gives it one"
        ])
      #expect(graph.notices.isEmpty)
    }

    @Test("motion JPEG is no single picture")
    func motion() throws {
      for name in ["a.avi", "a.mov"] {
        let path = scratch.path(name)
        try ffmpeg("-f lavfi -i testsrc=s=64x48:d=0.4 -c:v mjpeg", to: path)
        #expect(try encoded(path).warnings.isEmpty)
      }
    }
  }
}
