import Foundation
import TestTools
import Testing

/// Where `graphctl waveform` reads from, and what.
@Suite(.serialized, .inTurn) struct WaveformInputTests {
  private static let raw = ["--input-format", "raw", "--raw-samplerate", "8000"]
  private static let csv = ["-o", "-", "--output-format", "csv", "-z", "1", "-q"]
  private static let samples = [0, 256, -512, 32_512, -32_768]

  /// The samples as bytes of a format that names its bits and the order of its bytes.
  private static func bytes(_ format: String) -> Data {
    samples.reduce(into: Data()) { data, sample in
      var bytes: [UInt8]
      switch format.prefix(3) {
      case "s8": bytes = [UInt8(truncatingIfNeeded: sample >> 8)]
      case "u8": bytes = [UInt8(truncatingIfNeeded: (sample >> 8) + 128)]
      case "f32": bytes = little(UInt64(Float(Double(sample) / 32_768).bitPattern), 4)
      case "f64": bytes = little((Double(sample) / 32_768).bitPattern, 8)
      default:
        let bits = Int(format.dropFirst().prefix(2)) ?? 0
        bytes = little(UInt64(bitPattern: Int64(sample) << (bits - 16)), bits / 8)
      }
      if format.hasSuffix("be") { bytes.reverse() }
      data += bytes
    }
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  @Test(arguments: [
    "s8", "u8", "s16le", "s16be", "s24le", "s24be", "s32le", "s32be", "f32le", "f32be", "f64le",
    "f64be",
  ])
  func readsRawSamples(format: String) async throws {
    let folder = try Folder()
    try Self.bytes(format).write(to: folder.url.appending(path: "a.raw"))
    let result = try await Graphctl.run(
      ["waveform", "a.raw", "--raw-samplerate", "8000", "--raw-channels", "1"]
        + ["--raw-format", format] + Self.csv, in: folder)
    #expect(result.status == 0, "\(result)")
    let values = result.output.split(separator: "\n").map {
      Int($0.split(separator: ",").first ?? "") ?? .max
    }
    // Of floating-point samples the 32,767th part counts, as audiowaveform has it.
    #expect(values.count == 5 && zip(values, Self.samples).allSatisfy { abs($0 - $1) <= 1 })
  }

  /// The graph that the command makes is no file, so that no place in it is cited.
  @Test func citesNoGraphOfItsOwn() async throws {
    let result = try await Graphctl.run(
      ["waveform", "nope.wav", "-o", "a.json"], in: try Folder())
    let message =
      "graphctl waveform: error: `nope.wav` can't be opened: No such file or directory; "
      + "give a file that is there and may be read\n"
    #expect(result == .init(status: 66, output: "", messages: message))
  }

  @Test func readsAPipe() async throws {
    let folder = try Folder()
    let pipe = Pipe()
    let words = ["waveform", "-"] + Self.raw + ["--raw-channels", "1", "--raw-format", "s16le"]
    let running = try Graphctl.Running(
      words + ["-o", "a.csv", "-z", "1", "-q"], in: folder, inputPipe: pipe)
    try pipe.fileHandleForWriting.write(contentsOf: Self.bytes("s16le"))
    try pipe.fileHandleForWriting.close()
    #expect(try await running.result().status == 0)
    let lines = Self.samples.map { "\($0),\($0)" }
    #expect(folder.text("a.csv").split(separator: "\n").map(String.init) == lines)
  }

  @Test func readsANamedPipe() async throws {
    let folder = try Folder()
    try Self.bytes("s16le").write(to: folder.url.appending(path: "samples"))
    let words =
      ["waveform", "a.raw"] + Self.raw + ["--raw-channels", "1", "--raw-format", "s16le"]
    let line = "mkfifo a.raw && { cat samples > a.raw & }; exec \"$0\" \"$@\""
    try await Tool.run(
      "sh", ["-c", line, Graphctl.executable.path] + words + ["-o", "a.csv", "-z", "1", "-q"],
      in: folder.url)
    let lines = Self.samples.map { "\($0),\($0)" }
    #expect(folder.text("a.csv").split(separator: "\n").map(String.init) == lines)
  }

  @Test func takesNamesThatLookLikeParameters() async throws {
    let folder = try Folder()
    let name = "a${b}$${c}.raw"
    try Self.bytes("s16le").write(to: folder.url.appending(path: name))
    let words = ["waveform", name] + Self.raw + ["--raw-channels", "1", "--raw-format", "s16le"]
    let result = try await Graphctl.run(words + ["-o", "${d}.csv", "-z", "1", "-q"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: "") && folder.has("${d}.csv"))
  }

  @Test(arguments: [
    (["a.dat", "--reduce", "rms"], "--reduce is for audio"),
    (["a.dat", "--split-channels"], "--split-channels is for audio"),
    (["a.json", "--stream", "2"], "--stream is for audio"),
    (["a.wav", "--start=-1"], "--start and --end count from 0"),
  ])
  func refusesWhatItCantDo(words: [String], message: String) async throws {
    let result = try await Graphctl.run(["waveform"] + words + ["-o", "b.dat"], in: Folder())
    #expect(result.status == 64 && result.messages.contains(message), "\(result)")
  }

  @Test func readsSoundAndWaveformsOfStandardInput() async throws {
    let folder = try Folder()
    let softer = GraphFileTests.graphs.appending(path: "softer.json").path
    let made = try await Graphctl.run(
      ["run", softer, "--set", "output=tone.wav", "--quiet"], in: folder)
    try #require(made.status == 0, "\(made)")
    let file = try await Graphctl.run(
      ["waveform", "tone.wav", "-o", "a.json", "-q"], in: folder)
    #expect(file.status == 0)
    let pipe = Pipe()
    let piped = try Graphctl.Running(
      ["waveform", "-i", "-", "-o", "b.json", "-q"], in: folder, inputPipe: pipe)
    let sound = try folder.data("tone.wav")
    let writer = Thread {
      try? pipe.fileHandleForWriting.write(contentsOf: sound)
      try? pipe.fileHandleForWriting.close()
    }
    writer.start()
    #expect(try await piped.result().status == 0)
    #expect(try folder.data("a.json") == folder.data("b.json"))
    let again = try await Graphctl.run(
      ["waveform", "--input-format", "json", "-o", "c.json", "-q"], in: folder,
      input: folder.text("a.json"))
    #expect(again.status == 0, "\(again)")
    #expect(try folder.data("a.json") == folder.data("c.json"))
  }

  @Test(arguments: [
    (["a.raw", "--raw-channels", "1", "--raw-format", "u8"], "raw input needs --raw-samplerate"),
    (["-", "--input-format", "raw"], "raw input needs --raw-samplerate"),
    (["a.wav", "--raw-channels", "1"], "--raw-channels is for raw input"),
    (["a.raw", "--raw-format", "s12"], "s12"),
  ])
  func saysWhatRawInputNeeds(words: [String], message: String) async throws {
    let result = try await Graphctl.run(["waveform"] + words + ["-o", "a.dat"], in: Folder())
    #expect(result.status == 64 && result.messages.contains(message), "\(result)")
  }

  @Test func emptyInputIsNoSound() async throws {
    let folder = try Folder()
    let result = try await Graphctl.run(["waveform", "-", "-o", "a.dat", "-q"], in: folder)
    #expect(result.status == 66 && result.messages.contains("is empty"), "\(result)")
  }

  @Test func compressesAsItIsTold() async throws {
    let folder = try Folder()
    try Self.bytes("s16le").write(to: folder.url.appending(path: "a.raw"))
    let words =
      ["waveform", "a.raw", "--raw-samplerate", "8000", "--raw-channels", "1"]
      + ["--raw-format", "s16le", "-z", "1", "--with-axis-labels", "-q"]
    var sizes: [Int] = []
    for level in ["0", "9", "-1"] {
      let path = "a\(level).png"
      let result = try await Graphctl.run(
        words + ["-o", path, "--compression", level], in: folder)
      #expect(result.status == 0, "\(result)")
      sizes.append(try folder.data(path).count)
    }
    #expect(sizes[0] > 10 * sizes[1] && sizes[2] < sizes[0], "\(sizes)")
    let wrong = try await Graphctl.run(words + ["-o", "b.png", "--compression", "10"], in: folder)
    #expect(wrong.status != 0 && wrong.messages.contains("compression"), "\(wrong)")
  }

  /// What isn't compressed is much, and must not be copied again and again.
  @Test func writesALargePictureUncompressed() async throws {
    let folder = try Folder()
    try Self.bytes("s16le").write(to: folder.url.appending(path: "a.raw"))
    let result = try await Graphctl.run(
      ["waveform", "a.raw", "--raw-samplerate", "8000", "--raw-channels", "1"]
        + ["--raw-format", "s16le", "-q", "-o", "a.png", "--compression", "0"]
        + ["-w", "12000", "-h", "4000"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""), "\(result)")
    #expect(try folder.data("a.png").count > 12_000 * 4000 * 3)
    #expect(await Decoded.complaints(of: "a.png", in: folder) == "")
  }
}
