import Foundation
import GraphKit
import Testing

/// A file that can't grow any more, as on a full disk.
@Suite struct FullDiskTests {
  @Test func theRunFailsAndTheMovieCanBeRead() async throws {
    let folder = try Folder()
    try folder.write(
      "long.json",
      """
      { "nodes": {
          "camera": { "type": "testVideo", "pattern": "snow", "width": 320, "height": 240 },
          "microphone": { "type": "testAudio" },
          "video": { "type": "h264Encoder", "bitRate": 2000000, "preset": "ultrafast" },
          "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "a.mp4", "seconds": 60 } },
        "wires": ["camera -> video -> movie.video", "microphone -> audio -> movie.audio"] }
      """)
    // Blocks of 512 bytes; the signal that would end the process is ignored, so that writing fails.
    let words = "trap '' XFSZ; ulimit -f 2000; \"$0\" run long.json --quiet; echo $? > status"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    #expect(folder.text("status") == "74\n")
    #expect(await Decoded.complaints(of: "a.mp4", in: folder) == "")
    let movie = try MovieReader.read("\(folder.path)/a.mp4")
    #expect(movie.isFragmented && movie.tracks.count == 2 && movie.duration > 1, "\(movie)")
  }
}
