import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// MP3 files whose first frame isn't where it should be.
  @Suite struct LateMP3Tests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Frames of MP3, with or without the one that describes the file.
    private func frames(header: Bool) throws -> [UInt8] {
      let path = scratch.path("whole.mp3")
      try ffmpeg(
        "-f lavfi -i sine=r=44100:d=1 -c:a libmp3lame -b:a 128k -id3v2_version 0",
        header ? "" : "-write_xing 0", to: path)
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func samples(_ path: String) async throws -> ([Int16], [String]) {
      let (wave, report) = try await readSound(of: path, in: scratch)
      #expect(report.unbalanced == [])
      return (try decodedSound(of: wave), report.warnings?.map(\.message) ?? [])
    }

    /// An empty tag, and heads of frames of other kinds, of which no other follows.
    private static let pieces: [[UInt8]] = [
      Array("ID3\u{4}\0\0\0\0\0\0".utf8) + [UInt8](repeating: 0, count: 700),
      [0xff, 0xfb, 0x90] + (0..<400).map { UInt8($0 * 7 & 0x7f) } + [0xff, 0xf3, 0x40, 0xc4]
        + (0..<300).map { UInt8($0 * 11 & 0x7f) },
      [UInt8](repeating: 0x20, count: 3),
    ]

    @Test(
      "the audio is that after the garbage, which is said", arguments: pieces.indices,
      [true, false])
    func garbage(_ index: Int, header: Bool) async throws {
      let frames = try frames(header: header)
      let path = try scratch.write(Self.pieces[index] + frames, to: "a.mp3")
      let (found, warnings) = try await samples(path)
      let (wanted, _) = try await samples(scratch.write(frames, to: "b.mp3"))
      #expect(found == wanted)
      let isSaid = warnings.contains { $0.contains("before the first whole frame are left out") }
      // Zeros hold nothing.
      #expect(isSaid == (index > 0), "\(warnings)")
    }

    @Test("of a file that begins within a frame, the rest of that is left out")
    func rest() async throws {
      let frames = try frames(header: false)
      // 417 or 418 bytes a frame.
      let (cut, _) = try await samples(scratch.write(frames[41...], to: "a.mp3"))
      let next = try #require(
        (400..<430).first { frames[$0] == 0xff && frames[$0 + 1] == 0xfb })
      let (wanted, _) = try await samples(scratch.write(frames[next...], to: "b.mp3"))
      #expect(cut == wanted)
    }

    @Test("of a first frame that lacks bytes, too")
    func short() async throws {
      let frames = try frames(header: false)
      let next = try #require(
        (400..<430).first { frames[$0] == 0xff && frames[$0 + 1] == 0xfb })
      let short = Array(frames[..<(next - 41)] + frames[next...])
      let (found, warnings) = try await samples(scratch.write(short, to: "a.mp3"))
      let (wanted, _) = try await samples(scratch.write(frames[next...], to: "b.mp3"))
      #expect(found == wanted)
      #expect(warnings.contains { $0.contains("\(next - 41) bytes before the first whole frame") })
    }
  }
}
