import Foundation
import TestTools
import Testing

/// What `graphctl info` says of subtitles in files, beside what ffprobe says.
@Suite(.inTurn) struct TextInfoTests {
  private struct Info: Decodable {
    struct Track: Decodable {
      var kind: String
      var codec: String
      var format: String
      var language: String?
    }
    var tracks: [Track]
  }

  private static let texts = "1\n00:00:00,200 --> 00:00:00,800\nHello\n"

  /// A second of video with tracks of texts in some codecs, in their languages.
  private func make(
    _ name: String, _ tracks: [(codec: String, language: String?)], in folder: Folder
  ) async throws {
    try folder.write("a.srt", Self.texts)
    var words = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=d=1:s=64x48"]
    words += tracks.flatMap { _ in ["-i", "a.srt"] } + ["-map", "0", "-c:v", "libx264"]
    for (index, track) in tracks.enumerated() {
      words += ["-map", "\(index + 1)", "-c:s:\(index)", track.codec]
      if let language = track.language {
        words += ["-metadata:s:s:\(index)", "language=\(language)"]
      }
    }
    try await Tool.run("ffmpeg", words + [name], in: folder.url)
  }

  private func info(_ name: String, in folder: Folder) async throws -> [Info.Track] {
    let result = try await Graphctl.run(["info", "--format", "json", name], in: folder)
    #expect(result.status == 0, "\(result)")
    return try JSONDecoder().decode(Info.self, from: Data(result.output.utf8)).tracks
      .filter { $0.kind == "text" }
  }

  @Test func saysCodecsAndLanguagesOfMatroska() async throws {
    let folder = try Folder()
    try await make(
      "a.mkv", [("srt", "ger"), ("ass", "fre"), ("webvtt", "eng"), ("ass", nil)], in: folder)
    let tracks = try await info("a.mkv", in: folder)
    #expect(tracks.map(\.codec) == ["subrip", "ass", "webvtt", "ass"])
    #expect(tracks.map(\.language) == ["de", "fr", "en", nil])
    let words = ["-v", "error", "-of", "csv=p=0", "-select_streams", "s", "-show_entries"]
    let probe = try await Tool.result(
      "ffprobe", words + ["stream=codec_name", "a.mkv"], in: folder.url)
    #expect(tracks.map(\.codec) == probe.output.split(separator: "\n").map(String.init))
    let text = try await Graphctl.run(["info", "a.mkv"], in: folder).output
    for words in ["SubRip", "ASS", "WebVTT", "language fr"] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test func saysLanguagesByTheirTags() async throws {
    let folder = try Folder()
    try await make("b.mkv", [("ass", nil)], in: folder)
    let words = ["-q", "-o", "a.mkv", "--language", "0:de", "--language", "1:pt-BR", "b.mkv"]
    try await Tool.run("mkvmerge", words, in: folder.url)
    #expect(try await info("a.mkv", in: folder).map(\.language) == ["pt-BR"])
  }

  @Test func saysCodecsAndLanguagesOfMovies() async throws {
    let folder = try Folder()
    try await make("a.mp4", [("mov_text", "fra")], in: folder)
    let tracks = try await info("a.mp4", in: folder)
    #expect(tracks.map(\.codec) == ["tx3g"] && tracks.map(\.language) == ["fr"])
    #expect(tracks.map(\.format) == ["3GPP timed text"])
  }
}
