import GraphKit

/// The points of a waveform, out of a data file: audiowaveform's binary file or JSON.
///
/// The whole file is checked before the graph is: its sizes must fit each other to the byte.
/// Neither format says what a point is; it is taken for the lowest and the highest sample.
public struct PeaksSource: SourceNode {
  /// The file.
  public var path = ""
  private var file: PeaksFile?
  private var next = 0

  /// Points of a sample: they are 64 KiB for one channel.
  private static let pointsOfSample = 16_384

  /// A source whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<PeaksSource>(
    "peaksSource", role: .source, help: "The points of a waveform, out of a .dat or .json file.",
    phrase: "read from {path}",
    example: "peaksSource -> peaksZoom -> peaksSink",
    parameters: [.path("path", \.path, help: "A file of audiowaveform's, or of a `peaksSink`.")])

  public static let ports = SourcePorts<Peaks>(help: "The points.")

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    file = try PeaksFile(path)
    return []
  }

  public mutating func start(to outputs: NodeOutputs) throws {
    let file = try file ?? PeaksFile(path)
    self.file = file
    next = 0
    try outputs.announce(FormatDescription(.peaks(file.format)), on: 0)
  }

  public mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard let file, next < file.count else { return false }
    let points = next..<min(next + Self.pointsOfSample, file.count)
    let time = MediaTime(
      value: Int64(next * file.format.samplesPerPixel),
      timescale: Int32(clamping: file.format.sampleRate))
    next = points.upperBound
    try outputs.send(SampleBuffer(file.peaks(points), at: time))
    return next < file.count
  }
}
