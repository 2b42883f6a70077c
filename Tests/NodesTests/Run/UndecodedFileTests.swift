import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Files that GStreamer doesn't decode: the message says why.
  @Suite struct UndecodedFileTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func failure(_ path: String) async throws -> String? {
      do {
        _ = try await fileWarnings(of: path, in: scratch)
        return nil
      } catch { return "\(error)" }
    }

    @Test(
      "the message names the format that isn't read",
      arguments: [
        ("a.mka", "-c:a alac", "a codec that GStreamer's reader of such files doesn't know")
      ])
    func named(name: String, options: String, words: String) async throws {
      try ffmpeg("-f lavfi -i sine=r=8000:d=0.5 \(options)", to: scratch.path(name))
      let heard = try #require(try await failure(scratch.path(name)))
      #expect(heard.contains(words) && heard.contains("ffmpeg"), "\(heard)")
    }

    @Test("so does that of one that begins as the format does", arguments: ["MPCK", "MP+\u{7}"])
    func musepack(signature: String) async throws {
      let path = try scratch.write(
        Array(signature.utf8) + [UInt8](repeating: 0, count: 500), to: "a.mpc")
      let heard = try #require(try await failure(path))
      #expect(heard.contains("is Musepack") && heard.contains("ffmpeg"), "\(heard)")
    }

    @Test("so does that of DSD in WavPack")
    func wavPackDSD() async throws {
      var head =
        Array("wvpk".utf8) + [0xf8, 0x01, 0, 0, 0x10, 0x04] + [UInt8](repeating: 0, count: 14)
      head += [0x31, 0x18, 0x80, 0x80] + [UInt8](repeating: 0, count: 480)
      let heard = try #require(try await failure(scratch.write(head, to: "a.wv")))
      #expect(heard.contains("is DSD in WavPack") && heard.contains("ffmpeg"), "\(heard)")
    }

    @Test("so does that of AIFF-C that says no rate")
    func companded() async throws {
      let common = Array("COMM".utf8) + [0, 0, 0, 24, 0, 1, 0, 0, 0, 8, 0, 16]
      let rate = [UInt8](repeating: 0, count: 10) + Array("alaw".utf8) + [0, 0]
      let sound = Array("SSND".utf8) + [0, 0, 0, 16] + [UInt8](repeating: 0, count: 16)
      let bytes = Array("FORM".utf8) + [0, 0, 0, 60] + Array("AIFC".utf8) + sound + common + rate
      let heard = try #require(try await failure(scratch.write(bytes, to: "a.aiff")))
      #expect(heard.contains("AIFF-C with A-law") && heard.contains("ffmpeg"), "\(heard)")
    }

    @Test("bytes of MP3 that the parser passes over are a warning", arguments: [0, 60_000])
    func garbage(count: Int) async throws {
      let path = scratch.path("a.mp3")
      try ffmpeg("-f lavfi -i sine=r=44100:d=5 -c:a libmp3lame -b:a 64k -write_xing 0", to: path)
      let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let half = bytes.count / 2
      let amid = bytes[..<half] + [UInt8](repeating: 0x55, count: count) + bytes[half...]
      let heard = try await fileWarnings(
        of: scratch.write(amid, to: "b.mp3"), in: scratch, to: "out.mp4")
      #expect(heard.isEmpty == (count == 0))
      #expect(heard.allSatisfy { $0.node == "in" && $0.message.contains("are left out") })
    }
  }
}
