import Foundation
import TestTools
import Testing

/// What a person is told of a run that fails, or that would.
@Suite(.inTurn) struct FailureTextTests {
  @Test func aDetailIsSaidOnce() async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "nodes": { "tone": { "type": "testAudio" },
          "odd": { "type": "gst", "element": "identity", "properties": { "error-after": "5" } },
          "end": { "type": "nullSink" } },
        "wires": ["tone -> odd -> end"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    #expect(result.status == 74)
    #expect(result.messages.hasPrefix("g.json: error: odd: Failed after iterations as requested; "))
    #expect(result.messages.split(separator: "GstIdentity:odd/0-identity").count == 2, "\(result)")
  }

  @Test func theSizeOfAFileIsKnownBehindItsDecoder() async throws {
    let folder = try Folder()
    let source = "testsrc=size=641x359:duration=0.2:rate=25"
    try await Tool.run(
      "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", source, "-c:v", "libvpx", "odd.mkv"],
      in: folder.url)
    try folder.write(
      "g.json",
      """
      { "nodes": { "file": { "type": "file", "path": "odd.mkv" },
          "decoder": { "type": "decoder", "media": "video" },
          "encoder": { "type": "h264Encoder" },
          "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": ["file.video -> decoder -> encoder -> movie"] }
      """)
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status == 65)
    #expect(result.messages.hasPrefix("g.json:3:5: error: frames of 641x359 enter"), "\(result)")
  }
}
