import Foundation
import GraphKit
import TestTools
import Testing

/// Formats that an encoder or a movie can't hold are found before the run, at their node.
@Suite(.inTurn) struct MisfitTests {
  private func graph(_ source: String, _ encoder: String, into path: String = "a.mp4") -> String {
    """
    { "nodes": {
        "source": { \(source) },
        "encoder": { "type": "\(encoder)" },
        "movie": { "type": "mp4Sink", "path": "\(path)" } },
      "wires": ["source -> encoder -> movie"] }
    """
  }

  private func check(_ text: String) async throws -> Graphctl.Result {
    let folder = try Folder()
    try folder.write("g.json", text)
    return try await Graphctl.run(["check", "g.json"], in: folder)
  }

  @Test(arguments: ["h264Encoder", "hevcEncoder"], [(641, 359), (640, 359), (1, 1), (3, 3)])
  func oddSizesAreFound(encoder: String, size: (width: Int, height: Int)) async throws {
    let source = #""type": "testVideo", "width": \#(size.width), "height": \#(size.height)"#
    let result = try await check(graph(source, encoder))
    #expect(result.status == 65)
    let (width, height) = (max(16, size.width & ~1), max(16, size.height & ~1))
    #expect(
      result.messages == "g.json:3:5: error: frames of \(size.width)x\(size.height) enter, and "
        + "it takes only even widths and heights; make them \(width)x\(height), where they come from "
        + "or with a `videoConvert` that sets `width` and `height`\n")
  }

  @Test(arguments: ["h264Encoder", "hevcEncoder"])
  func tinySizesAreFound(encoder: String) async throws {
    let result = try await check(graph(#""type": "testVideo", "width": 640, "height": 2"#, encoder))
    #expect(result.status == 65)
    #expect(
      result.messages.hasPrefix(
        "g.json:3:5: error: frames of 640x2 enter, and it takes none below 16x16; "
          + "make them 640x16, "))
  }

  @Test func nothingIsDownmixedInSilence() async throws {
    let result = try await check(graph(#""type": "testAudio", "channels": 8"#, "aacEncoder"))
    #expect(
      result
        == .init(
          status: 65, output: "",
          messages: "g.json:3:5: error: 8 channels enter, and it takes at most 6; put an "
            + "`audioConvert` before it whose `channels` are 6, 2 or 1\n"))
  }

  @Test func aConverterMakesThemFit() async throws {
    let text = graph(#""type": "testVideo", "width": 641, "height": 359"#, "h264Encoder")
      .replacing(
        #""movie":"#,
        with: #""even": { "type": "videoConvert", "width": 640, "height": 358 }, "movie":"#
      ).replacing("source -> encoder", with: "source -> even -> encoder")
    #expect(try await check(text).status == 0)
  }

  @Test(
    "texts aren't cut, played faster or backwards",
    arguments: [
      ("trim", "wire it past this node, and cut it with `from` and `to` of `file`"),
      ("speed", "leave it out, or draw it before with a `subtitleOverlay`"),
      ("reverse", "leave it out, or draw it before with a `subtitleOverlay`"),
    ])
  func texts(type: String, remedy: String) async throws {
    let folder = try Folder()
    try folder.write("a.srt", "1\n00:00:00,200 --> 00:00:00,800\nHello\n")
    try folder.write(
      "g.json",
      """
      { "nodes": {
          "texts": { "type": "subtitles", "path": "a.srt" },
          "passed": { "type": "pass" }, "changed": { "type": "\(type)" },
          "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": ["texts -> passed -> changed -> movie.text"] }
      """)
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status == 65)
    let text = "timed text enters, and it takes raw audio or raw video; \(remedy)"
    #expect(result.messages.contains("g.json:3:35: error: \(text)"), "\(result.messages)")
  }

  @Test func picturesInASoundFileAreFound() async throws {
    let result = try await check(graph(#""type": "testVideo""#, "h264Encoder", into: "a.m4a"))
    #expect(
      result.messages == "g.json:4:43: error: `a.m4a` is named as audio only, and video is "
        + "wired to it; end it in .mp4, .m4v or .mov\n")
  }

  @Test(arguments: ["h264Encoder", "hevcEncoder"])
  func framesMayComeOnceInManyMinutes(encoder: String) async throws {
    let folder = try Folder()
    let source = #""type": "testVideo", "width": 64, "height": 64, "frameRate": 0.001, "frames": 3"#
    try folder.write("g.json", graph(source, encoder))
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    #expect(result.status == 0 && result.messages == "", "\(result)")
    #expect(try MovieReader.read("\(folder.path)/a.mp4").duration == 3000)
  }
}
