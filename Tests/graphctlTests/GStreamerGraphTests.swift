import Foundation
import TestTools
import Testing

/// The graphs with elements of GStreamer, run as they are, and what they write looked at by ffmpeg.
@Suite(.inTurn) struct GStreamerGraphTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func run(_ graph: String, _ settings: [String]) async throws {
    let path = Graphctl.repository.appending(path: "graphs/\(graph).json").path
    let result = try await Graphctl.run(
      ["run", path] + settings.flatMap { ["--set", $0] }, in: folder)
    #expect(result.status == 0, "\(result)")
  }

  /// A tone of a fifth of a second comes again a quarter of a second later.
  @Test(arguments: [0.0, 0.5]) func anEffectHasItsProperties(_ intensity: Double) async throws {
    try Tool.generate(
      ["-f", "lavfi", "-i", "sine=d=0.2:sample_rate=48000,apad=whole_dur=1"], to: "in.wav",
      in: folder)
    try await run("gst-effect", ["input=in.wav", "output=out.m4a", "intensity=\(intensity)"])
    let samples = try await Decoded.sound(of: "out.m4a", in: folder)
    #expect(abs(samples.count - 48_000) < 2_048)
    let echo = samples[14_000..<20_000].map { abs(Int($0)) }.max() ?? 0
    #expect(intensity == 0 ? echo < 100 : (1_500..<2_600).contains(echo), "\(echo)")
  }

  @Test func padsByRequestArePorts() async throws {
    try Tool.generate(
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x96:r=25:d=1", "-f", "lavfi", "-i",
        "sine=d=1:sample_rate=48000", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt",
        "yuv420p", "-c:a", "aac",
      ], to: "in.mp4", in: folder)
    try await run("gst-avi", ["input=in.mp4", "output=out.avi"])
    let streams = try await Tool.result(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "out.avi"],
      in: folder.url)
    #expect(Set(streams.output.split(separator: "\n")) == ["h264", "mp3"], "\(streams)")
    let size = 160 * 96 * 3
    let copied = try await Decoded.pictures(of: "out.avi", size: size, in: folder)
    #expect(try await Decoded.pictures(of: "in.mp4", size: size, in: folder) == copied)
    #expect(copied.count == 25)
  }

  @Test(arguments: [[], ["--overwrite"]])
  func aValueThatAnElementDoesNotTakeHasAPlace(_ options: [String]) async throws {
    try folder.write(
      "wrong.json",
      """
      { "nodes": { "a": { "type": "testAudio", "seconds": 1 },
          "e": { "type": "gst", "element": "audioecho", "properties": { "delay": "soon" } },
          "o": { "type": "nullSink" } }, "wires": ["a -> e -> o"] }
      """)
    let result = try await Graphctl.run(["run", "wrong.json"] + options, in: folder)
    #expect(result.status == 65)
    #expect(result.messages.contains("wrong.json:2:76: error: `audioecho` doesn't take `soon`"))
  }

  @Test func padsThatHaveNamesArePorts() async throws {
    try Tool.generate(
      ["-f", "lavfi", "-i", "color=black:s=320x240:r=10:d=2", "-c:v", "libx264"], to: "in.mp4",
      in: folder)
    try folder.write("subtitles.srt", "1\n00:00:01,000 --> 00:00:01,500\nHELLO\n")
    try await run("gst-captions", ["input=in.mp4", "assets=.", "output=out.mp4"])
    let frames = try await Decoded.pictures(of: "out.mp4", size: 320 * 240 * 3, in: folder)
    #expect(frames.count == 20)
    let bright = frames.indices.filter { frames[$0].contains { $0 > 128 } }
    #expect(bright == Array(10..<15), "\(bright)")
  }
}
