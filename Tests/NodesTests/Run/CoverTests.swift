import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// The pictures of files of audio, in copies: all of them, each for what it is, as ffmpeg reads them.
@Suite(.inTurn) struct CoverTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private static let (front, back) = ("mjpeg Cover (front)", "png Cover (back)")

  /// The codecs of a file's pictures, and what they show.
  private func pictures(_ path: String) throws -> [String] {
    let words = [
      "-v", "error", "-select_streams", "v", "-show_entries",
      "stream=codec_name:stream_tags=comment", "-of", "csv=p=0:s=\\ ", path,
    ]
    let text = String(decoding: try tool("ffprobe", words), as: UTF8.self)
    return text.split(separator: "\n").map { String($0.replacing("\"", with: "")) }
  }

  /// A FLAC file with pictures of kinds by their numbers: the front cover as JPEG, others as PNG.
  private func flac(_ kinds: [Int]) throws -> String {
    let (path, jpeg, png) = (
      scratch.path("in.flac"), scratch.path("front.jpg"), scratch.path("back.png")
    )
    try ffmpeg("-f lavfi -i testsrc2=s=64x64 -frames:v 1", to: jpeg)
    try ffmpeg("-f lavfi -i color=red:s=32x32 -frames:v 1", to: png)
    try ffmpeg("-f lavfi -i sine=d=1", to: path)
    for kind in kinds {
      let words = kind == 3 ? "3|image/jpeg|||\(jpeg)" : "\(kind)|image/png|||\(png)"
      _ = try tool("metaflac", ["--import-picture-from=\(words)", path])
    }
    return path
  }

  /// The same as MP3.
  private func mp3() throws -> String {
    _ = try flac([])
    let path = scratch.path("in.mp3")
    _ = try tool(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "sine=d=1", "-i", scratch.path("back.png"), "-i",
        scratch.path("front.jpg"), "-map", "0", "-map", "1", "-map", "2", "-c:v", "copy",
        "-metadata:s:v:0", "comment=Cover (back)", "-metadata:s:v:1", "comment=Cover (front)",
        path,
      ])
    return path
  }

  private func copy(
    _ source: String, to name: String, by encoder: String = "", _ parameters: String = ""
  ) async throws -> String {
    let path = scratch.path(name)
    let sink = name.hasSuffix("m4a") || name.hasSuffix("mov") ? "mp4Sink" : "audioSink"
    let between =
      encoder.isEmpty ? "" : #""d": { "type": "decoder" }, "e": { "type": "\#(encoder)" },"#
    let wire = encoder.isEmpty ? "in.audio -> out" : "in.audio -> d -> e -> out"
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" }, \(between)
          "out": { "type": "\(sink)", "path": "\(path)"\(parameters) } },
        "wires": ["\(sink == "mp4Sink" ? wire + ".audio" : wire)"] }
      """)
    _ = try await run.run()
    return path
  }

  @Test(arguments: [
    ("a.flac", ""), ("a.ogg", ""), ("b.flac", "flacEncoder"), ("a.mp3", "mp3Encoder"),
    ("a.opus", "opusEncoder"), ("b.ogg", "vorbisEncoder"),
  ])
  func allPicturesAreKept(_ name: String, _ encoder: String) async throws {
    let path = try await copy(try flac([4, 3]), to: name, by: encoder)
    #expect(try pictures(path) == [Self.front, Self.back])
  }

  @Test(arguments: ["a.mp3", "a.m4a", "a.mov"])
  func soAreThoseOfMP3(_ name: String) async throws {
    let path = try await copy(try mp3(), to: name)
    // Movies don't say what a picture is, and QuickTime has one.
    let codecs = name == "a.mov" ? ["mjpeg"] : ["mjpeg", "png"]
    let found = try pictures(path)
    #expect(name == "a.mp3" ? found == [Self.front, Self.back] : found == codecs)
  }

  /// An artist, an icon, and a picture of which nothing is said.
  @Test(
    arguments: [(8, "Artist/performer"), (2, "Other file icon"), (0, "Other")], ["flac", "mp3"])
  func whatIsNoCoverBecomesNone(_ kind: (Int, String), _ ending: String) async throws {
    let encoder = ending == "mp3" ? "mp3Encoder" : ""
    let path = try await copy(try flac([kind.0]), to: "a.\(ending)", by: encoder)
    #expect(try pictures(path) == ["png \(kind.1)"])
  }

  /// Of a file that has no other, a movie shows what there is.
  @Test func aMovieShowsWhatThereIs() async throws {
    let path = try await copy(try flac([8]), to: "a.m4a")
    #expect(try pictures(path) == ["png"])
  }

  @Test func theCoverOfTheGraphStandsForThatOfTheFile() async throws {
    let source = try flac([4, 3, 0])
    let other = scratch.path("other.png")
    try ffmpeg("-f lavfi -i color=blue:s=32x32 -frames:v 1", to: other)
    let path = try await copy(source, to: "a.flac", by: "", #", "cover": "\#(other)""#)
    #expect(try pictures(path) == ["png Cover (front)", Self.back])
    let words = ["-v", "error", "-i", path, "-map", "0:v:0", "-c", "copy", "-f", "image2pipe", "-"]
    #expect(try tool("ffmpeg", words) == Data(contentsOf: URL(filePath: other)))
  }

  /// A picture that files of audio and movies don't have.
  @Test(
    arguments: [
      ("a.flac", ""), ("a.mp3", "mp3Encoder"), ("a.m4a", ""), ("a.mka", ""),
      ("b.m4a", "aacEncoder"),
    ])
  func aWarningNamesWhatIsNoCover(_ name: String, _ encoder: String) async throws {
    let found = try await warnings(copying: name, encoder, isolate: false)
    #expect(found == 1)
  }

  @Test func soItDoesOfWhatAnotherProcessReads() async throws {
    #expect(try await warnings(copying: "a.flac", "", isolate: true) == 1)
  }

  /// How many warnings name a picture of a FLAC file that is copied to a file, or encoded.
  private func warnings(
    copying name: String, _ encoder: String, isolate: Bool
  ) async throws -> Int {
    let (source, gif, path) = (try flac([3]), scratch.path("a.gif"), scratch.path(name))
    try ffmpeg("-f lavfi -i testsrc2=s=16x16 -frames:v 1", to: gif)
    _ = try tool("metaflac", ["--import-picture-from=4|image/gif||16x16x8|\(gif)", source])
    let sink =
      name.hasSuffix("m4a") ? "mp4Sink" : name.hasSuffix("mka") ? "matroskaSink" : "audioSink"
    let input = sink == "audioSink" ? "out" : "out.audio"
    let between = encoder.isEmpty ? "" : #""e": { "type": "\#(encoder)" },"#
    let wire = encoder.isEmpty ? "in.audio -> \(input)" : "in.audio -> e -> \(input)"
    let report = try await pipeline(
      """
      { "nodes": {
          "in": { "type": "file", "path": "\(source)", "isolate": \(isolate) }, \(between)
          "out": { "type": "\(sink)", "path": "\(path)" } },
        "wires": ["\(wire)"] }
      """
    ).run()
    let words = "a picture in GIF is left out, since the file takes JPEG and PNG"
    return (report.warnings ?? []).count { $0.message.contains(words) }
  }

  /// An encoder that wrote the picture into its stream's header would fail, or keep its readers for long.
  @Test(
    arguments: [
      ("a.mp3", ""), ("a.opus", "opusEncoder"), ("a.ogg", "vorbisEncoder"),
      ("a.flac", "flacEncoder"),
    ])
  func aWarningNamesWhatIsTooLarge(_ name: String, _ encoder: String) async throws {
    let (picture, source) = (scratch.path("front.jpg"), scratch.path("in.mp3"))
    try ffmpeg("-f lavfi -i testsrc2=s=64x64 -frames:v 1", to: picture)
    let padded = try Data(contentsOf: URL(filePath: picture)) + Data(count: 17_000_000)
    try padded.write(to: URL(filePath: picture))
    try ffmpeg("-f lavfi -i sine=d=1 -i \(picture) -map 0 -map 1 -c:v copy", to: source)
    let between = encoder.isEmpty ? "" : #""e": { "type": "\#(encoder)" },"#
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" }, \(between)
          "out": { "type": "audioSink", "path": "\(scratch.path(name))" } },
        "wires": ["in.audio -> \(encoder.isEmpty ? "out" : "e -> out")"] }
      """
    ).run()
    let found = (report.warnings ?? []).map(\.message)
    #expect(found.count == 1 && found[0].hasPrefix("1 picture is left out"), "\(found)")
  }
}
