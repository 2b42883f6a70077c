import Foundation
import GraphKit
import TestTools
import Testing

/// What movies say of themselves.
@Suite(.inTurn) struct MovieTagTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func record(_ name: String, _ parameters: String) async throws -> String {
    let path = scratch.path(name)
    let run = try pipeline(
      """
      { "nodes": {
          "tone": { "type": "testAudio", "seconds": 1 }, "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(path)"\(parameters) } },
        "wires": ["tone -> audio -> movie.audio", "audio -> movie.audio.2"] }
      """)
    _ = try await run.run()
    #expect(try BoxChecker(path).faults == [])
    return path
  }

  private func probe(_ path: String, _ entries: String) throws -> String {
    String(
      decoding: try tool("ffprobe", ["-v", "error", "-show_entries", entries, path]),
      as: UTF8.self)
  }

  private func copy(_ source: String, to path: String, _ port: String = "audio") async throws {
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(source)" },
          "movie": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["in.\(port) -> movie.\(port)"] }
      """)
    _ = try await run.run()
    #expect(try BoxChecker(path).faults == [])
  }

  @Test func allTagsAreReadBack() async throws {
    let path = try await record(
      "a.m4a",
      """
      , "title": "Title", "tags": { "artist": "A", "album": "B", "albumArtist": "C",
        "composer": "D", "genre": "E", "date": "2026-01-31", "track": "3/12", "disc": "1/2",
        "comment": "F", "description": "G", "grouping": "H", "lyrics": "I", "copyright": "J",
        "encoder": "K", "location": "+48.8577+002.2950/" }
      """)
    let found = try probe(path, "format_tags")
    let expected = [
      "title=Title", "artist=A", "album=B", "album_artist=C", "composer=D", "genre=E",
      "date=2026-01-31", "track=3/12", "disc=1/2", "comment=F", "description=G", "grouping=H",
      "lyrics=I", "copyright=J", "encoder=K", "location=+48.8577+002.2950/",
    ]
    for tag in expected { #expect(found.contains("TAG:\(tag)\n"), "\(tag): \(found)") }
    let copied = scratch.path("copy.m4a")
    try await copy(path, to: copied)
    let again = try probe(copied, "format_tags")
    // GStreamer's reader of movies gives another name to the program.
    for tag in expected where !tag.hasPrefix("encoder") {
      #expect(again.contains("TAG:\(tag)\n"), "\(tag): \(again)")
    }
  }

  @Test(arguments: [("c.jpg", "mjpeg"), ("c.png", "png")], ["a.m4a", "a.mov"])
  func theCoverIsPassedOn(_ cover: (name: String, codec: String), _ name: String) async throws {
    let picture = scratch.path(cover.name)
    try ffmpeg("-f lavfi -i testsrc2=s=64x64 -frames:v 1", to: picture)
    let path = try await record(name, ", \"cover\": \"\(picture)\"")
    let copied = scratch.path("copy.m4a")
    // GStreamer reads QuickTime's own key of pictures no more than its text keys.
    if name.hasSuffix("m4a") { try await copy(path, to: copied) }
    let expected = try Data(contentsOf: URL(filePath: picture))
    for path in name.hasSuffix("m4a") ? [path, copied] : [path] {
      #expect(try probe(path, "stream=codec_name").contains("codec_name=\(cover.codec)"))
      let found = try tool(
        "ffmpeg",
        [
          "-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f",
          "image2pipe", "-",
        ])
      #expect(found == expected)
    }
  }

  @Test(arguments: [
    (#""tags": { "track": "three" }"#, "no number in a row"),
    (#""tags": { "location": "Paris" }"#, "ISO 6709"),
    (#""languages": { "audio": "klingonese" }"#, "BCP 47"),
    (#""languages": { "text": "de" }"#, "to which nothing is wired"),
    (#""cover": "/dev/null""#, "can't be opened"), (#""tags": { "artits": "A" }"#, "artist"),
  ])
  func whatAMovieCannotSayIsAnError(_ parameter: String, _ words: String) {
    let error = #expect(throws: (any Error).self) {
      try plan(
        """
        { "nodes": { "tone": { "type": "testAudio" }, "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))", \(parameter) } },
          "wires": ["tone -> audio -> movie.audio"] }
        """)
    }
    #expect(error.map { "\($0)".contains(words) } == true, "\(String(describing: error))")
  }

  /// Tracks in different languages are alternatives, and others sound together.
  @Test func tracksOfSeveralLanguagesAreAGroup() async throws {
    let together = try await record("a.mp4", "")
    let words = "stream_disposition=default:stream_tags=language"
    #expect(try probe(together, words).components(separatedBy: "default=1").count == 3)
    let path = try await record(
      "b.mp4", ", \"languages\": { \"audio\": \"de\", \"audio.2\": \"pt-BR\" }")
    let found = try probe(path, words)
    #expect(found.components(separatedBy: "default=1").count == 2, "\(found)")
    #expect(found.contains("language=deu") && found.contains("language=por"))
    let copied = scratch.path("copy.mp4")
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(path)" },
          "movie": { "type": "mp4Sink", "path": "\(copied)" } },
        "wires": ["in.audio -> movie.audio", "in.audio.2 -> movie.audio.2"] }
      """)
    _ = try await run.run()
    #expect(try probe(copied, words) == found)
  }

  @Test(arguments: [("a.m4a", "M4A "), ("a.m4b", "M4B "), ("a.m4v", "M4V "), ("a.mov", "qt  ")])
  func theBrandIsThatOfTheName(_ name: String, _ brand: String) async throws {
    #expect(try probe(try await record(name, ""), "format_tags").contains("major_brand=\(brand)"))
  }

  /// How bright the colours of HDR10 are meant to be.
  @Test(arguments: ["mkv", "mp4"])
  func whatColoursWereMadeOnIsPassedOn(_ ending: String) async throws {
    let (source, path) = (scratch.path("a.\(ending)"), scratch.path("b.mp4"))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=160x120:r=25:d=1 -c:v libx265 -preset ultrafast -x265-params",
      "log-level=none:hdr10=1:repeat-headers=1:colorprim=bt2020:transfer=smpte2084:"
        + "colormatrix=bt2020nc:master-display=G(13250,34500)B(7500,3000)R(34000,16000)"
        + "WP(15635,16450)L(10000000,1):max-cll=1000,400 -pix_fmt yuv420p10le", to: source)
    try await copy(source, to: path, "video")
    let found = try probe(path, "stream_side_data")
    let expected = [
      "red_x=34000/50000", "red_y=16000/50000", "green_x=13250/50000", "blue_y=3000/50000",
      "white_point_x=15635/50000", "min_luminance=1/10000", "max_luminance=10000000/10000",
      "max_content=1000", "max_average=400",
    ]
    for value in expected { #expect(found.contains(value + "\n"), "\(value): \(found)") }
  }
}
