import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What Matroska files say of themselves and their tracks, as ffprobe reads it.
@Suite(.inTurn) struct MatroskaTagTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// The tags of a file and of its streams, and what its streams are.
  private func probe(_ path: String) throws -> (file: [String: String], streams: [[String: String]])
  {
    struct Part: Decodable {
      var tags: [String: String]?
      var codec_name: String?
    }
    struct Answer: Decodable {
      var format: Part
      var streams: [Part]
    }
    let words = ["-v", "error", "-show_format", "-show_streams", "-of", "json", path]
    let answer = try JSONDecoder().decode(Answer.self, from: tool("ffprobe", words))
    let streams = answer.streams.map { stream in
      (stream.tags ?? [:]).merging(["codec": stream.codec_name ?? ""]) { first, _ in first }
    }
    return (answer.format.tags ?? [:], streams)
  }

  private func copy(
    _ wires: [String], of sources: [String: String], to name: String,
    by sink: String = "matroskaSink"
  ) async throws -> String {
    let path = scratch.path(name)
    let nodes = sources.map { name, path in #""\#(name)": { "type": "file", "path": "\#(path)" }"# }
    let report = try await pipeline(
      """
      { "nodes": { \(nodes.joined(separator: ", ")),
          "out": { "type": "\(sink)", "path": "\(path)" } },
        "wires": [\(wires.map { #""\#($0)""# }.joined(separator: ", "))] }
      """
    ).run()
    #expect(report.failure == nil, "\(report)")
    // Nothing is found by chance: what doesn't decode, or has no place in the list, would be said.
    let words = ["-v", "warning", "-i", path, "-map", "0", "-c", "copy", "-f", "null", "/dev/null"]
    #expect(try tool("ffmpeg", words).isEmpty)
    return path
  }

  /// A FLAC file with tags of many kinds, and a cover.
  private func song(_ name: String, title: String) throws -> String {
    let (wave, cover, path) = (
      scratch.path("in.wav"), scratch.path("cover.png"), scratch.path(name)
    )
    try ffmpeg("-f lavfi -i sine=d=1 -bitexact", to: wave)
    try ffmpeg("-f lavfi -i color=red:s=32x32 -frames:v 1", to: cover)
    let tags = [
      "TITLE=\(title)", "ARTIST=Björk", "ALBUMARTIST=Others", "DATE=1999-05-04", "TRACKNUMBER=3",
      "TRACKTOTAL=9", "LYRICS=La la",
    ]
    _ = try tool(
      "flac",
      ["-s", "-f", "--picture=\(cover)"] + tags.flatMap { ["-T", $0] } + [wave, "-o", path])
    return path
  }

  @Test(arguments: ["out.mka", "out.mkv"])
  func theTagsOfAFileOfAudioAreTheFiles(_ name: String) async throws {
    let title = String(repeating: "A title of a file, and not of its track. ", count: 4) + "♥"
    let path = try await copy(
      ["in.audio -> out.audio"], of: ["in": try song("in.flac", title: title)], to: name)
    let (file, streams) = try probe(path)
    #expect(file["TITLE"] == title && file["ARTIST"] == "Björk", "\(file)")
    #expect(file["ALBUM_ARTIST"] == "Others" && file["DATE"] == "1999-05-04", "\(file)")
    #expect(file["track"] == "3" && file["TOTAL_PARTS"] == "9", "\(file)")
    #expect(file["LYRICS"] == "La la", "\(file)")
    #expect(
      streams.map { $0["codec"] } == ["flac", "png"] && streams[0]["title"] == nil, "\(streams)")
    #expect(streams[1]["filename"] == "cover.png", "\(streams)")
    // All of it comes back.
    let back = try await copy(
      ["in.audio -> out"], of: ["in": path], to: "back.flac", by: "audioSink")
    let (again, pictures) = try probe(back)
    #expect(again["TITLE"] == title && again["track"] == "3", "\(again)")
    #expect(again["album_artist"] == "Others" && again["DATE"] == "1999-05-04", "\(again)")
    #expect(pictures.map { $0["codec"] } == ["flac", "png"], "\(pictures)")
  }

  @Test func whatTheGraphSaysStaysAndWebMHasNoPictures() async throws {
    let path = scratch.path("out.webm")
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(try song("in.flac", title: "Old"))" },
          "opus": { "type": "opusEncoder" },
          "out": { "type": "matroskaSink", "path": "\(path)", "title": "New",
            "tags": { "date": "2001", "track": "4/12", "disc": "1/2", "grouping": "Set" } } },
        "wires": ["in.audio -> opus -> out.audio"] }
      """
    ).run()
    #expect(report.failure == nil, "\(report)")
    let (file, streams) = try probe(path)
    #expect(
      file["TITLE"] == "New" && file["ARTIST"] == "Björk" && file["DATE"] == "2001", "\(file)")
    #expect(file["track"] == "4" && file["TOTAL_PARTS"] == "12", "\(file)")
    #expect(file["GROUPING"] == "Set", "\(file)")
    #expect(file["DISC"] == "1/2", "\(file)")
    #expect(streams.map { $0["codec"] } == ["opus"], "\(streams)")
    // What was replaced is nowhere.
    #expect(["title", "TITLE", "DATE", "track"].allSatisfy { streams[0][$0] == nil }, "\(streams)")
  }

  /// Two files in one have a title each.
  @Test func whatStreamsSayOtherwiseIsTheirs() async throws {
    let sources = ["a": try song("a.flac", title: "One"), "b": try song("b.flac", title: "Two")]
    let path = try await copy(
      ["a.audio -> out.audio", "b.audio -> out.audio.2"], of: sources, to: "out.mka")
    let (file, streams) = try probe(path)
    #expect(file["TITLE"] == "One" && file["ARTIST"] == "Björk", "\(file)")
    #expect(streams.map { $0["TITLE"] } == [nil, "Two", nil], "\(streams)")
    #expect(streams[1]["ARTIST"] == nil, "\(streams)")
  }

  /// Of a file with chapters and an index every place in the muxer's list is taken.
  @Test func chaptersNamesAndPicturesAreInOneFile() async throws {
    let (text, cover) = (scratch.path("chapters.txt"), scratch.path("cover.png"))
    try Data(
      """
      ;FFMETADATA1
      title=Film
      [CHAPTER]
      TIMEBASE=1/1
      START=0
      END=1
      title=First
      [CHAPTER]
      TIMEBASE=1/1
      START=1
      END=2
      title=Second
      """.utf8
    ).write(to: URL(filePath: text))
    try ffmpeg("-f lavfi -i color=red:s=32x32 -frames:v 1", to: cover)
    let (plain, film) = (scratch.path("plain.mkv"), scratch.path("film.mkv"))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=96x72:d=2 -f lavfi -i sine=d=2 -i \(text) -map 0 -map 1 "
        + "-map_metadata 2 -map_chapters 2 -c:v libx264 -g 10 -c:a aac -metadata:s:a title=Comment",
      to: plain)
    try ffmpeg(
      "-i \(plain) -c copy -attach \(cover) -metadata:s:t mimetype=image/png "
        + "-metadata:s:t filename=cover.png", to: film)
    let path = try await copy(
      ["in.video -> out.video", "in.audio -> out.audio"], of: ["in": film], to: "out.mkv")
    let (file, streams) = try probe(path)
    #expect(file["title"] == "Film" || file["TITLE"] == "Film", "\(file)")
    #expect(streams.map { $0["codec"] } == ["h264", "aac", "png"], "\(streams)")
    #expect(streams[1]["title"] == "Comment" && streams[0]["title"] == nil, "\(streams)")
    let chapters = try tool(
      "ffprobe", ["-v", "error", "-show_entries", "chapter_tags=title", "-of", "csv=p=0", path])
    #expect(String(decoding: chapters, as: UTF8.self) == "First\nSecond\n")
    let kinds = String(decoding: try tool("mkvmerge", ["-i", path]), as: UTF8.self)
    #expect(kinds.contains("Attachment ID 1") && kinds.contains("Chapters: 2 entries"), "\(kinds)")
  }
}
