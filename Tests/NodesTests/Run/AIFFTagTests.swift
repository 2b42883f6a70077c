import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What AIFF files say of themselves, as ffprobe reads it.
@Suite(.inTurn) struct AIFFTagTests {
  private struct Answer: Decodable {
    struct Format: Decodable { var tags: [String: String]? }
    var format: Format
  }

  /// The tags of a file, and its audio.
  private func written(
    _ words: String, frames: Int = 4_800
  ) async throws -> (tags: [String: String], audio: [Int16]) {
    let folder = try TestFolder()
    let path = folder.path("out.aiff")
    let run = try pipeline(
      """
      { "nodes": { "tone": { "type": "testAudio", "frames": \(frames), "channels": 1 },
          "out": { "type": "aiffSink", "path": "\(path)"\(words) } }, "wires": ["tone -> out"] }
      """)
    #expect(try await run.run().unbalanced == [])
    #expect(try decodeComplaints(path) == "")
    let data = try tool("ffprobe", ["-v", "error", "-show_format", "-of", "json", path])
    let tags = try JSONDecoder().decode(Answer.self, from: data).format.tags
    return (tags ?? [:], try decodedSound(of: path))
  }

  @Test func theyAreThoseOfTheGraph() async throws {
    let found = try await written(
      #", "title": "Żółw", "tags": { "artist": "Ada", "album": "Talks", "track": "3/12" }"#)
    #expect(
      found.tags == ["title": "Żółw", "artist": "Ada", "album": "Talks", "track": "3/12"])
  }

  @Test func withoutThemThereAreNone() async throws {
    #expect(try await written("").tags == [:])
  }

  /// Chunks of an odd length, of the tags and of the audio, are padded.
  @Test(arguments: [4_800, 4_801], ["a", "ab"])
  func theAudioIsThatOfAFileWithoutThem(_ frames: Int, _ title: String) async throws {
    let tagged = try await written(", \"title\": \"\(title)\"", frames: frames)
    #expect(tagged.tags == ["title": title] && tagged.audio.count == frames)
    #expect(try await written("", frames: frames).audio == tagged.audio)
  }

  @Test func whatIsNoNumberIsRefused() throws {
    let error = #expect(throws: GraphErrors.self) {
      try plan(
        """
        { "nodes": { "tone": { "type": "testAudio" },
            "out": { "type": "aiffSink", "path": "a.aiff", "tags": { "track": "three" } } },
          "wires": ["tone -> out"] }
        """)
    }
    #expect("\(try #require(error))".contains("no number in a row"))
  }
}
