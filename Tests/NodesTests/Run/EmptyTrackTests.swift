import Foundation
import GraphKit
import TestTools
import Testing

extension FileTests {
  /// Tracks and files for which no sample comes.
  @Suite struct EmptyTrackTests {
    private let scratch: TestFolder
    init() throws { scratch = try TestFolder() }

    private static let dropAll =
      #"{ "type": "gst", "element": "identity", "properties": { "drop-probability": 1.0 } }"#

    @Test(arguments: ["mp4", "mkv"]) func theTrackIsNamed(_ kind: String) async throws {
      let path = scratch.path("a.\(kind)")
      let report = try await pipeline(
        """
        { "nodes": {
            "frames": { "type": "testVideo", "width": 64, "height": 48, "frames": 30 },
            "h264": { "type": "h264Encoder" }, "tone": { "type": "testAudio", "seconds": 1 },
            "none": \(Self.dropAll), "aac": { "type": "aacEncoder" },
            "out": { "type": "\(kind == "mp4" ? "mp4Sink" : "matroskaSink")", "path": "\(path)" } },
          "wires": ["frames -> h264 -> out.video", "tone -> none -> aac -> out.audio"] }
        """
      ).run()
      #expect(report.state == .completed)
      #expect(
        report.warnings?.map(\.message)
          == ["no sample came on aac.out -> out.audio: `\(path)` has nothing of it"])
      #expect(try decodeComplaints(path) == "")
    }

    @Test(arguments: ["wav", "aiff"]) func aFileOfNothingIsAnError(_ kind: String) async throws {
      let path = scratch.path("a.\(kind)")
      let report = try await reportOf(
        """
        { "nodes": { "tone": { "type": "testAudio", "seconds": 1 }, "none": \(Self.dropAll),
            "out": { "type": "\(kind)Sink", "path": "\(path)" } },
          "wires": ["tone -> none -> out"] }
        """)
      #expect(report.failure?.node == "out")
      #expect(report.failure?.message == "`\(path)` holds nothing: no sample came for it")
      #expect(report.warnings == nil)
    }

    @Test(
      "a file that is there already stays where no sample comes to replace it",
      arguments: [
        ("mp4", "mp4Sink", "aac"), ("mkv", "matroskaSink", "aac"), ("ts", "tsSink", "aac"),
        ("flac", "audioSink", "flac"), ("ogg", "audioSink", "opus"), ("mp3", "audioSink", "mp3"),
        ("wav", "wavSink", nil), ("aiff", "aiffSink", nil),
      ]) func theOldFileStays(kind: String, sink: String, codec: String?) async throws
    {
      let path = try scratch.write(Data("old".utf8), to: "a.\(kind)")
      let encoder = codec.map { #""code": { "type": "\#($0)Encoder" },"# } ?? ""
      let report = try await reportOf(
        """
        { "nodes": { "tone": { "type": "testAudio", "seconds": 1 }, "none": \(Self.dropAll), \(encoder)
            "out": { "type": "\(sink)", "path": "\(path)", "overwrite": true } },
          "wires": ["tone -> none -> \(codec == nil ? "" : "code -> ")out"] }
        """)
      #expect(report.failure?.message.contains("holds nothing: no ") == true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
    }
  }
}
