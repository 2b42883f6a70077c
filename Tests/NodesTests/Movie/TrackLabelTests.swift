import Foundation
import GraphKit
import TestTools
import Testing

/// What files say of tracks of which users choose one: names, the default, and forced subtitles.
extension FileTests {
  @Suite struct TrackLabelTests {
    private let scratch: TestFolder
    init() throws { scratch = try TestFolder() }

    /// A second of video, two tracks of audio of which players present the second, and two of
    /// subtitles: one that is forced, and one for users to choose.
    private func source(
      _ name: String, _ languages: [String] = ["ger", "fre"], _ settings: String = ""
    ) throws -> String {
      let text = try scratch.write("1\n00:00:00,200 --> 00:00:00,700\nHallo\n".utf8, to: "a.srt")
      let path = scratch.path(name)
      let said = languages.enumerated().map { "-metadata:s:a:\($0) language=\($1)" }
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=1 -f lavfi -i sine=f=440:d=1 -f lavfi -i sine=f=880:d=1",
        "-i \(text) -i \(text) -map 0 -map 1 -map 2 -map 3 -map 4 -c:v libx264 -c:a aac",
        "-c:s \(name.hasSuffix("mkv") ? "srt" : "mov_text") \(said.joined(separator: " "))",
        "-metadata:s:a:0 title=Microphone -metadata:s:a:1 title=Desktop -disposition:a:0 0",
        "-disposition:a:1 default -metadata:s:s:0 title=Signs -disposition:s:0 forced",
        "-disposition:s:1 0 \(settings)", to: path)
      return path
    }

    private func copy(
      _ source: String, to name: String, _ settings: String = ""
    ) async throws -> String {
      let path = scratch.path(name)
      let sink = name.hasSuffix("mkv") ? "matroskaSink" : "mp4Sink"
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)"\(settings) },
            "out": { "type": "\(sink)", "path": "\(path)" } },
          "wires": ["in.video -> out.video", "in.audio -> out.audio",
            "in.audio.2 -> out.audio.2", "in.text -> out.text", "in.text.2 -> out.text.2"] }
        """
      ).run()
      #expect(report.warnings == nil)
      #expect(try decodeComplaints(path) == "")
      if sink == "mp4Sink" { #expect(try BoxChecker(path).faults == []) }
      return path
    }

    /// A line for each track: whether it is the default, whether forced, and its language.
    private func tracks(_ path: String) throws -> [String] {
      let entries = "stream_disposition=default,forced:stream_tags=language"
      let arguments = ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", path]
      return String(decoding: try tool("ffprobe", arguments), as: UTF8.self)
        .split(separator: "\n").map { $0.replacingOccurrences(of: ",und", with: "") }
    }

    private func title(of path: String) throws -> String {
      String(
        decoding: try tool(
          "ffprobe", ["-v", "error", "-show_entries", "format_tags=title", "-of", "csv=p=0", path]),
        as: UTF8.self
      ).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func hasNames(_ path: String) throws -> Bool {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      return ["nameMicrophone", "nameDesktop", "nameSigns"].allSatisfy {
        bytes.range(of: Data($0.utf8)) != nil
      }
    }

    @Test(arguments: ["mkv", "mp4"]) func copiesIntoMoviesKeepThem(from kind: String) async throws {
      let source = try source("a.\(kind)")
      let path = try await copy(source, to: "b.mp4")
      // ffmpeg has forced subtitles be the default of an MP4 file.
      let texts = try tracks(path).suffix(2)
      #expect(try Array(tracks(path).prefix(3)) == ["1,0", "0,0,deu", "1,0,fra"])
      #expect(texts.first == (kind == "mkv" ? "0,1" : "1,1") && texts.last == "0,0")
      #expect(try hasNames(path))
      #expect(try title(of: path) == "")
    }

    /// The first track's name is also the file's.
    @Test func aTitleThatIsTheNameOfATrackStays() async throws {
      let source = try source("a.mkv", ["ger", "fre"], "-metadata title=Microphone")
      let path = try await copy(source, to: "b.mp4")
      #expect(try title(of: path) == "Microphone")
      #expect(try title(of: try await copy(source, to: "b.mkv")) == "Microphone")
      #expect(try hasNames(path))
    }

    @Test func theyAreKeptWithoutLanguagesToo() async throws {
      let path = try await copy(try source("a.mkv", ["und", "und"]), to: "b.mp4")
      #expect(try Array(tracks(path).prefix(3)) == ["1,0", "0,0", "1,0"])
    }

    @Test(arguments: ["mkv", "mp4"])
    func copiesIntoMatroskaFilesKeepThem(from kind: String) async throws {
      let path = try await copy(try source("a.\(kind)"), to: "b.mkv")
      let found = try tracks(path)
      // None is English since it says nothing.
      #expect(Array(found[1...2]) == ["0,0,ger", "1,0,fre"])
      #expect(found[3].hasPrefix(kind == "mkv" ? "0,1" : "1,1") && found[4] == "0,0")
      let complaints = try tool("mkvinfo", [path])
      let text = String(decoding: complaints, as: UTF8.self)
      #expect(!text.contains("Name: Video") && !text.contains("Name: Audio"))
      #expect(text.contains("Name: Desktop") == (kind == "mkv"))
    }

    @Test func whatIsEncodedAnewKeepsThemToo() async throws {
      let source = try source("a.mkv")
      let path = scratch.path("b.mp4")
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "d1": { "type": "decoder" }, "d2": { "type": "decoder" },
            "e1": { "type": "aacEncoder" }, "e2": { "type": "aacEncoder" },
            "out": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["in.video -> out.video", "in.audio -> d1 -> e1 -> out.audio",
            "in.audio.2 -> d2 -> e2 -> out.audio.2"] }
        """
      ).run()
      #expect(try tracks(path) == ["1,0", "0,0,deu", "1,0,fra"])
      #expect(try title(of: path) == "")
    }

    @Test func isolatedCopiesKeepThem() async throws {
      let path = try await copy(try source("a.mkv"), to: "b.mp4", ", \"isolate\": true")
      #expect(try Array(tracks(path).prefix(3)) == ["1,0", "0,0,deu", "1,0,fra"])
      #expect(try hasNames(path))
    }

    @Test func whatTheGraphSaysCounts() async throws {
      let source = try source("a.mkv")
      let path = scratch.path("b.mp4")
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "out": { "type": "mp4Sink", "path": "\(path)", "alternatives":
              [{ "tracks": ["audio", "audio.2"], "default": "audio" }] } },
          "wires": ["in.audio -> out.audio", "in.audio.2 -> out.audio.2"] }
        """
      ).run()
      #expect(try tracks(path) == ["1,0,deu", "0,0,fra"])
    }

    @Test func anUndeterminedLanguageIsNone() async throws {
      let path = scratch.path("a.mkv")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:d=1 -f lavfi -i sine=d=1 -pix_fmt yuv420p -c:a aac",
        "-metadata:s language=und", to: path)
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "out": { "type": "hlsSink", "path": "\(scratch.path("s"))" } },
          "wires": ["in.video -> out.video", "in.audio -> out.audio"] }
        """
      ).run()
      let master = try String(contentsOfFile: scratch.path("s/master.m3u8"), encoding: .utf8)
      #expect(master.contains("NAME=\"audio1\",DEFAULT=YES"))
    }

    @Test func playlistsKeepThem() async throws {
      let source = try source("a.mkv")
      _ = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "out": { "type": "hlsSink", "path": "\(scratch.path("s"))" } },
          "wires": ["in.video -> out.video", "in.audio -> out.audio", "in.audio.2 -> out.audio.2"] }
        """
      ).run()
      let master = try String(contentsOfFile: scratch.path("s/master.m3u8"), encoding: .utf8)
      let audio = master.split(separator: "\n").filter { $0.hasPrefix("#EXT-X-MEDIA") }
      #expect(audio.count == 2)
      #expect(audio.first?.contains(#"NAME="Microphone""#) == true)
      #expect(audio.first?.contains("DEFAULT=NO") == true)
      #expect(audio.last?.contains(#"NAME="Desktop""#) == true)
      #expect(audio.last?.contains("DEFAULT=YES") == true)
    }
  }
}
