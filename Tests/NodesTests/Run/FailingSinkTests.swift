import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// Fails with its thirtieth sample.
private struct FragileSink: SwiftNode {
  var count = 0
  static let declaration = NodeDeclaration<FragileSink>(
    "fragileSink", role: .sink, help: "Fails after a while.", example: "a -> fragileSink")
  static let ports = SinkPorts<Video>(help: "What is shown.")

  mutating func process(_ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs)
    throws
  {
    count += 1
    if count == 30 { throw NodeError("the thirtieth sample is bad", remedy: "leave it out") }
  }
}

extension RunTests {
  /// The files that other sinks write beside a node that fails.
  @Suite struct FailingSinkTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Runs a graph with a sink that fails with its thirtieth frame, and counts the frames of the file
    /// that is written beside it.
    private func framesBeside(_ nodes: String, _ wires: String, _ path: String) async throws -> Int
    {
      var catalog = Catalog.builtIn
      _ = catalog.add(NodeType(FragileSink.self))
      let run = try pipeline(
        """
        { "nodes": { "weak": { "type": "fragileSink" }, \(nodes) }, "wires": [\(wires)] }
        """, catalog: catalog)
      let error = await #expect(throws: RunError.self) { try await run.run() }
      let report = try #require(error?.report)
      #expect(report.failure?.node == "weak")
      #expect(report.failure?.message == "the thirtieth sample is bad")
      #expect(report.unbalanced == [])
      #expect(try decodeComplaints(path) == "")
      let words = [
        "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
        "stream=nb_read_frames", "-of", "csv=p=0", path,
      ]
      let text = String(decoding: try tool("ffprobe", words), as: UTF8.self)
      return Int(text.prefix { $0.isNumber }) ?? 0
    }

    @Test(arguments: [("mp4Sink", "mp4"), ("matroskaSink", "mkv"), ("tsSink", "ts")])
    func theFileBesideItIsClosed(sink: String, kind: String) async throws {
      let path = scratch.path("a.\(kind)")
      let frames = try await framesBeside(
        """
        "camera": { "type": "testVideo", "width": 320, "height": 180, "seconds": 400 },
        "video": { "type": "h264Encoder" }, "movie": { "type": "\(sink)", "path": "\(path)" }
        """, #""camera -> weak", "camera -> video -> movie.video""#, path)
      #expect(frames >= 29)
    }

    @Test(arguments: [("mp4Sink", "mp4"), ("matroskaSink", "mkv"), ("tsSink", "ts")])
    func theFileOfAFileBesideItIsClosed(sink: String, kind: String) async throws {
      let source = scratch.path("source.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=320x180:d=40:r=25 -f lavfi -i sine=d=40 -c:v libx264 -c:a aac",
        to: source)
      let path = scratch.path("a.\(kind)")
      let frames = try await framesBeside(
        """
        "file": { "type": "file", "path": "\(source)" },
        "video": { "type": "h264Encoder" }, "audio": { "type": "aacEncoder" },
        "movie": { "type": "\(sink)", "path": "\(path)" }
        """,
        #"""
        "file.video -> weak", "file.video -> video -> movie.video",
        "file.audio -> audio -> movie.audio"
        """#, path)
      #expect(frames >= 29)
    }

    @Test func theFileOfAnotherSourceIsClosed() async throws {
      let path = scratch.path("a.mp4")
      let frames = try await framesBeside(
        """
        "camera": { "type": "testVideo", "width": 320, "height": 180, "live": true },
        "other": { "type": "testVideo", "width": 320, "height": 180, "seconds": 400 },
        "video": { "type": "h264Encoder" }, "movie": { "type": "mp4Sink", "path": "\(path)" }
        """, #""camera -> weak", "other -> video -> movie.video""#, path)
      #expect(frames > 30)
    }

    @Test("a branch of the failing node's own stage is ended with it")
    func theFileBesideItInOneStageIsClosed() async throws {
      let path = scratch.path("a.mp4")
      let frames = try await framesBeside(
        """
        "camera": { "type": "testVideo", "width": 320, "height": 180, "seconds": 400 },
        "pass": { "type": "pass" }, "video": { "type": "h264Encoder" },
        "movie": { "type": "mp4Sink", "path": "\(path)" }
        """, #""camera -> pass", "pass -> weak", "pass -> video -> movie.video""#, path)
      #expect(frames >= 29)
    }
  }
}
