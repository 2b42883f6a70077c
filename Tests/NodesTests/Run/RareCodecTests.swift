import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// What is seldom met with, and read because GStreamer has a decoder for it.
  @Suite struct RareCodecTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let tone = "-f lavfi -i sine=f=440:r=48000:d=1"
    private static let pictures = "-f lavfi -i testsrc2=s=160x90:r=25:d=1"

    private func run(_ path: String, _ node: String, _ wires: String) async throws -> Report {
      try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, \(node) },
          "wires": ["\(wires)"] }
        """
      ).run()
    }

    /// Samples that differ by more than so much from what ffmpeg decodes.
    private func wrong(_ path: String, by most: Int) async throws -> (count: Int, wrong: Int) {
      let wave = scratch.path("out.wav")
      let node = "\"wave\": { \"type\": \"wavSink\", \"path\": \"\(wave)\" }"
      #expect(try await run(path, node, "in.audio -> wave").unbalanced == [])
      let (expected, sound) = (try decodedSound(of: path), try decodedSound(of: wave))
      #expect(sound.count == expected.count, "\(path)")
      return (sound.count, zip(sound, expected).count { abs(Int($0) - Int($1)) > most })
    }

    @Test(
      "sound",
      arguments: [
        ("alaw.wav", "-c:a pcm_alaw"), ("mulaw.wav", "-c:a pcm_mulaw"),
        ("law.mov", "-c:a pcm_alaw"),
        ("ima.wav", "-c:a adpcm_ima_wav"), ("ms.wav", "-c:a adpcm_ms"), ("a.mp2", "-c:a mp2"),
        ("a.ac3", "-c:a ac3"), ("a.eac3", "-c:a eac3"), ("a.wv", "-c:a wavpack"),
        ("a.tta", "-c:a tta"),
      ])
    func sound(name: String, options: String) async throws {
      let path = scratch.path(name)
      try ffmpeg(Self.tone, options, to: path)
      let (count, wrong) = try await wrong(path, by: 8)
      #expect(count >= 48_000 && wrong == 0)
    }

    @Test(
      "pictures",
      arguments: [
        ("a.mov", "-c:v prores_ks"), ("a.ogv", "-c:v libtheora"), ("a.mpg", "-c:v mpeg1video"),
        ("a.flv", "-c:v flv"), ("a.gif", ""), ("a.avi", "-c:v huffyuv"), ("a.wmv", "-c:v wmv2"),
      ])
    func pictures(name: String, options: String) async throws {
      let (path, movie) = (scratch.path(name), scratch.path("out.mp4"))
      try ffmpeg(Self.pictures, options, to: path)
      let node = "\"movie\": { \"type\": \"mp4Sink\", \"path\": \"\(movie)\" }"
      #expect(try await run(path, node + encoder, "in.video -> video -> movie").unbalanced == [])
      #expect(try probe(movie).map(\.frames) == [25])
    }

    private var encoder: String { #", "video": { "type": "h264Encoder", "preset": "ultrafast" }"# }

    @Test("the sound of an FLV file is found beside its pictures, and read alone")
    func flash() async throws {
      let path = scratch.path("a.flv")
      try ffmpeg(Self.pictures, Self.tone, "-c:v libx264 -c:a aac", to: path)
      let formats = try LiveEnvironment().discover(path).map(\.format)
      #expect(formats.count == 2)
      let (count, wrong) = try await wrong(path, by: 8)
      #expect(count >= 48_000 && wrong == 0)
    }

    @Test("each picture of a GIF is shown as long as the file says")
    func timesOfGIF() async throws {
      let (path, movie) = (scratch.path("a.gif"), scratch.path("out.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=10:d=1", "-vf", "select='not(mod(n,3))+eq(n,1)'", to: path)
      let node = "\"movie\": { \"type\": \"mp4Sink\", \"path\": \"\(movie)\" }"
      #expect(try await run(path, node + encoder, "in.video -> video -> movie").unbalanced == [])
      let words = ["-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
      let times = try [path, movie].map { file in
        let text = String(decoding: try tool("ffprobe", words + [file]), as: UTF8.self)
        return text.split(whereSeparator: { $0.isNewline || $0 == "," }).compactMap(Double.init)
          .sorted()
      }
      #expect(times[0].count == 5 && times[0] == times[1])
    }

    @Test("Speex ends where its last page says")
    func speex() async throws {
      let (path, wave) = (scratch.path("a.spx"), scratch.path("out.wav"))
      try ffmpeg("-f lavfi -i sine=r=16000:d=0.9", "-c:a libspeex", to: path)
      let node = "\"wave\": { \"type\": \"wavSink\", \"path\": \"\(wave)\" }"
      #expect(try await run(path, node, "in.audio -> wave").unbalanced == [])
      let (all, sound) = (try decodedSound(of: path), try decodedSound(of: wave))
      // ffmpeg's decoder has all of the last packet.
      #expect(sound.count > 42_000 && sound.count < all.count)
      // The two decoders round otherwise; and one of them enhances speech.
      let most = all.map { abs(Int($0)) }.max() ?? 0
      #expect(most > 2_000)
      let power = zip(sound, all).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
      #expect((power / Double(sound.count)).squareRoot() < Double(most) / 8)
    }

    @Test(
      "a format that no plug-in reads is named", arguments: [("tBaK", "TAK"), ("OFR ", "Optim")])
    func unreadable(head: String, name: String) throws {
      let path = try scratch.write(Array(head.utf8) + Array(repeating: 7, count: 5_000), to: "a")
      let error = #expect(throws: NodeError.self) { try LiveEnvironment().discover(path) }
      #expect(error?.message.hasPrefix("`\(path)` is \(name)") == true)
    }

    @Test("what nothing reads is said with its name")
    func unread() throws {
      let path = scratch.path("a.w64")
      try ffmpeg(Self.tone, "-c:a adpcm_ms", to: path)
      var source = FileSource()
      source.path = path
      let notices = try source.resolve(in: LiveEnvironment())
      #expect(notices.count == 1 && notices[0].contains("`\(path)` has audio/x-w64"))
    }
  }
}
