import Foundation
import GraphKit
import TestTools
import Testing

/// Disks that answer a call with an error of their own: the run says so, with the node, the file and
/// what is there of it, and what was written before can be played.
@Suite(.inTurnOrAlone) struct BadDiskTests {
  /// A run, the call that fails and from which of a thread's on, and what is said.
  struct Case: CustomTestStringConvertible, Sendable {
    let path: String
    let sink: String
    var isLive = false
    /// The failing calls, and those of which files; `nil` for all.
    let calls: String
    let from: Int
    var file: String?
    let says: String
    var testDescription: String { "\(sink), \(calls)" }
  }

  static let cases = [
    Case(
      path: "a.mp4", sink: #""type": "mp4Sink""#, calls: "pwrite64", from: 20, file: "a.mp4",
      says: "movie: `a.mp4` can't be written any further than "),
    Case(
      path: "a.mp4", sink: #""type": "mp4Sink""#, isLive: true, calls: "fdatasync", from: 1,
      file: "a.mp4", says: "movie: `a.mp4` can't be put on its disk: Input/output error; "),
    // Which file systems of other machines do, and those with quotas.
    Case(
      path: "a.mp4", sink: #""type": "mp4Sink""#, calls: "close", from: 1, file: "a.mp4",
      says: "movie: `a.mp4` can't be put on its disk: Input/output error; "),
    Case(
      path: "a.ts", sink: #""type": "tsSink""#, calls: "close", from: 1, file: "a.ts",
      says: "movie: `a.ts` can't be put on its disk: Input/output error; "),
    Case(
      path: "a.mp4", sink: #""type": "mp4Sink", "optimizeForNetworkUse": true"#, calls: "close",
      from: 1, file: "a.mp4.faststart",
      says: "movie: the movie `a.mp4` is whole, but its index is still at the end: "),
    Case(
      path: "a.mp4", sink: #""type": "mp4Sink", "optimizeForNetworkUse": true"#, calls: "rename",
      from: 1, file: "a.mp4.faststart",
      says: "movie: the movie `a.mp4` is whole, but its index is still at the end: "
        + "Input/output error; look at what the system says of the disk (`dmesg`)"),
    Case(
      path: "a.mkv", sink: #""type": "matroskaSink""#, calls: "write,writev", from: 10,
      file: "a.mkv", says: "movie: `a.mkv` can't be written any further than "),
    Case(
      path: "a.ts", sink: #""type": "tsSink""#, calls: "write,writev", from: 10, file: "a.ts",
      says: "movie: `a.ts` can't be written any further than "),
    Case(
      path: "a.mp4", sink: #""type": "mp4Sink", "playlist": true, "segmentDuration": 1"#,
      calls: "rename", from: 1,
      says: "movie: the playlist `a.m3u8` can't be written: Input/output error; "),
  ]

  @Test(arguments: cases) func theRunSaysWhatIsLost(_ row: Case) async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "nodes": {
          "camera": { "type": "testVideo", "width": 64, "height": 48, "seconds": 3,
                      "live": \(row.isLive) },
          "microphone": { "type": "testAudio", "seconds": 3, "live": \(row.isLive) },
          "video": { "type": "h264Encoder", "preset": "ultrafast", "keyFrameInterval": 15 },
          "audio": { "type": "aacEncoder" },
          "movie": { \(row.sink), "path": "\(row.path)" } },
        "wires": ["camera -> video -> movie.video", "microphone -> audio -> movie.audio"] }
      """)
    try await expectFailure(row, in: folder)
    let complaints = await Decoded.complaints(of: row.path, in: folder)
    // Which ffmpeg says of any Matroska that was cut off, and decodes what is there.
    #expect(complaints.isEmpty || complaints.contains("] File ended prematurely"), "\(complaints)")
  }

  @Test func aWaveKeepsWhatIsThere() async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 4 },
                   "movie": { "type": "wavSink", "path": "a.wav" } },
        "wires": ["tone -> movie"] }
      """)
    let row = Case(
      path: "a.wav", sink: "", calls: "write,writev", from: 10, file: "a.wav",
      says: "movie: `a.wav` can't be written any further than ")
    try await expectFailure(row, in: folder)
    #expect(try await Decoded.sound(of: "a.wav", in: folder).count > 10_000)
  }

  /// Where no segment gets to the disk any more, the playlists end with those before.
  @Test(arguments: [("fdatasync", true), ("rename", false)])
  func aStreamEndsWithWhatIsThere(calls: String, isLive: Bool) async throws {
    let folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "nodes": {
          "camera": { "type": "testVideo", "width": 64, "height": 48, "live": \(isLive),
                      "seconds": 8 },
          "video": { "type": "h264Encoder", "preset": "ultrafast" },
          "movie": { "type": "hlsSink", "path": "live", "segmentDuration": 0.5, "dash": false } },
        "wires": ["camera -> video -> movie.video"] }
      """)
    let row = Case(
      path: "live", sink: "", calls: calls, from: isLive ? 4 : 8,
      says: "movie: `live/video1")
    try await expectFailure(row, in: folder)
    #expect(folder.text("live/video1.m3u8").hasSuffix("\n#EXT-X-ENDLIST\n"))
    #expect(await Decoded.complaints(of: "live/video1.m3u8", in: folder) == "")
  }

  private func expectFailure(_ row: Case, in folder: Folder) async throws {
    let files = row.file.map { "-P \(folder.path)/\($0) -P \($0)" } ?? ""
    let words =
      "strace -f -o calls \(files) -e trace=\(row.calls) "
      + "-e inject=\(row.calls):error=EIO:when=\(row.from)+ "
      + "\"$0\" run g.json --quiet 2> said; echo $? > status"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    let said = folder.text("said")
    #expect(folder.text("status") == "74\n", "\(said)")
    #expect(said.hasPrefix("g.json: error: \(row.says)"), "\(said)")
    #expect(said.contains("Input/output error; "), "\(said)")
    #expect(said.contains("look at what the system says of the disk (`dmesg`)"), "\(said)")
    #expect(said.contains("written until then: "), "\(said)")
  }
}
