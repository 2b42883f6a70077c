import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What WAV files say of themselves, as ffprobe reads it.
@Suite(.inTurn) struct WAVTagTests {
  private struct Answer: Decodable {
    struct Format: Decodable { var tags: [String: String]? }
    var format: Format
  }

  @Test(
    "they are those of the file that is read", arguments: ["m4a", "mkv", "opus", "flac", "mp3"])
  func ofAFile(ending: String) async throws {
    let folder = try TestFolder()
    let (source, path) = (folder.path("in.\(ending)"), folder.path("out.wav"))
    try ffmpeg(
      "-f lavfi -i sine=d=0.5:r=48000 -metadata title=One -metadata artist=Ada -metadata genre=Talk",
      to: source)
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "out": { "type": "wavSink", "path": "\(path)" } }, "wires": ["in.audio -> out"] }
      """
    ).run()
    #expect(report.unbalanced == [])
    let data = try tool("ffprobe", ["-v", "error", "-show_format", "-of", "json", path])
    let found = try JSONDecoder().decode(Answer.self, from: data).format.tags ?? [:]
    let wanted = ["title": "One", "artist": "Ada", "genre": "Talk"]
    #expect(found.filter { wanted[$0.key] != nil } == wanted)
  }

  private func tags(_ words: String) async throws -> [String: String] {
    let folder = try TestFolder()
    let path = folder.path("out.wav")
    let run = try pipeline(
      """
      { "nodes": { "tone": { "type": "testAudio", "seconds": 0.1 },
          "out": { "type": "wavSink", "path": "\(path)"\(words) } }, "wires": ["tone -> out"] }
      """)
    #expect(try await run.run().unbalanced == [])
    #expect(try decodedSound(of: path).count == 4_800)
    let data = try tool("ffprobe", ["-v", "error", "-show_format", "-of", "json", path])
    return try JSONDecoder().decode(Answer.self, from: data).format.tags ?? [:]
  }

  @Test func theyAreThoseOfTheGraph() async throws {
    let found = try await tags(
      #"""
      , "title": "A \"talk\", at last: żółw", "tags": { "artist": "Ada", "album": "Talks",
        "genre": "Speech", "comment": "Two; three", "copyright": "me",
        "encoder": "GraphKit" }
      """#)
    let wanted = [
      "title": #"A "talk", at last: żółw"#, "artist": "Ada", "album": "Talks", "genre": "Speech",
      "comment": "Two; three", "copyright": "me", "encoder": "GraphKit",
    ]
    #expect(found == wanted)
  }

  @Test func withoutThemThereAreNone() async throws { #expect(try await tags("") == [:]) }

  @Test func whatHasNoPlaceIsRefused() throws {
    let error = #expect(throws: GraphErrors.self) {
      try plan(
        """
        { "nodes": { "tone": { "type": "testAudio" },
            "out": { "type": "wavSink", "path": "a.wav", "tags": { "track": "3/12" } } },
          "wires": ["tone -> out"] }
        """)
    }
    #expect("\(try #require(error))".contains("`track` isn't written into WAV files"))
  }
}
