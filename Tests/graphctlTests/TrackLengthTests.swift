import Foundation
import TestTools
import Testing

/// When `graphctl info` says that tracks begin and how long they are, beside what ffprobe says.
@Suite(.inTurn) struct TrackLengthTests {
  private struct Info: Decodable {
    struct Track: Decodable {
      var kind: String
      var start: Double?
      var duration: Double?
    }
    var duration: Double?
    var tracks: [Track]
  }

  private struct Probe: Decodable {
    struct Stream: Decodable {
      var start_time: String
      var duration: String
    }
    var streams: [Stream]
  }

  private static let film = "-f lavfi -i testsrc2=s=64x48:r=25:d=2"
  private static let tone = "-f lavfi -i sine=440:r=48000:d=5"
  private static let codecs = "-c:v libx264 -g 12 -bf 2 -pix_fmt yuv420p -c:a aac"

  private func info(_ name: String, in folder: Folder) async throws -> Info {
    let result = try await Graphctl.run(["info", "--format", "json", name], in: folder)
    #expect(result.status == 0, "\(result)")
    return try JSONDecoder().decode(Info.self, from: Data(result.output.utf8))
  }

  private func probe(_ name: String, in folder: Folder) async throws -> [(Double, Double)] {
    let words = ["-v", "error", "-of", "json", "-show_streams", name]
    let result = try await Tool.result("ffprobe", words, in: folder.url)
    let found = try JSONDecoder().decode(Probe.self, from: Data(result.output.utf8))
    return try found.streams.map {
      (try #require(Double($0.start_time)), try #require(Double($0.duration)))
    }
  }

  /// Tracks of other lengths, audio or video that begins late, frames of odd rates, QuickTime, PCM, and
  /// a movie that is all in fragments.
  @Test(arguments: [
    ("a.mp4", "\(film) \(tone) \(codecs)"),
    ("a.mp4", "\(film) -itsoffset 1 \(tone) \(codecs)"),
    ("a.mp4", "-itsoffset 0.5 \(film) \(tone) -map 0 -map 1 \(codecs)"),
    ("a.mov", "-f lavfi -i testsrc2=s=64x48:r=30000/1001:d=0.5 \(tone) -c:v mpeg4 -c:a pcm_s16le"),
    ("a.m4a", "-f lavfi -i sine=d=1.23456:r=44100 -c:a aac"),
    ("a.mp4", "\(film) \(tone) \(codecs) -movflags frag_keyframe+empty_moov"),
  ])
  func saysWhatFFprobeSays(_ name: String, _ words: String) async throws {
    let folder = try Folder()
    try Tool.generate(words.tokens, to: name, in: folder)
    let (info, probe) = (try await info(name, in: folder), try await probe(name, in: folder))
    #expect(info.tracks.count == probe.count)
    for (track, (start, duration)) in zip(info.tracks, probe) {
      // ffprobe counts fragments' audio from before its priming.
      let most = words.contains("empty_moov") ? 0.03 : 0.0011
      #expect(abs(try #require(track.start) - start) < most, "\(track) \(start)")
      #expect(abs(try #require(track.duration) - duration) < most, "\(track) \(duration)")
    }
    let end = try #require(probe.map { $0.0 + $0.1 }.max())
    #expect(abs(try #require(info.duration) - end) < 0.03)
  }

  /// ffmpeg has the priming of AAC before the second that it was asked for.
  @Test func showsWhatBeginsLate() async throws {
    let folder = try Folder()
    let words = "\(Self.film) -itsoffset 1 \(Self.tone) \(Self.codecs)"
    try Tool.generate(words.tokens, to: "a.mp4", in: folder)
    let text = try await Graphctl.run(["info", "a.mp4"], in: folder).output
    let lines = text.split(separator: "\n")
    #expect(lines[0].contains("0:06.00") && lines.count > 2, "\(text)")
    #expect(lines[1].contains("0:02.00") && !lines[1].contains("from"), "\(text)")
    #expect(lines[2].contains("0:05.02, from 0:00.98"), "\(text)")
  }

  /// LAME and ffmpeg say how much the encoder was given.
  @Test(arguments: [44_100, 48_000]) func anMP3IsAsLongAsWhatWasEncoded(_ rate: Int) async throws {
    let folder = try Folder()
    try Tool.generate(
      "-f lavfi -i sine=d=2:r=\(rate) -c:a libmp3lame".tokens, to: "a.mp3", in: folder)
    try Tool.generate("-f lavfi -i sine=d=2:r=\(rate)".tokens, to: "a.wav", in: folder)
    try await Tool.run("lame", ["--quiet", "a.wav", "b.mp3"], in: folder.url)
    for name in ["a.mp3", "b.mp3"] {
      let words = "ffmpeg -v error -i \(name) -f s16le - | wc -c"
      let count = try await Tool.result("sh", ["-c", words], in: folder.url).output
      let bytes = try #require(Int(count.trimmingCharacters(in: .whitespacesAndNewlines)))
      let info = try await info(name, in: folder)
      #expect(bytes == rate * 4)
      #expect(info.duration == 2 && info.tracks.map(\.duration) == [2], "\(name) \(info)")
    }
  }
}

extension String {
  /// What is between spaces.
  fileprivate var tokens: [String] { split(separator: " ").map(String.init) }
}
