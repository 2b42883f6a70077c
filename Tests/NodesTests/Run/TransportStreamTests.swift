import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// MPEG transport and program streams, whose sound may begin before their pictures.
  @Suite struct TransportStreamTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let tone = "-f lavfi -i sine=f=440:r=48000:d=2"
    private static let pictures = "-f lavfi -i testsrc2=s=160x90:r=25:d=2"

    private func run(_ path: String, _ sink: String, _ wires: String) async throws {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "out": { \(sink) } },
          "wires": [\(wires)] }
        """)
      #expect(try await run.run().unbalanced == [])
    }

    @Test(
      "all of the sound is decoded",
      arguments: ["aac", "libmp3lame", "mp2", "ac3"], ["", "-c:v libx264 -preset ultrafast -bf 2"])
    func decodes(codec: String, video: String) async throws {
      let (path, wave) = (scratch.path("a.ts"), scratch.path("a.wav"))
      try ffmpeg(
        video.isEmpty ? "" : Self.pictures, Self.tone, video, "-c:a \(codec)", to: path)
      try await run(path, "\"type\": \"wavSink\", \"path\": \"\(wave)\"", "\"in.audio -> out\"")
      let (expected, sound) = (try decodedSound(of: path), try decodedSound(of: wave))
      #expect(sound.count == expected.count)
      #expect(zip(sound, expected).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
    }

    @Test("all of the sound of a program stream is decoded")
    func program() async throws {
      let (path, wave) = (scratch.path("a.mpg"), scratch.path("a.wav"))
      try ffmpeg(Self.pictures, Self.tone, "-c:v mpeg2video -c:a mp2", to: path)
      try await run(path, "\"type\": \"wavSink\", \"path\": \"\(wave)\"", "\"in.audio -> out\"")
      let (expected, sound) = (try decodedSound(of: path), try decodedSound(of: wave))
      #expect(sound.count == expected.count)
    }

    @Test("a copy has its sound and its pictures together, and all of both", arguments: [0, 2])
    func copies(bFrames: Int) async throws {
      let (path, movie) = (scratch.path("a.ts"), scratch.path("a.mp4"))
      try ffmpeg(
        Self.pictures, Self.tone, "-c:v libx264 -preset ultrafast -bf \(bFrames) -c:a aac",
        to: path)
      try await run(
        path, "\"type\": \"mp4Sink\", \"path\": \"\(movie)\"",
        #""in.video -> out.video", "in.audio -> out.audio""#)
      // The movie begins with the audio, as the stream does: 21 ms of the encoder's own.
      let early = try probe(path)
      #expect(early.map(\.codec_type) == ["video", "audio"])
      #expect(try decodedSound(of: movie) == decodedSound(of: path))
      let starts = try probe(movie).map(\.start)
      let lead = early[0].start - early[1].start
      #expect(zip(starts, [lead, 0]).allSatisfy { abs($0 - $1) < 0.0002 }, "\(starts)")
      #expect(try probe(movie).map(\.frames) == [50, 95])
      #expect(try decodeComplaints(movie) == "")
    }

    /// Which values of the clock of a stream are left.
    enum Clock: CaseIterable { case none, late, rare }

    @Test(
      "times are those of the packets, whatever the stream's clock lacks",
      arguments: Clock.allCases,
      [188, 192])
    func poorClock(_ clock: Clock, size: Int) async throws {
      let (whole, movie) = (scratch.path("whole.ts"), scratch.path("a.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x90:r=25:d=5 -f lavfi -i sine=f=440:r=48000:d=5",
        "-c:v libx264 -preset ultrafast -bf 2 -b_strategy 0 -g 25 -c:a aac", to: whole)
      let bytes = try thin(Array(Data(contentsOf: URL(fileURLWithPath: whole))), clock)
      let packets = stride(from: 0, to: bytes.count, by: 188).map { bytes[$0..<$0 + 188] }
      // Discs have four bytes before each.
      let path = try scratch.write(
        packets.flatMap { [UInt8](repeating: 0, count: size - 188) + $0 }, to: "a.ts")
      try await run(
        path, "\"type\": \"mp4Sink\", \"path\": \"\(movie)\"",
        #""in.video -> out.video", "in.audio -> out.audio""#)
      let (wanted, found) = (try probe(whole), try probe(movie))
      #expect(found.map(\.frames) == [125, 236])
      let distance = found[0].start - found[1].start - wanted[0].start + wanted[1].start
      #expect(abs(distance) < 0.001, "\(found)")
      #expect(try decodeComplaints(movie) == "")
    }

    /// A stream without some values of its clock.
    private func thin(_ stream: [UInt8], _ clock: Clock) throws -> [UInt8] {
      var bytes = stream
      var (first, last, left) = (Int?.none, -1_000, 0)
      for packet in stride(from: 0, to: bytes.count, by: 188)
      where bytes[packet + 3] & 0x20 != 0 && bytes[packet + 4] >= 7 && bytes[packet + 5] & 0x10 != 0
      {
        // In tenths of a second, nearly.
        let time = bytes[packet + 6..<packet + 9].reduce(0) { $0 << 8 | Int($1) } / 18
        first = first ?? time
        let isKept =
          clock == .rare ? time - last >= 20 : clock == .late && time - (first ?? 0) >= 15
        if isKept { (last, left) = (time, left + 1) } else { bytes[packet + 5] &= 0xef }
      }
      try #require((left > 1) == (clock != .none))
      return bytes
    }

    @Test("frames before the first key frame are left out of a copy, which says how many")
    func cutBeforeKeyFrame() async throws {
      let (whole, path, movie) = ("whole.ts", scratch.path("cut.ts"), scratch.path("a.mp4"))
      try ffmpeg(
        Self.pictures, "-c:v libx264 -preset ultrafast -bf 0 -g 25 -muxrate 0",
        to: scratch.path(whole))
      let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path(whole)))
      // The tables come again where the cut is, as in a recording that begins amid a broadcast.
      let cut = bytes.count / 188 / 3 * 188
      try (bytes.prefix(3 * 188) + bytes.dropFirst(cut)).write(to: URL(fileURLWithPath: path))
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "movie": { "type": "mp4Sink", "path": "\(movie)" } },
          "wires": ["in.video -> movie.video"] }
        """
      ).run()
      let packets = try packetCount(path)
      let ledger = try #require(report.wires["in.video -> movie.video"])
      #expect(ledger.samplesOut == 25 && ledger.isBalanced)
      #expect(ledger.samplesIn == packets)
      #expect(ledger.dropped == ["notRead": ledger.samplesIn - 25])
      let lost = ledger.samplesIn - 25
      #expect(lost > 0)
      #expect(report.warnings?.map(\.node) == ["in"])
      #expect(
        report.warnings?.first?.message.hasPrefix(
          "\(lost) of the \(ledger.samplesIn) packets of in.video are left out") == true)
    }
  }
}
