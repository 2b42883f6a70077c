import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// What files of other programs say of themselves, after they were decoded and encoded.
  @Suite struct ForeignTagTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let stated = [
      "title": "Name", "artist": "Björk", "album": "Home", "comment": "said", "genre": "Pop",
      "date": "2020-03-04",
    ]

    private func source(_ name: String, _ more: [String: String] = [:]) throws -> String {
      let path = scratch.path(name)
      let tags = Self.stated.merging(more) { $1 }.flatMap { ["-metadata", "\($0)=\($1)"] }
      let sine = ["-v", "error", "-y", "-f", "lavfi", "-i", "sine=d=1"]
      _ = try tool("ffmpeg", sine + tags + [path])
      return path
    }

    private func transcode(_ path: String) async throws -> [String: String] {
      let output = scratch.path("out.m4a")
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "d": { "type": "decoder" },
            "e": { "type": "aacEncoder" }, "out": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.audio -> d -> e -> out.audio"] }
        """
      ).run()
      return try tags(output)
    }

    private func tags(_ path: String) throws -> [String: String] {
      let words = ["-v", "error", "-show_entries", "format_tags", "-of", "json", path]
      let found = try JSONDecoder().decode(
        [String: [String: [String: String]]].self, from: try tool("ffprobe", words))
      return found["format"]?["tags"] ?? [:]
    }

    @Test(arguments: ["a.wav", "a.mkv", "a.flac", "a.mp3", "a.ogg"])
    func theyGoAlong(name: String) async throws {
      let found = try await transcode(try source(name))
      for (key, text) in Self.stated where name != "a.mp3" || key != "comment" {
        #expect(found[key] == text || key == "comment" && found["description"] == text)
      }
    }

    /// Matroska and Vorbis comments have names that GStreamer has no tags for.
    @Test(arguments: ["a.mkv", "a.flac"]) func soDoThoseOfAlbums(name: String) async throws {
      let more = ["album_artist": "Many", "disc": "1/2", "grouping": "Live"]
      let found = try await transcode(try source(name, more))
      for (key, text) in more { #expect(found[key] == text) }
    }

    @Test func aWAVFileKeepsThem() async throws {
      let (path, output) = (try source("a.wav"), scratch.path("out.wav"))
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> out"] }
        """
      ).run()
      let found = try tags(output)
      #expect(found["title"] == "Name" && found["artist"] == "Björk" && found["album"] == "Home")
    }

    /// A list after the samples, in Latin 1, whose last text goes on past its end.
    @Test func oddListsAreRead() async throws {
      let path = scratch.path("odd.wav")
      try ffmpeg("-f lavfi -i sine=d=0.1 -bitexact", to: path)
      var bytes = Array(try Data(contentsOf: URL(filePath: path)))
      bytes += Array("LIST\u{1a}\0\0\0INFOINAM\u{3}\0\0\0".utf8) + [0xc4, 0x62, 0, 0]
      bytes += Array("IART\u{7f}\0\0\0Me".utf8)
      _ = try scratch.write(bytes, to: "odd.wav")
      let stream = try #require(try LiveEnvironment().discover(path).first)
      #expect(stream.tags["title"] == "Äb" && stream.tags["artist"] == "Me")
    }
  }
}
