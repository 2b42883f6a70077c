import Foundation
import GraphKit
import TestTools
import Testing

/// A file that can't grow any more, as on a full disk.
@Suite(.inTurn) struct FullDiskTests {
  private func recording(seconds: Int, path: String = "a.mp4", _ more: String = "") -> String {
    """
    { "nodes": {
        "camera": { "type": "testVideo", "pattern": "snow", "width": 320, "height": 240 },
        "microphone": { "type": "testAudio" },
        "video": { "type": "h264Encoder", "bitRate": 2000000, "preset": "ultrafast" },
        "audio": { "type": "aacEncoder" },
        "movie": { "type": "mp4Sink", "path": "\(path)", "seconds": \(seconds)\(more) } },
      "wires": ["camera -> video -> movie.video", "microphone -> audio -> movie.audio"] }
    """
  }

  /// The run ends while there is room for the end of the movie, at whatever size that is.
  @Test(arguments: [1_600, 2_000, 3_333])
  func theRunIsEndedInOrderBeforeAFileIsTooLarge(blocks: Int) async throws {
    let folder = try Folder()
    try folder.write("long.json", recording(seconds: 60))
    // Blocks of 512 bytes. The signal that would end the process is the program's to ignore.
    let words =
      "ulimit -f \(blocks); \"$0\" run long.json --quiet --report r.json 2> said; echo $? > status; "
      + "stat -c '%s %b' a.mp4 > sizes"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    #expect(folder.text("status") == "71\n")
    let said = folder.text("said")
    #expect(
      said.hasPrefix(
        "long.json: error: movie: `a.mp4` was finished early: a file may have at most "
          + "\(blocks * 512) bytes here, but for the room that its index needs; raise the limit of "
          + "files' sizes (`ulimit -f`), or write to a disk that takes larger ones\n"), "\(said)")
    #expect(folder.text("r.json").contains("\"kind\": \"outOfRoom\""))
    #expect(await Decoded.complaints(of: "a.mp4", in: folder) == "")
    let movie = try MovieReader.read("\(folder.path)/a.mp4")
    #expect(!movie.isFragmented && movie.tracks.count == 2 && movie.duration > 0.3, "\(movie)")
    // What was reserved is given back.
    let sizes = folder.text("sizes").split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(sizes.count == 2)
    #expect(sizes[0] <= blocks * 512 && sizes[1] * 512 < sizes[0] + 65_536, "\(sizes)")
  }

  /// All of the movie would be lost, with a good word at the end.
  @Test(arguments: ["/dev/null", "/dev/full"]) func aMovieNeedsAFile(device: String) async throws {
    let folder = try Folder()
    try folder.write("device.json", recording(seconds: 1, ", \"overwrite\": true"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/a.mp4", withDestinationPath: device)
    let result = try await Graphctl.run(["run", "device.json", "--quiet"], in: folder)
    #expect(result.status == 73)
    #expect(
      result.messages
        == "device.json: error: movie: `a.mp4` can't be written: it leads to a device "
        + "or a pipe, and needs a file; give another path\n", "\(result)")
  }

  @Test func aFullDiskIsCalledThat() async throws {
    let folder = try Folder()
    try folder.write(
      "full.json",
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 10 },
                   "file": { "type": "wavSink", "path": "/dev/full", "overwrite": true } },
        "wires": ["tone -> file"] }
      """)
    let result = try await Graphctl.run(["run", "full.json", "--quiet"], in: folder)
    #expect(result.status == 71)
    #expect(
      result.messages.hasPrefix(
        "full.json: error: file: `/dev/full` can't be written any further than 0 bytes: "
          + "No space left on device; make room on the disk"), "\(result)")
  }

  /// Sinks that write their file at its end, which asks for 71 as well: a batch tries that again.
  @Test(arguments: [
    (#""waveform""#, "peaksSink", "dat"), (#""loudness""#, "measurementSink", "json"),
  ])
  func fullDisksOfWholeFilesAreCalledThat(
    _ reducer: String, _ sink: String, _ ending: String
  ) async throws {
    let folder = try Folder()
    try folder.write(
      "whole.json",
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
                   "reducer": { "type": \(reducer) },
                   "file": { "type": "\(sink)", "path": "full.\(ending)", "overwrite": true } },
        "wires": ["tone -> reducer -> file"] }
      """)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/full.\(ending)", withDestinationPath: "/dev/full")
    let result = try await Graphctl.run(["run", "whole.json", "--quiet"], in: folder)
    #expect(result.status == 71, "\(result)")
    #expect(result.messages.contains("No space left on device; make room on the disk"), "\(result)")
  }

  /// Where no copy can be made, the movie has all that is known of it, but for its index in front.
  @Test func theMovieIsWholeWithItsIndexAtTheEnd() async throws {
    let folder = try Folder()
    try folder.write(
      "small.json",
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 1 }, "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "a.mp4", "optimizeForNetworkUse": true } },
        "wires": ["tone -> audio -> movie"] }
      """)
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "a.mp4.faststart"), withIntermediateDirectories: false)
    let result = try await Graphctl.run(["run", "small.json", "--quiet"], in: folder)
    #expect(result.status == 74)
    #expect(
      result.messages.hasPrefix(
        "small.json: error: movie: the movie `a.mp4` is whole, but its index is still at the end: "
          + "File exists; look at what has the name and at the disk"), "\(result)")
    // The 1,024 samples of priming are left out, as always.
    #expect(try await Decoded.sound(of: "a.mp4", in: folder).count < 49_000)
  }
}
