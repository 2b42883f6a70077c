import Foundation
import GraphKit
import TestTools
import Testing

/// Files with what the demuxers and decoders of GStreamer 1.22 have tripped over, as its advisories
/// tell it: whatever they do to the process that reads them, a recording in the same graph goes on, and
/// what is said is said of the node that has the file.
@Suite(.inTurnOrAlone, .enabled(if: !Graphctl.isSanitized)) struct KnownFaultTests {
  /// A file that is made, and bytes that are written into it, some bytes after a mark.
  struct Case: CustomTestStringConvertible, Sendable {
    let fault: String
    let name: String
    let make: String
    let changes: [(mark: String, after: Int, bytes: [UInt8])]
    /// The code that `graphctl run` ends with.
    let status: Int32
    var testDescription: String { fault }
  }

  private static let many: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
  static let cases = [
    // Width times depth overflows where rows are turned over.
    Case(
      fault: "CVE-2022-1921", name: "a.avi", make: "-c:v rawvideo -pix_fmt bgr24",
      changes: [("strf", 8, [0x56, 0x55, 0x55, 0x55])], status: 74),
    // More samples than there is room for.
    Case(
      fault: "a table of sizes beyond the file", name: "a.mp4", make: "-c:v libx264",
      changes: [("stsz", 8, many)], status: 66),
    // A table of times that ends before it says.
    Case(
      fault: "a table of times beyond its box", name: "b.mp4", make: "-c:v libx264",
      changes: [("stts", 4, many)], status: 0),
    Case(
      fault: "a table of places beyond its box", name: "c.mp4", make: "-c:v libx264",
      changes: [("stco", 4, many)], status: 0),
    // More channels than there are places for them.
    Case(
      fault: "CVE-2024-47538", name: "a.mkv", make: "-c:a libvorbis",
      changes: [("\u{1}vorbis", 4, [0xFF])], status: 74),
    Case(
      fault: "CVE-2024-47607", name: "b.mkv", make: "-c:a libopus",
      changes: [("OpusHead", 1, [0xFF]), ("OpusHead", 10, [1])], status: 74),
    Case(fault: "none", name: "c.mkv", make: "-c:a libvorbis", changes: [], status: 0),
    // A chunk that ends before what is read of it.
    Case(
      fault: "CVE-2024-47777", name: "a.wav", make: "-c:a adpcm_ms",
      changes: [("fact", -4, Array("smpl".utf8))], status: 66),
  ]

  @Test(arguments: cases) func aRecordingGoesOn(_ row: Case) async throws {
    let folder = try Folder()
    let isVideo = row.make.hasPrefix("-c:v")
    let source = isVideo ? "testsrc2=s=64x48:r=10:d=1" : "sine=d=1:r=48000"
    let words = row.make.split(separator: " ").map(String.init)
    try Tool.generate(["-f", "lavfi", "-i", source] + words, to: row.name, in: folder)
    try change(row, in: folder)
    let port = isVideo ? "video" : "audio"
    try folder.write(
      "g.json",
      """
      { "nodes": { "in": { "type": "file", "path": "\(row.name)", "isolate": true, "timeLimit": 5 },
          "decoder": { "type": "decoder" }, "none": { "type": "nullSink" },
          "tone": { "type": "testAudio", "live": true, "seconds": 0.5 },
          "audio": { "type": "aacEncoder" }, "tape": { "type": "mp4Sink", "path": "tape.m4a" } },
        "wires": ["in.\(port) -> decoder -> none", "tone -> audio -> tape.audio"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    // What a process of its own has looked into is refused before anything is recorded.
    #expect(result.status == row.status, "\(result)")
    if result.status == 66 {
      #expect(result.messages.hasPrefix("g.json:1:") && !folder.has("tape.m4a"), "\(result)")
      return
    }
    #expect(
      result.status == 0 || result.messages.hasPrefix("g.json: error: in: "), "\(result)")
    // Nobody has written the nodes that the process has.
    #expect(!result.messages.contains("decoder0"), "\(result)")
    let tape = try MovieReader.read("\(folder.path)/tape.m4a")
    #expect(abs(tape.duration - 0.5) < 0.03 && !tape.isFragmented)
  }

  private func change(_ row: Case, in folder: Folder) throws {
    var bytes = try folder.data(row.name)
    for (mark, after, new) in row.changes {
      let place = try #require(bytes.range(of: Data(mark.utf8)), "\(mark)").upperBound + after
      bytes.replaceSubrange(place..<place + new.count, with: new)
    }
    try bytes.write(to: folder.url.appending(path: row.name))
  }
}
