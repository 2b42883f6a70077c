import GraphKit

/// Writes the points of a waveform into a data file: audiowaveform's binary file or JSON, or CSV.
///
/// The file is written when the points have all come, and has its name only once it is whole.
public struct PeaksSink: SwiftNode, FileSink {
  /// The formats of data files.
  public enum Format: String, CaseIterable, Sendable { case dat, json, csv }

  /// The file; `-` is standard output.
  public var path = ""
  /// What the file is; by its name where that isn't given.
  public var format: Format?
  /// Bits of a value: 8 or 16.
  public var bits = 16
  /// The version of a binary file; 1 for one channel and 2 for several where it isn't given.
  public var datVersion: Int?
  /// Whether a file that is there already is replaced.
  public var overwrite = false
  private var points = PeaksCollector()

  /// A sink whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<PeaksSink>(
    "peaksSink", role: .sink, help: "Writes a waveform's points: audiowaveform's files, or CSV.",
    phrase: "written to {path}",
    example: "waveform -> peaksSink",
    parameters: [
      .path(
        "path", \.path, help: "The file to write: .dat, .json or .csv; `-` for standard output."),
      .choice("format", \.format, help: "What the file is; by its name where this isn't given."),
      .integer(
        "bits", \.bits, in: 8...16, help: "Bits of a value, 8 or 16; 8 are those of 16 / 256."),
      .integer(
        "datVersion", \.datVersion, in: 1...2,
        help: "The version of a .dat file; 1 for one channel, 2 for more where it isn't given."),
      .bool("overwrite", \.overwrite, help: "Whether a file that is there already is replaced."),
    ])

  public static let ports = SinkPorts<Peaks>(help: "What is to be written.")

  public var traits: NodeTraits { NodeTraits(writesStandardOutput: writesStandardOutput) }

  private var writesStandardOutput: Bool { path == WholeFile.standardOutput }

  private var fileFormat: Format? {
    let name = path.split(separator: "/").last ?? ""
    let ending = name.contains(".") ? name.split(separator: ".").last?.lowercased() : nil
    return format ?? ending.flatMap(Format.init)
  }

  public var problem: NodeError? {
    // A path that isn't given yet is reported by another rule.
    if !path.isEmpty, fileFormat == nil {
      return NodeError(
        writesStandardOutput
          ? "standard output has no name that tells its format"
          : "`\(path)` is not named as a file of points",
        remedy: "end it in .dat, .json or .csv, or give `format`", key: "path")
    }
    if bits != 8, bits != 16 {
      return NodeError("values have no \(bits) bits", remedy: "give 8 or 16", key: "bits")
    }
    if datVersion != nil, let fileFormat, fileFormat != .dat {
      return NodeError(
        "`datVersion` says nothing of \(fileFormat.rawValue)",
        remedy: "leave it out, or write a .dat file", key: "datVersion")
    }
    return nil
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    guard !writesStandardOutput else { return [] }
    try file.check(in: environment)
    return []
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    try points.begin(format)
    if fileFormat == .dat, let peaks = points.peaks { _ = try header(of: peaks) }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    try points.add(sample)
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    if outputs.hasRunFailed { return }
    guard let peaks = points.peaks else {
      throw NodeError(
        "nothing came before the end, so there is nothing to write",
        remedy: "look at what leads to the sink", key: "in")
    }
    points = PeaksCollector()
    var file = try WholeFile(path)
    switch fileFormat {
    case .json: try PeaksJSON.write(peaks, bits: bits, to: &file)
    case .csv: try PeaksCSV.write(peaks, bits: bits, to: &file)
    case .dat, nil: try PeaksDat.write(peaks, header(of: peaks), to: &file)
    }
    try file.complete()
  }

  private func header(of peaks: Peaks) throws(NodeError) -> PeaksDat.Header {
    let channels = peaks.format.channels
    if datVersion == 1, channels > 1 {
      throw NodeError(
        "version 1 of a .dat file holds one channel, and the waveform has \(channels)",
        remedy: "mix them in the `waveform` node, or leave out `datVersion`", key: "datVersion")
    }
    return try PeaksDat.Header(
      of: peaks, bits: bits, version: datVersion ?? (channels == 1 ? 1 : 2))
  }
}

extension Peaks {
  /// A value in 8 or 16 bits; in 8 it is a 256th, rounded towards zero.
  static func value(_ value: Int16, bits: Int) -> Int16 { bits == 8 ? value / 256 : value }
}
