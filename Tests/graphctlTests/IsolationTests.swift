import Foundation
import TestTools
import Testing

/// Files that a process of its own reads give what they give otherwise.
@Suite(.inTurnOrAlone, .enabled(if: !Graphctl.isSanitized)) struct IsolationTests {
  private static let tone = ["-f", "lavfi", "-i", "sine=440:d=1.5,aformat=channel_layouts=stereo"]
  private static let film = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1.5"] + tone
  private static let movie = film + ["-c:v", "libx264", "-g", "12", "-bf", "2", "-c:a", "aac"]

  /// Words that make a file, its name, and parameters of the node that reads it.
  private static let files: [(make: [String], name: String, parameters: String)] = [
    (movie, "a.mp4", ""),
    (movie, "a.mp4", #", "from": 0.31, "to": 1.2"#),
    (movie, "a.mp4", #", "loop": 2"#),
    // Of a format that GraphKit has no name for, in Matroska.
    (film + ["-c:v", "ffv1", "-pix_fmt", "yuv422p10", "-c:a", "flac"], "c.mkv", ""),
    (film + ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"], "d.webm", ""),
    (tone + ["-c:a", "libmp3lame"], "e.mp3", ""),
    (tone + ["-c:a", "pcm_s24le"], "f.wav", ""),
  ]

  @Test(arguments: files.indices) func streamsAreThoseOfTheFile(index: Int) async throws {
    let (words, name, parameters) = Self.files[index]
    let folder = try Folder()
    try Tool.generate(words, to: name, in: folder)
    let hasVideo = words.contains("-c:v")
    let (nodes, wire) =
      hasVideo
      ? (
        #""pictures": { "type": "decoder" }, "video": { "type": "h264Encoder" },"#
          + #""movie": { "type": "mp4Sink", "path": "${to}.mp4" },"#,
        #""in.video -> pictures -> video -> movie.video","#
      ) : ("", "")
    try folder.write(
      "g.json",
      """
      { "parameters": { "isolate": true, "to": null },
        "nodes": { \(nodes)
          "in": { "type": "file", "path": "\(name)", "isolate": "${isolate}"\(parameters) },
          "decoder": { "type": "decoder" }, "wave": { "type": "wavSink", "path": "${to}.wav" } },
        "wires": [\(wire) "in.audio -> decoder -> wave"] }
      """)
    for isolate in ["true", "false"] {
      let values = ["--set", "isolate=\(isolate)", "--set", "to=\(isolate)"]
      let result = try await Graphctl.run(["run", "g.json", "--quiet"] + values, in: folder)
      #expect(result.status == 0, "\(isolate): \(result)")
      for file in hasVideo ? ["wav", "mp4"] : ["wav"] {
        let path = "\(isolate).\(file)"
        try await Tool.run(
          "ffmpeg", ["-v", "error", "-i", path, "-f", "framemd5", "\(path).md5"], in: folder.url)
      }
    }
    #expect(folder.text("true.wav.md5") == folder.text("false.wav.md5"))
    #expect(folder.text("true.mp4.md5") == folder.text("false.mp4.md5"))
    #expect(try folder.data("true.wav").count > 40_000)
  }

  /// What can't be, by parameters of the node and its wire.
  @Test(arguments: [
    (
      #""exact": true, "from": 1"#, "in.audio -> none",
      "with `isolate` no frames at the ends of a copy are encoded anew; leave out `exact`"
    ),
    (#""timeLimit": 0"#, "in.audio -> none", "timeLimit"),
    (
      #""memoryLimit": 191"#, "in.audio -> none",
      "`memoryLimit` is 191 MiB; it goes from 192 to 1048576 MiB"
    ),
  ])
  func whatCantBeIsSaid(parameters: String, wire: String, problem: String) async throws {
    let folder = try Folder()
    try Tool.generate(Self.movie, to: "a.mp4", in: folder)
    try folder.write(
      "g.json",
      """
      { "nodes": { "none": { "type": "nullSink" },
          "in": { "type": "file", "path": "a.mp4", "isolate": true\(
            parameters.isEmpty ? "" : ", " + parameters) } },
        "wires": ["\(wire)"] }
      """)
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status == 65 && result.messages.hasPrefix("g.json:"), "\(result)")
    #expect(result.messages.contains(problem), "\(result)")
  }

  @Test func theProgramThatReadsTheFileIsLookedFor() async throws {
    try await expect(
      of: "/nowhere",
      "`isolate` needs GraphKit's program `graphctl`, and GRAPHKIT_HELPER names `/nowhere`, "
        + "which is no program; set it to the path of `graphctl`")
  }

  /// Programs that aren't GraphKit's, or are of another version: the file has no part in it.
  @Test(arguments: [("true", "ended with exit code 0"), ("false", "ended with exit code 1")])
  func anotherProgramIsNamed(name: String, conduct: String) async throws {
    try await expect(
      of: "/bin/\(name)",
      "`/bin/\(name)` was to read the file for `isolate`, and isn't GraphKit's program `graphctl` of this "
        + "version: it \(conduct); set GRAPHKIT_HELPER to the path of that, or to nothing to have "
        + "it looked for")
  }

  private func expect(of helper: String, _ problem: String) async throws {
    let folder = try Folder()
    try Tool.generate(Self.movie, to: "a.mp4", in: folder)
    try folder.write("g.json", isolatedGraph("a.mp4"))
    let result = try await Graphctl.run(
      ["check", "g.json"], in: folder, environment: ["GRAPHKIT_HELPER": helper])
    #expect(result.status != 0 && result.messages.hasSuffix("error: \(problem)\n"), "\(result)")
  }

  @Test func aGIFIsReadAsAWhole() async throws {
    let folder = try Folder()
    try Tool.generate(["-f", "lavfi", "-i", "testsrc2=s=16x16:r=5:d=1"], to: "a.gif", in: folder)
    let graph = isolatedGraph("a.gif").replacing("in.audio -> decoder", with: "in.video")
    let unused = #""decoder": { "type": "decoder" },"#
    try folder.write("g.json", graph.replacing(unused, with: ""))
    let whole = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    #expect(whole.status == 0, "\(whole)")
    try folder.write(
      "g.json", folder.text("g.json").replacing("true", with: "true, \"from\": 0.3"))
    let part = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(part.status == 66, "\(part)")
    #expect(part.messages.contains("`a.gif` is a GIF, which is read as a whole"), "\(part)")
  }

  /// Which fields a frame has, a file may say of each frame: it plays without them otherwise.
  @Test func fieldsOfFramesComeAlong() async throws {
    let folder = try Folder()
    try Tool.generate(
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=50:d=1,tinterlace=interleave_top"]
        + ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-top", "1"], to: "a.mkv", in: folder)
    try folder.write(
      "g.json",
      """
      { "parameters": { "isolate": true },
        "nodes": { "in": { "type": "file", "path": "a.mkv", "isolate": "${isolate}" },
          "decoder": { "type": "decoder" },
          "frames": { "type": "gst", "element": "deinterlace" },
          "video": { "type": "h264Encoder" }, "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": ["in.video -> decoder -> frames -> video -> movie.video"] }
      """)
    var sums: [String] = []
    for isolate in ["true", "false"] {
      let values = ["--set", "isolate=\(isolate)", "--overwrite"]
      let result = try await Graphctl.run(["run", "g.json", "--quiet"] + values, in: folder)
      #expect(result.status == 0, "\(isolate): \(result)")
      try await Tool.run(
        "ffmpeg", ["-v", "error", "-i", "a.mp4", "-f", "md5", "-y", "a.md5"], in: folder.url)
      sums.append(folder.text("a.md5"))
    }
    #expect(sums[0] == sums[1])
  }

  @Test func aGraphIsExplainedWithoutItsFile() async throws {
    let graph = Graphctl.repository.appending(path: "graphs/upload.json").path
    let result = try await Graphctl.run(["explain", graph], in: try Folder())
    #expect(result.status == 0, "\(result)")
  }

  @Test func anAddressIsRefused() async throws {
    let folder = try Folder()
    try folder.write("g.json", isolatedGraph("http://127.0.0.1:1/a.mp4"))
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status == 65, "\(result)")
    #expect(result.messages.contains("`isolate` has files of this machine read"), "\(result)")
  }
}

/// A graph that decodes the audio of a file in a process of its own.
func isolatedGraph(_ path: String, _ parameters: String = "") -> String {
  """
  { "nodes": { "in": { "type": "file", "path": "\(path)", "isolate": true\(parameters) },
      "decoder": { "type": "decoder" }, "none": { "type": "nullSink" } },
    "wires": ["in.audio -> decoder -> none"] }
  """
}
