import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

extension FileTests {
  /// Files of the encoders that people use are decoded to what their encoder was given: as many
  /// samples, in the same places.
  @Suite struct EncoderFileTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// A file that a program makes of a WAV file; `IN` and `OUT` are the files.
    struct Encoded: Sendable, CustomTestStringConvertible {
      var command: String
      var file: String
      /// What makes a WAV file of it again, by itself.
      var decoder: String
      var rate = 44_100
      var channels = 2
      var frames = 30_007
      /// The rate that the codec has, where that isn't the input's.
      var decodedRate: Int?
      /// By how much samples of two decoders may differ; those of another place do by 1,000.
      var most = 2

      var testDescription: String { "\(command) \(rate) Hz, \(channels) channels" }
    }

    static func lame(
      _ options: String, rate: Int = 44_100, channels: Int = 2, frames: Int = 30_007
    ) -> Encoded {
      Encoded(
        command: "lame --quiet \(options) IN OUT", file: "a.mp3",
        decoder: "lame --quiet --decode IN OUT", rate: rate, channels: channels, frames: frames)
    }

    static func oggenc(_ options: String, rate: Int, channels: Int, frames: Int) -> Encoded {
      Encoded(
        command: "oggenc -Q -s 1 \(options) IN -o OUT", file: "a.ogg",
        decoder: "oggdec -Q IN -o OUT",
        rate: rate, channels: channels, frames: frames)
    }

    static func opusenc(_ options: String, rate: Int, channels: Int, frames: Int) -> Encoded {
      Encoded(
        command: "opusenc --quiet --serial 1 \(options) IN OUT", file: "a.opus",
        decoder: "opusdec --quiet --no-dither --rate 48000 IN OUT", rate: rate, channels: channels,
        frames: frames, decodedRate: 48_000)
    }

    static let files: [Encoded] =
      [32_000, 44_100, 48_000].flatMap { rate in
        [lame("-b 128", rate: rate), lame("-V 4", rate: rate, channels: 1)]
      }
      // At 24 kHz, too, the two decoders are the same.
      + [8_000, 12_000, 16_000, 22_050, 24_000].flatMap { rate in
        [lame("-b 64", rate: rate), lame("-V 4", rate: rate, channels: 1)]
      }
      + [
        lame("-b 320 -m s"), lame("--abr 150 -m j"), lame("-V 2 -p"), lame("", frames: 300),
        lame("--tt Title --add-id3v2 --pad-id3v2-size 3000"),
        // Long enough to be decoded in pieces.
        lame("-V 6", rate: 22_050, channels: 1, frames: 40 * 22_050 + 7),
        oggenc("", rate: 44_100, channels: 2, frames: 30_007),
        oggenc("-q 1", rate: 48_000, channels: 1, frames: 24_001),
        oggenc("", rate: 22_050, channels: 2, frames: 700),
        oggenc("-q 8", rate: 44_100, channels: 2, frames: 44_100),
        opusenc("", rate: 48_000, channels: 2, frames: 30_007),
        opusenc("", rate: 48_000, channels: 1, frames: 959),
        opusenc("", rate: 48_000, channels: 2, frames: 333),
        opusenc("--framesize 60", rate: 48_000, channels: 2, frames: 48_013),
        opusenc("--framesize 2.5", rate: 48_000, channels: 2, frames: 5_001),
        opusenc("", rate: 44_100, channels: 2, frames: 30_007),
        opusenc("", rate: 16_000, channels: 1, frames: 8_003),
        Encoded(
          command: "flac --silent -8 IN -o OUT", file: "a.flac",
          decoder: "flac --silent -d IN -o OUT", most: 0),
      ]

    private func run(_ command: String, from input: String, to output: String) throws {
      let words = command.split(separator: " ").map { word in
        word == "IN" ? input : word == "OUT" ? output : String(word)
      }
      try tool(words[0], Array(words.dropFirst()))
    }

    private func makeWave(_ file: Encoded) throws -> String {
      let samples = PCM.sweep(frames: file.frames, sampleRate: file.rate, channels: file.channels)
      return try scratch.write(
        PCM.waveFile(samples, sampleRate: file.rate, channels: file.channels), to: "in.wav")
    }

    @Test("audio that LAME's tag cuts is encoded again to its last sample")
    func encodesToTheEnd() async throws {
      let file = Self.lame("-b 128", frames: 44_100)
      let (path, output) = (scratch.path(file.file), scratch.path("again.m4a"))
      try run(file.command, from: makeWave(file), to: path)
      let transcode = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" },
            "d": { "type": "decoder", "media": "audio" }, "e": { "type": "aacEncoder" },
            "out": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["in.audio -> d -> e -> out"] }
        """)
      #expect(try await transcode.run().unbalanced == [])
      #expect(try probe(output).map(\.end) == [1])
    }

    @Test(arguments: files)
    func presentsWhatTheEncoderWasGiven(_ file: Encoded) async throws {
      let (input, path) = (try makeWave(file), scratch.path(file.file))
      try run(file.command, from: input, to: path)
      try run(file.decoder, from: path, to: scratch.path("their.wav"))
      let theirs = try PCM.samples(ofWave: scratch.path("their.wav"))
      let ours = try await decoded(path)
      #expect(ours.count == theirs.count)
      #expect(Difference(ours, theirs).most <= file.most)
      if file.decodedRate ?? file.rate == file.rate {
        #expect(ours.count == file.frames * file.channels)
      }
      let reduced = try await ReducedFile(input: path, cores: 4).samples(in: scratch)
      #expect(reduced.count == theirs.count && Difference(reduced, theirs).most <= file.most)
    }

    private func decoded(_ path: String) async throws -> [Int16] {
      let output = scratch.path("\(UUID().uuidString).wav")
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "decode": { "type": "decoder" },
                     "out": { "type": "wavSink", "path": "\(output)" } },
          "wires": ["in.audio -> decode -> out"] }
        """)
      #expect(try await run.run().unbalanced == [])
      return try PCM.samples(ofWave: output)
    }

    @Test("a stream that begins later than its file, as a part of a longer one, is read whole")
    func late() async throws {
      let (path, late) = (scratch.path("a.ogg"), scratch.path("late.ogg"))
      let file = Self.oggenc("", rate: 44_100, channels: 2, frames: 30_007)
      try run(file.command, from: makeWave(file), to: path)
      try ffmpeg("-i \(path) -c copy -output_ts_offset 1", to: late)
      try run(file.decoder, from: late, to: scratch.path("their.wav"))
      let (theirs, ours) = (
        try PCM.samples(ofWave: scratch.path("their.wav")), try await decoded(late)
      )
      #expect(ours.count == theirs.count && ours.count >= 30_007 * 2)
      #expect(Difference(ours, theirs).most <= 2)
    }

    @Test("the comment of iTunes says what AAC presents, unless an edit list does")
    func commented() async throws {
      let comments: [(String, String, Int, Int?)] = [
        (
          "-use_editlist 0", " 00000000 00000400 0000017C 0000000000007531 00000000 00000000",
          1_024, 30_001
        ),
        ("-use_editlist 1", " 00000000 00000100 00000000 0000000000000100", 0, nil),
        ("-use_editlist 0", " 00000000 FFFFFFFF 00000000 FFFFFFFFFFFFFFFFFF", 0, nil),
        ("-use_editlist 0", " 00000000 00000400 00000000 7FFFFFFFFFFFFFFF", 1_024, nil),
      ]
      for (options, comment, skipped, count) in comments {
        let path = scratch.path("a.m4a")
        try ffmpeg(
          "-f lavfi -i aevalsrc=0.4*sin(PI*(200+1800*t)*t):s=44100:d=1 -c:a aac", options, to: path)
        let all = try await decoded(path)
        var movie = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        try movie.addComment("iTunSMPB", comment)
        let ours = try await decoded(scratch.write(movie, to: "commented.m4a"))
        let presented = Array(all[skipped...].prefix(count ?? all.count))
        #expect(all.count >= 44_100 && ours.count == presented.count)
        #expect(Difference(ours, presented).most <= 2)
      }
    }
  }
}

extension [UInt8] {
  /// Where the last box of a type begins.
  private func box(_ type: String) throws -> Int {
    let name = Array(type.utf8)
    return try #require(
      indices.dropLast(8).last { self[$0 + 4..<$0 + 8].elementsEqual(name) && $0 >= 0 })
  }

  /// Puts a free-form item first among the metadata of a movie whose index comes last.
  fileprivate mutating func addComment(_ name: String, _ text: String) throws {
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: (content.count + 8) >> (24 - 8 * $0)) }
        + Array(type.utf8) + content
    }
    let zeros: [UInt8] = [0, 0, 0, 0]
    let item = box(
      "----",
      box("mean", zeros + Array("com.apple.iTunes".utf8)) + box("name", zeros + Array(name.utf8))
        + box("data", [0, 0, 0, 1] + zeros + Array(text.utf8)))
    let parents = try ["moov", "udta", "meta", "ilst"].map { try self.box($0) }
    for start in parents {
      let size = self[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + item.count
      for index in 0..<4 {
        self[start + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index))
      }
    }
    insert(contentsOf: item, at: parents[3] + 8)
  }
}
