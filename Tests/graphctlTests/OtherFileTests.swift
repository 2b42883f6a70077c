import Foundation
import GraphKit
import TestTools
import Testing

/// WebM, transport streams, GIFs and images as the program writes them from the graphs of the
/// repository, and what a killed process leaves.
@Suite(.inTurnOrAlone) struct OtherFileTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func run(_ graph: String, _ words: [String] = []) async throws -> Graphctl.Result {
    let path = GraphFileTests.graphs.appending(path: graph).path
    return try await Graphctl.run(
      ["run", path] + words.flatMap { ["--set", $0] }, in: folder)
  }

  private func makeInput() async throws {
    try folder.write("small.json", smallGraph)
    let made = try await Graphctl.run(
      ["run", "small.json", "--set", "output=input.mp4", "--quiet"], in: folder)
    try #require(made.status == 0, "\(made)")
  }

  @Test func theGraphsOfOtherFilesRun() async throws {
    try await makeInput()
    let web = try await run("webm.json", ["input=input.mp4"])
    #expect(web.status == 0 && web.messages == "", "\(web)")
    #expect(web.output.contains("video V_VP9, 15 samples"), "\(web)")
    #expect(web.output.contains("audio A_OPUS, "), "\(web)")
    #expect(await Decoded.complaints(of: "web.webm", in: folder) == "")
    let stream = try await run("broadcast.json", ["input=input.mp4"])
    #expect(stream.status == 0 && stream.output.contains("video H.264, 15 samples"), "\(stream)")
    #expect(await Decoded.complaints(of: "broadcast.ts", in: folder) == "")
    let again = try await run("broadcast.json", ["input=input.mp4"])
    #expect(again.status != 0 && again.messages.contains("`broadcast.ts` is there already"))
    let gif = try await run("gif.json", ["input=input.mp4", "width=64"])
    #expect(gif.status == 0 && gif.output.hasPrefix("animation.gif: "), "\(gif)")
    #expect(await Decoded.complaints(of: "animation.gif", in: folder) == "")
  }

  /// GStreamer's reader of AIFF has GLib complain of a question that the encoder asks.
  @Test func anAIFFFileBecomesFLACWithoutAWarning() async throws {
    try Tool.generate(
      ["-f", "lavfi", "-i", "sine=d=1:r=48000", "-c:a", "pcm_s24be"], to: "a.aiff", in: folder)
    try folder.write(
      "flac.json",
      """
      { "nodes": { "in": { "type": "file", "path": "a.aiff" }, "flac": { "type": "flacEncoder" },
          "out": { "type": "audioSink", "path": "a.flac" } },
        "wires": ["in.audio -> flac -> out"] }
      """)
    let result = try await Graphctl.run(["run", "flac.json"], in: folder)
    #expect(result.status == 0 && result.messages == "", "\(result)")
    #expect(await Decoded.complaints(of: "a.flac", in: folder) == "")
  }

  @Test func framesGoOutAndComeBack() async throws {
    try await makeInput()
    let frames = try await run("frames.json", ["input=input.mp4"])
    #expect(frames.status == 0 && frames.output.hasPrefix("frames: "), "\(frames)")
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/frames")
    #expect(names.sorted() == (1...15).map { $0 < 10 ? "0000\($0).png" : "000\($0).png" })
    let movie = try await run("time-lapse.json", ["frameRate=5"])
    #expect(movie.status == 0 && movie.output.contains("video avc1, 15 samples"), "\(movie)")
    #expect(try MovieReader.read("\(folder.path)/time-lapse.mp4").duration == 3)
    let again = try await run("frames.json", ["input=input.mp4"])
    #expect(again.status != 0 && again.messages.contains("`frames/00001.png` is there already"))
  }

  private func liveGraph(_ sink: String, _ encoders: (String, String)) -> String {
    """
    { "nodes": {
        "picture": { "type": "testVideo", "width": 160, "height": 120, "live": true },
        "tone":    { "type": "testAudio", "live": true },
        "video":   { "type": "\(encoders.0)" },
        "audio":   { "type": "\(encoders.1)" },
        "file":    { \(sink) } },
      "wires": ["picture -> video -> file.video", "tone -> audio -> file.audio"] }
    """
  }

  /// Whatever ends the process, what was written plays; a signal that asks for the end completes it.
  @Test(
    arguments: [SIGKILL, SIGINT],
    [
      (#""type": "matroskaSink", "path": "a.mkv""#, "a.mkv", "vp8Encoder"),
      (#""type": "tsSink", "path": "a.ts""#, "a.ts", "h264Encoder"),
    ])
  func aSignalLeavesAFileThatPlays(_ signal: Int32, _ sink: (String, String, String)) async throws {
    try folder.write("live.json", liveGraph(sink.0, (sink.2, "aacEncoder")))
    let pipe = Pipe()
    let run = try Graphctl.Running(
      ["run", "live.json", "--events", "--quiet"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"event\": \"progress\", \"position\": 1"))
    run.send(signal)
    lines.stop()
    let result = try await run.result()
    #expect(result.status == (signal == SIGKILL ? -SIGKILL : 0), "\(result)")
    let path = "\(folder.path)/\(sink.1)"
    let found = try #require(try ContainerReader.read(path))
    #expect(found.tracks.count == 2 && found.tracks.allSatisfy { $0.duration > 0.6 }, "\(found)")
    if sink.1 == "a.mkv" { #expect(found.isFragmented == (signal == SIGKILL)) }
    let complaints = await Decoded.complaints(of: sink.1, in: folder)
    if signal == SIGINT { #expect(complaints == "") }
    #expect(try await Decoded.sound(of: sink.1, in: folder).count > 28_000)
    let frames = try await Decoded.pictures(of: sink.1, size: 160 * 120 * 3, in: folder)
    #expect(frames.count >= 20, "\(frames.count)")
  }
}
