import ArgumentParser
import Nodes

/// What `graphctl waveform` reads and writes.
struct WaveformFiles: ParsableArguments {
  /// The kinds of file that a waveform is written into.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case dat, json, csv, png, svg

    var isPicture: Bool { self == .png || self == .svg }
  }

  /// Whether the input holds audio, or a waveform already.
  enum InputFormat: String, ExpressibleByArgument, CaseIterable {
    case mp3, wav, flac, ogg, oga, opus, m4a, mp4, raw, dat, json
  }

  @Argument(
    help: "The file with the audio, or with a waveform (.dat, .json); - for standard input.",
    completion: .file())
  var file: String?

  @Option(
    name: [.customShort("i"), .customLong("input-filename")],
    help: ArgumentHelp("The same as the argument.", valueName: "file"), completion: .file())
  var inputFilename: String?

  @Option(
    name: [.customShort("o"), .customLong("output-filename")],
    help: ArgumentHelp("The file to write; - for standard output.", valueName: "file"),
    completion: .file(extensions: Kind.allCases.map(\.rawValue)))
  var outputFilename: String?

  @Option(
    help: "What the input is, where its name doesn't say that it is a waveform, or raw samples.")
  var inputFormat: InputFormat?

  @Option(name: .customLong("raw-samplerate"), help: "Samples a second of raw input.")
  var rawSampleRate: Int?

  @Option(help: "The number of channels of raw input.") var rawChannels: Int?

  @Option(help: "Samples of raw input: s8, u8, s16le, s16be, s24le … f64be.")
  var rawFormat: RawFile.Format?

  @Option(help: "What to write, where the output's name doesn't say; then by default to -.")
  var outputFormat: Kind?

  @Option(
    help: ArgumentHelp("Which of the file's audio tracks, counted from 1.", valueName: "number"))
  var stream = 1

  /// The file to read; `-` is standard input, as is none where its format is given.
  var input: String { file ?? inputFilename ?? (inputFormat == nil ? "" : "-") }

  /// The file to write.
  var output: String { outputFilename ?? "-" }

  /// What to write; `nil` where nothing says.
  private var kind: Kind? { outputFormat ?? Kind(rawValue: Self.ending(of: output)) }

  /// What to write.
  var outputKind: Kind { kind ?? .json }

  /// What the input is, where that is given or its name says so.
  private var inputKind: InputFormat? {
    inputFormat ?? InputFormat(rawValue: Self.ending(of: input))
  }

  /// Whether the input is a waveform already.
  var readsPeaks: Bool { inputKind == .dat || inputKind == .json }

  /// Whether the input has samples and nothing that says which.
  var readsRaw: Bool { inputKind == .raw }

  func validate() throws {
    guard !input.isEmpty else { throw ValidationError("give the file with the audio") }
    guard file == nil || inputFilename == nil else {
      throw ValidationError("the input is given twice, as `\(input)` and with --input-filename")
    }
    try validateRaw()
    guard outputFilename != nil || outputFormat != nil else {
      throw ValidationError("give the file to write with -o, or --output-format for -")
    }
    guard kind != nil else {
      throw ValidationError(
        "`\(output)` doesn't say what to write; end it in .dat, .json, .csv, .png or .svg, "
          + "or give --output-format")
    }
    guard stream >= 1 else { throw ValidationError("--stream counts from 1") }
  }

  private func validateRaw() throws {
    let options = [
      ("--raw-samplerate", rawSampleRate != nil), ("--raw-channels", rawChannels != nil),
      ("--raw-format", rawFormat != nil),
    ]
    if readsRaw, let missing = options.first(where: { !$0.1 })?.0 {
      throw ValidationError("raw input needs \(missing), too")
    }
    if !readsRaw, let given = options.first(where: \.1)?.0 {
      throw ValidationError("\(given) is for raw input; give --input-format raw")
    }
  }

  private static func ending(of path: String) -> String {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}

extension RawFile.Format: ExpressibleByArgument {}

extension WaveformFiles {
  /// As where nothing is given, for who sets it without a parser: what isn't set can't be read.
  static var unset: Self {
    var options = Self()
    (options.file, options.inputFilename, options.outputFilename) = (nil, nil, nil)
    (options.inputFormat, options.outputFormat) = (nil, nil)
    (options.rawSampleRate, options.rawChannels, options.rawFormat) = (nil, nil, nil)
    options.stream = 1
    return options
  }
}
