import GraphKit
import TestTools
import Testing

@testable import Containers
@testable import Nodes

/// Tracks of which players present one.
@Suite(.inTurn) struct AlternateTrackTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// A second of video and three tones in a movie with some parameters.
  private func movie(_ name: String, _ parameters: String) throws -> Pipeline {
    try pipeline(
      """
      { "nodes": {
          "pictures": { "type": "testVideo", "width": 160, "height": 120, "frames": 25 },
          "video": { "type": "h264Encoder" },
          "tone": { "type": "testAudio", "seconds": 1 }, "audio": { "type": "aacEncoder" },
          "tone2": { "type": "testAudio", "seconds": 1 }, "audio2": { "type": "aacEncoder" },
          "tone3": { "type": "testAudio", "seconds": 1 }, "audio3": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(scratch.path(name))"\(parameters) } },
        "wires": [
          "pictures -> video -> movie.video", "tone -> audio -> movie.audio",
          "tone2 -> audio2 -> movie.audio.2", "tone3 -> audio3 -> movie.audio.3"] }
      """)
  }

  @Test(arguments: [
    (#"{ "tracks": ["audio", "audio.2"], "default": "audio.2" }"#, [1, 0, 1, 1], [0, 3, 3, 0]),
    (#"{ "tracks": ["audio", "audio.3"] }"#, [1, 0, 1, 0], [0, 3, 0, 3]),
  ])
  func oneOfAGroupIsTheDefault(_ group: String, _ defaults: [Int], _ groups: [Int]) async throws {
    for name in ["a.mp4", "a.mov"] {
      let report = try await movie(name, #", "alternatives": [\#(group)]"#).run()
      #expect(report.unbalanced == [] && report.warnings == nil)
      let checker = try BoxChecker(scratch.path(name))
      #expect(checker.faults == [])
      #expect(checker.tracks.map { $0.isEnabled ? 1 : 0 } == defaults)
      #expect(checker.tracks.map(\.alternateGroup) == groups)
      let words = [
        "-v", "error", "-show_entries", "stream_disposition=default", "-of", "csv=p=0",
        scratch.path(name),
      ]
      let found = String(decoding: try tool("ffprobe", words), as: UTF8.self)
      #expect(found.split(separator: "\n").compactMap { Int($0) } == defaults)
    }
  }

  /// What a killed process leaves says the same.
  @Test func fragmentsHaveTheGroups() async throws {
    var settings = MovieWriter.Settings()
    settings.alternatives = [1: AlternateTrack(group: 0, isDefault: false)]
    let log = WriteLog()
    _ = try await EncodedTracks().write(to: log, settings)
    let checker = try BoxChecker(try scratch.write(log.file, to: "a.mp4"))
    #expect(checker.tracks.map(\.isEnabled) == [true, false])
    #expect(checker.tracks.map(\.alternateGroup) == [0, 3])
  }

  @Test(arguments: [
    (#"{ "tracks": ["audio"] }"#, "a group of one track, audio"),
    (#"{ "tracks": [] }"#, "a group of no track"),
    (#"{ "tracks": ["audio", "audio"] }"#, "names audio twice"),
    (
      #"{ "tracks": ["audio", "audio.2"] }, { "tracks": ["audio.2", "audio.3"] }"#,
      "names audio.2 twice"
    ),
    (#"{ "tracks": ["audio", "audio.2"], "default": "video" }"#, "is video, which isn't in it"),
    (#"{ "tracks": ["audio", "audio.7"] }"#, "audio.7, to which nothing is wired"),
    (#"{ "tracks": ["audio", "video"] }"#, "aren't of one medium"),
  ])
  func wrongGroupsAreProblems(_ groups: String, _ words: String) throws {
    let error = #expect(throws: GraphErrors.self) {
      try movie("a.mp4", #", "alternatives": [\#(groups)]"#)
    }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    #expect(error?.diagnostics.first?.key == "alternatives")
  }
}
