import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What encodes audio, and the files that hold it: as many samples come back as went in, in their
/// places, by ffmpeg's decoders.
@Suite(.inTurn) struct AudioFileTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// An encoder, and a file for it.
  struct Case: Sendable, CustomTestStringConvertible {
    var encoder: String
    var file: String
    var rate = 48_000
    var channels = 2
    var frames = 30_011
    /// How far off the decoded samples are from those that were encoded, on average.
    var most = 900.0
    var sink: String { file.hasSuffix("m4a") ? "mp4Sink" : "audioSink" }
    var testDescription: String { "\(encoder) \(file) \(rate) Hz, \(channels) channels" }
  }

  static let cases = [
    Case(encoder: #""opusEncoder""#, file: "a.opus"),
    Case(
      encoder: #""opusEncoder", "mode": "constant", "content": "speech""#, file: "a.ogg",
      most: 3_000),
    Case(encoder: #""opusEncoder", "bitRate": 400000"#, file: "a.oga", channels: 6),
    Case(encoder: #""vorbisEncoder""#, file: "a.ogg", rate: 44_100, frames: 44_100),
    Case(encoder: #""vorbisEncoder", "quality": 8"#, file: "a.oga", channels: 4, frames: 60_007),
    Case(encoder: #""mp3Encoder""#, file: "a.mp3", rate: 44_100),
    Case(encoder: #""mp3Encoder", "quality": 2"#, file: "a.mp3", channels: 1, frames: 48_000),
    Case(encoder: #""mp3Encoder""#, file: "a.mp3", rate: 22_050, channels: 1, frames: 22_050),
    Case(encoder: #""mp3Encoder", "bitRate": 320000"#, file: "a.mp3", frames: 1_153),
    Case(encoder: #""flacEncoder""#, file: "a.flac", rate: 44_100, frames: 44_100, most: 0),
    Case(encoder: #""flacEncoder", "compression": 8"#, file: "a.ogg", channels: 1, most: 0),
    Case(encoder: #""flacEncoder""#, file: "a.flac", rate: 96_000, channels: 6, most: 0),
    Case(encoder: #""flacEncoder""#, file: "a.m4a", most: 0),
    Case(encoder: #""alacEncoder""#, file: "a.m4a", frames: 48_000, most: 0),
  ]

  private func wave(_ item: Case) throws -> (path: String, samples: [Int16]) {
    let samples = PCM.sweep(frames: item.frames, sampleRate: item.rate, channels: item.channels)
    let bytes = PCM.waveFile(samples, sampleRate: item.rate, channels: item.channels)
    return (try scratch.write(bytes, to: "in.wav"), samples)
  }

  private func encode(_ input: String, _ encoder: String, _ sink: String) async throws -> Report {
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" },
          "e": { "type": \(encoder) }, "out": { "type": \(sink) } },
        "wires": ["in.audio -> e -> out"] }
      """)
    return try await run.run()
  }

  private func copy(_ input: String, to output: String, _ more: String = "") async throws {
    let run = try pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" },
          "out": { "type": "audioSink", "path": "\(output)"\(more) } },
        "wires": ["in.audio -> out"] }
      """)
    let report = try await run.run()
    #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
  }

  /// The samples of a file, by ffmpeg.
  private func decoded(_ path: String, rate: Int, channels: Int) throws -> [Int16] {
    integers(
      Array(
        try tool(
          "ffmpeg",
          ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-ar", "\(rate)"]
            // Of more, ffmpeg would choose other speakers.
            + (channels > 2 ? [] : ["-ac", "\(channels)"]) + ["-"], inSilence: true)))
  }

  private func distance(_ one: [Int16], _ other: [Int16]) -> Double {
    let sum = zip(one, other).reduce(0.0) { $0 + pow(Double($1.0) - Double($1.1), 2) }
    return (sum / Double(max(1, one.count))).squareRoot()
  }

  @Test(arguments: cases)
  func comesBackToTheSample(_ item: Case) async throws {
    let (input, samples) = try wave(item)
    let path = scratch.path(item.file)
    let report = try await encode(
      input, item.encoder, "\"\(item.sink)\", \"path\": \"\(path)\"")
    #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
    let found = try decoded(path, rate: item.rate, channels: item.channels)
    #expect(found.count == samples.count)
    #expect(distance(found, samples) <= item.most, "\(distance(found, samples))")
    if item.file.hasSuffix(".flac") { try tool("flac", ["-t", "-s", path], inSilence: true) }
  }

  @Test(arguments: [("opusEncoder", 48_648), ("mp3Encoder", 49_105)])
  func aMovieSaysWhatEncodersPutInFront(_ encoder: String, _ coded: Int) async throws {
    let (input, _) = try wave(Case(encoder: encoder, file: "", channels: 1, frames: 48_000))
    let path = scratch.path("a.m4a")
    _ = try await encode(input, "\"\(encoder)\"", "\"mp4Sink\", \"path\": \"\(path)\"")
    #expect(try BoxChecker(path).faults == [])
    let track = try #require(MovieReader.read(path).tracks.first)
    #expect((track.mediaDuration * 48_000).rounded() <= Double(coded))
    #expect(try probe(path).map(\.end) == [1])
  }

  @Test func streamsAreAsTheirOwnToolsHaveThem() async throws {
    let (input, _) = try wave(Case(encoder: "", file: "", frames: 100_000))
    for (encoder, name, checker) in [
      ("opusEncoder", "a.opus", "opusinfo"), ("vorbisEncoder", "a.ogg", "ogginfo"),
      ("flacEncoder", "b.oga", "ogginfo"),
    ] {
      let path = scratch.path(name)
      _ = try await encode(
        input, "\"\(encoder)\"", "\"audioSink\", \"path\": \"\(path)\", \"title\": \"Name\"")
      let words = String(decoding: try tool(checker, [path]), as: UTF8.self)
      #expect(words.contains("0m:02.083s") && words.contains("TITLE=Name"), "\(words)")
      #expect(!words.contains("WARNING"), "\(words)")
    }
  }

  /// The frames at 48 kHz that begin before the end of the input, as opusenc and ffmpeg count them.
  @Test(arguments: [(44_100, 44_100, 48_000), (44_100, 44_101, 48_002), (96_000, 4_801, 2_401)])
  func audioOfOtherRatesKeepsItsLength(_ rate: Int, _ frames: Int, _ expected: Int) async throws {
    let (input, _) = try wave(
      Case(encoder: "", file: "", rate: rate, channels: 1, frames: frames))
    let path = scratch.path("a.opus")
    _ = try await encode(input, #""opusEncoder""#, "\"audioSink\", \"path\": \"\(path)\"")
    #expect(try decoded(path, rate: 48_000, channels: 1).count == expected)
  }

  @Test func mp3SaysWhatLAMEAdded() async throws {
    let (input, _) = try wave(Case(encoder: "", file: "", rate: 44_100, frames: 44_100))
    let path = scratch.path("a.mp3")
    _ = try await encode(input, #""mp3Encoder""#, "\"audioSink\", \"path\": \"\(path)\"")
    try tool("lame", ["--quiet", "--decode", path, scratch.path("a.wav")])
    #expect(try PCM.samples(ofWave: scratch.path("a.wav")).count == 2 * 44_100)
    let length = try tool(
      "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path])
    #expect(String(decoding: length, as: UTF8.self).hasPrefix("1.0"))
  }

  /// A file that ffmpeg makes, and one that its packets are copied to.
  struct Copy: Sendable, CustomTestStringConvertible {
    var options: String
    var source: String
    var target: String
    /// What ffmpeg's writers of such files don't say.
    var without: [String] = []
    var testDescription: String { "\(source) to \(target)" }
  }

  static let copies = [
    Copy(options: "-b:a 128k", source: "a.mp3", target: "b.mp3", without: ["comment"]),
    Copy(options: "-c:a libmp3lame", source: "a.mp4", target: "b.mp3"),
    Copy(options: "-c:a libopus", source: "a.opus", target: "b.opus"),
    Copy(options: "-c:a libopus", source: "a.ogg", target: "b.oga"),
    Copy(options: "-c:a libvorbis", source: "a.ogg", target: "b.ogg"),
    Copy(options: "-c:a libvorbis", source: "a.webm", target: "b.ogg", without: ["track"]),
    Copy(options: "-c:a flac", source: "a.flac", target: "b.flac"),
    Copy(options: "-c:a flac", source: "a.flac", target: "b.oga"),
    Copy(options: "-c:a flac", source: "a.oga", target: "b.flac"),
    Copy(options: "-c:a flac", source: "a.mkv", target: "b.flac", without: ["track"]),
  ]

  @Test(arguments: copies)
  func packetsOfOtherFilesGoIn(_ item: Copy) async throws {
    let (source, target) = (scratch.path(item.source), scratch.path(item.target))
    let tags = ["title": "Tïtle", "artist": "Ada", "track": "3/12", "comment": "Hi"]
    try ffmpeg(
      "-f lavfi -i aevalsrc=0.4*sin(PI*(200+1800*t)*t):s=48000:d=1.03",
      tags.map { "-metadata \($0)=\($1)" }.sorted().joined(separator: " "), item.options,
      to: source)
    try await copy(source, to: target, #", "title": "New", "tags": { "album": "B" }"#)
    let (theirs, ours) = (
      try decoded(source, rate: 48_000, channels: 1),
      try decoded(target, rate: 48_000, channels: 1)
    )
    #expect(theirs.count == ours.count && theirs == ours)
    let found = String(
      decoding: try tool(
        "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags", target]),
      as: UTF8.self
    ).lowercased()
    for (key, text) in ["title": "new", "album": "b", "artist": "ada", "comment": "hi"]
    where !item.without.contains(key) {
      #expect(found.contains("tag:\(key)=\(text)\n"), "\(found)")
    }
    let hasNumber = found.contains("tag:track=3")
    #expect(hasNumber != item.without.contains("track"), "\(found)")
  }

  @Test func whatElseACommentSaysIsKept() async throws {
    let (source, target) = (scratch.path("a.ogg"), scratch.path("b.ogg"))
    try ffmpeg(
      "-f lavfi -i sine=d=1 -metadata REPLAYGAIN_TRACK_GAIN=-3.20 -metadata mood=calm "
        + "-c:a libvorbis", to: source)
    try await copy(source, to: target)
    let words = String(decoding: try tool("ogginfo", [target]), as: UTF8.self)
    #expect(words.contains("MOOD=calm") && words.contains("REPLAYGAIN_TRACK_GAIN=-3.20"))
  }

  @Test(arguments: ["a.mp3", "a.flac", "a.opus", "a.oga"])
  func allTagsAndTheCoverAreReadBack(_ name: String) async throws {
    let (input, _) = try wave(Case(encoder: "", file: "", frames: 9_600))
    let (path, picture) = (scratch.path(name), scratch.path("c.png"))
    try ffmpeg("-f lavfi -i testsrc2=s=64x64 -frames:v 1", to: picture)
    let encoders = ["mp3": "mp3Encoder", "opus": "opusEncoder"]
    let encoder = encoders[String(name.dropFirst(2))] ?? "flacEncoder"
    _ = try await encode(
      input, "\"\(encoder)\"",
      """
      "audioSink", "path": "\(path)", "cover": "\(picture)", "title": "Title",
      "tags": { "artist": "A", "album": "B", "albumArtist": "C", "composer": "D", "genre": "E",
        "date": "2026-01-31", "track": "3/12", "disc": "1/2", "grouping": "H",
        "comment": "F", "description": "G", "lyrics": "I", "copyright": "J",
        "location": "+48.8577+002.2950/" }
      """)
    let found = String(
      decoding: try tool(
        "ffprobe", ["-v", "error", "-show_entries", "format_tags:stream_tags", path]),
      as: UTF8.self
    ).lowercased()
    for text in [
      "title=title", "artist=a", "album=b", "album_artist=c", "composer=d", "genre=e",
      "date=2026-01-31", "track=3", "disc=1", "grouping=h", "comment=f",
      "copyright=j", "location=+48.8577+002.2950/",
    ] { #expect(found.contains("tag:\(text)"), "\(text): \(found)") }
    #expect(found.contains("lyrics") && found.contains("=i\n"))
    // ffmpeg calls that of Vorbis comments a comment, too.
    let bytes = try Data(contentsOf: URL(filePath: path))
    let description = name.hasSuffix("mp3") ? "description\0G" : "DESCRIPTION=G"
    #expect(bytes.range(of: Data(description.utf8)) != nil)
    let cover = try tool(
      "ffmpeg",
      ["-v", "error", "-i", path, "-map", "0:v", "-c", "copy", "-f", "image2pipe", "-"])
    #expect(try cover == Data(contentsOf: URL(filePath: picture)))
  }

  @Test(arguments: ["s16", "s24", "s32"])
  func aiffHoldsTheSamples(_ format: String) async throws {
    let item = Case(encoder: "", file: "", frames: 4_801)
    let (input, samples) = try wave(item)
    let path = scratch.path("a.aiff")
    let report = try await encode(
      input, "\"audioConvert\", \"sampleFormat\": \"\(format)\"",
      "\"aiffSink\", \"path\": \"\(path)\"")
    #expect(report.unbalanced == [])
    let found = try decoded(path, rate: 48_000, channels: 2)
    #expect(found.count == samples.count && PCM.difference(found, samples).most == 0)
    let codec = ["s16": "pcm_s16be", "s24": "pcm_s24be", "s32": "pcm_s32be"][format]
    #expect(try probe(path).map(\.codec_name) == [codec])
  }
}

/// What is wrong with how encoders and files of audio are set.
@Suite(.inTurn) struct AudioFileProblemTests {
  private func sink(_ path: String) -> AudioSink {
    var sink = AudioSink()
    sink.path = path
    return sink
  }

  @Test(arguments: ["a.m4a", "audio", "a.wav", "x.mp3/a", ".mp3x"])
  func otherNamesAreProblems(_ path: String) {
    #expect(sink(path).problem?.key == "path")
    #expect(sink(path).problem?.remedy.contains(".mp3, .flac, .ogg, .oga or .opus") == true)
  }

  @Test(arguments: ["a.mp3", "b/a.FLAC", "a.b.opus", "a.oga"])
  func namesOfAudioAreTaken(_ path: String) { #expect(sink(path).problem == nil) }

  @Test func eachKindHasItsCodecs() {
    let fits: [(String, Codec)] = [
      ("a.mp3", .mp3), ("a.flac", .flac), ("a.ogg", .flac), ("a.ogg", .vorbis), ("a.oga", .opus),
      ("a.opus", .opus),
    ]
    for (path, codec) in fits {
      #expect(sink(path).problem(formats: ["in": .encoded(codec)]) == nil)
    }
    let misfits: [(String, Codec, String)] = [
      ("a.mp3", .opus, "end the name in .ogg, .oga or .opus, or encode with `mp3Encoder`"),
      ("a.opus", .vorbis, "end the name in .ogg or .oga, or encode with `opusEncoder`"),
      ("a.flac", .mp3, "end the name in .mp3, or encode with `flacEncoder`"),
    ]
    for (path, codec, remedy) in misfits {
      #expect(sink(path).problem(formats: ["in": .encoded(codec)])?.remedy == remedy)
    }
  }

  @Test func filesAreNotOverwrittenUnasked() throws {
    let environment = FakeEnvironment(places: ["a.mp3": .file, "a.aiff": .file])
    var file = sink("a.mp3")
    let error = #expect(throws: NodeError.self) { try file.resolve(in: environment) }
    #expect(error?.remedy.contains("--overwrite") == true)
    file.overwrite = true
    #expect(try file.resolve(in: environment) == [])
    var other = AIFFSink()
    other.path = "a.aiff"
    #expect(throws: NodeError.self) { try other.resolve(in: environment) }
  }

  @Test func coversAreLookedAt() throws {
    let scratch = try TestFolder()
    var file = sink("b.mp3")
    file.cover = try scratch.write([1, 2, 3], to: "c.png")
    let error = #expect(throws: NodeError.self) { try file.resolve(in: FakeEnvironment()) }
    #expect(error?.key == "cover")
  }

  @Test func mp3HasTheBitRatesOfItsRate() {
    var encoder = MP3Encoder()
    encoder.bitRate = 100_000
    #expect(encoder.problem?.remedy == "set `bitRate` to 96000" || encoder.problem != nil)
    encoder.bitRate = 256_000
    #expect(encoder.problem == nil)
    let slow = ["in": FormatConstraint.audio(sampleRates: [22_050], channels: [2])]
    #expect(encoder.problem(formats: slow)?.remedy == "set `bitRate` to 160000")
    encoder.quality = 2
    #expect(encoder.problem?.key == "quality")
  }

  @Test func channelsAreLimited() {
    let six = ["in": FormatConstraint.audio(sampleRates: [48_000], channels: [6])]
    #expect(
      MP3Encoder().problem(formats: six)?.message == "6 channels enter, and it takes at most 2")
    #expect(ALACEncoder().problem(formats: six) != nil)
    #expect(OpusEncoder().problem(formats: six) == nil)
    let odd = ["in": FormatConstraint.audio(sampleRates: [65_537], channels: [2])]
    #expect(FLACEncoder().problem(formats: odd)?.message.contains("65537") == true)
  }
}

extension RunTests {
  /// Files of audio whose run doesn't end as it should.
  @Suite struct CutAudioFileTests {
    @Test func whatIsThereCanBePlayed() async throws {
      let scratch = try TestFolder()
      let files = [("mp3Encoder", "a.mp3"), ("vorbisEncoder", "a.ogg"), ("flacEncoder", "a.flac")]
      let nodes = files.map { encoder, name in
        """
        "\(encoder)": { "type": "\(encoder)" },
        "\(encoder)File": { "type": "audioSink", "path": "\(scratch.path(name))" }
        """
      }
      let wires = files.map { "\"tone -> \($0.0) -> \($0.0)File\"" }
      let run = try pipeline(
        """
        { "nodes": { "tone": { "type": "testAudio", "live": true, "seconds": 30 },
            \(nodes.joined(separator: ",")) }, "wires": [\(wires.joined(separator: ","))] }
        """)
      async let end = run.run()
      #expect(await run.reaches(2))
      run.cancel()
      _ = try? await end
      for (_, name) in files {
        let path = scratch.path(name)
        let sound = try tool(
          "ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-ac", "1", "-"], inSilence: true)
        #expect(sound.count >= 2 * 16_000, "\(name)")
      }
    }
  }
}
