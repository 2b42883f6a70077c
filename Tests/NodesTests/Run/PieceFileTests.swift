import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Sound that is decoded in pieces has the points of sound that isn't.
  @Suite struct PieceFileTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let sound = "-f lavfi -i aevalsrc=0.4*sin(200*PI*t)+0.2*sin(PI*(90+9*t)*t)"
    private static let length = ":s=8000:d=50"

    struct File: Sendable, CustomTestStringConvertible {
      var name: String
      var options: String
      var length = PieceFileTests.length
      /// Whether it is split at all.
      var isSplit = true
      var testDescription: String { "\(name) \(options)" }
    }

    static let files: [File] = [
      // PCM is worth more threads from a million frames on.
      File(name: "a.wav", options: "-c:a pcm_s16le", length: ":s=44100:d=30"),
      File(name: "b.wav", options: "-c:a pcm_s24le", length: ":s=44100:d=30"),
      File(name: "a.flac", options: "-ac 2 -c:a flac"), File(name: "a.mkv", options: "-c:a flac"),
      // What these decode to hangs on where a decoder begins, so they stay whole.
      File(name: "a.mp3", options: "-c:a libmp3lame -b:a 16k", isSplit: false),
      File(
        name: "b.mp3", options: "-c:a libmp3lame -q:a 0 -ac 2", length: ":s=44100:d=50",
        isSplit: false),
      File(name: "a.m4a", options: "-c:a aac", length: ":s=44100:d=50", isSplit: false),
      File(name: "b.mkv", options: "-c:a aac", length: ":s=44100:d=50", isSplit: false),
      File(name: "a.ogg", options: "-c:a libvorbis", isSplit: false),
      File(name: "a.opus", options: "-c:a libopus", isSplit: false),
    ]

    @Test(arguments: files)
    func piecesAreTheWhole(_ file: File) async throws {
      let path = scratch.path(file.name)
      try ffmpeg(Self.sound + file.length, file.options, to: path)
      var reduced = ReducedFile(input: path, settings: ", \"samplesPerPixel\": 64")
      let expected = try await reduced.points(in: scratch)
      #expect(expected.count > 12_000)
      for cores in 2...3 {
        reduced.cores = cores
        let plan = try reduced.plan(to: scratch.path("none.dat"))
        #expect(plan.nodes.contains { $0.name == "waveform:\(cores)" } == file.isSplit)
        let points = try await reduced.points(in: scratch)
        #expect(points == expected, "\(Difference(points, expected))")
      }
    }

    @Test("frames of FLAC that lie across the border of two pieces are whole")
    func flac() async throws {
      let (wav, flac) = (scratch.path("a.wav"), scratch.path("a.flac"))
      let sound = "-f lavfi -i sine=f=100:r=8000:d=50 -ac 2"
      try ffmpeg(sound + " -c:a pcm_s16le", to: wav)
      try ffmpeg(sound + " -c:a flac", to: flac)
      let expected = try await ReducedFile(input: wav).points(in: scratch)
      #expect(expected.count == 1_563 * 4)
      for cores in 1...3 {
        #expect(try await ReducedFile(input: flac, cores: cores).points(in: scratch) == expected)
      }
    }

    @Test("a file that is shorter than a run leaves decoders without work")
    func short() async throws {
      for (name, options) in [("a.flac", ""), ("a.mp3", "-c:a libmp3lame"), ("a.m4a", "-c:a aac")] {
        let path = scratch.path(name)
        try ffmpeg(Self.sound + ":s=44100:d=2", options, to: path)
        let expected = try await ReducedFile(input: path).points(in: scratch)
        let pieces = try await ReducedFile(input: path, cores: 3).points(in: scratch)
        #expect(pieces == expected, "\(name)")
      }
    }

    @Test("a decoder that may double the rate gets the whole stream")
    func highEfficiency() throws {
      let (whole, input) = (scratch.path("a.m4a"), scratch.path("a.aac"))
      try ffmpeg(Self.sound + ":s=22050:d=1 -c:a aac", to: whole)
      try ffmpeg("-i \(whole) -c:a copy", to: input)
      let plan = try ReducedFile(input: input, cores: 3).plan(to: scratch.path("none.dat"))
      #expect(!plan.nodes.contains { $0.name.hasPrefix("split:") })
    }
  }
}
