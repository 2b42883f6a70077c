import GraphKit

/// Writes each frame of video into a file of its own: PNG, JPEG or WebP.
///
/// Each file appears as a whole.
public struct ImageSequenceSink: ElementNode {
  /// The files, with a number in their names.
  public var path = ""
  /// Whether files of these names that are there already are replaced.
  public var overwrite = false
  /// The number of the first.
  public var start = 1
  /// The seconds from one frame that is kept to the next; 0 for all frames.
  public var every = 0.0
  /// How good JPEG and WebP are: 100 for the best.
  public var quality = 90

  /// A sink whose files are to be named.
  public init() {}

  public static let declaration = NodeDeclaration<ImageSequenceSink>(
    "imageSequenceSink", role: .sink, help: "Writes each frame into a file of its own.",
    phrase: "written to {path} frame by frame",
    example: "video -> imageSequenceSink",
    parameters: [
      .string(
        "path", \.path, required: true,
        help: "The files to write: `frames/%05d.png`, .jpg or .webp, by their numbers."),
      .bool(
        "overwrite", \.overwrite, help: "Whether files that are there already are replaced."),
      .integer("start", \.start, in: 0...2_000_000_000, help: "The number of the first file."),
      .number(
        "every", \.every, in: 0...86_400, unit: "s",
        help: "From one frame that is kept to the next, as for a time lapse; 0 keeps all."),
      .integer(
        "quality", \.quality, in: 1...100,
        help: "How good JPEG and WebP are; a WebP of 100 is exact."),
    ])

  public static let ports = SinkPorts<Video>(
    .video([.rgba, .i420, .nv12, .bgra, .yuy2, .gray8]), help: "The frames.")

  private var kind: StillImage? { StillImage(path: path) }

  public var problem: NodeError? {
    guard !path.isEmpty else { return nil }
    if NumberedPath(path) == nil {
      return NodeError(
        "`\(path)` has no place for the number of a frame",
        remedy: "write it as frames/%05d.png", key: "path")
    }
    guard kind == nil else { return nil }
    return NodeError(
      "`\(path)` is not named as an image", remedy: "end it in .png, .jpg, .jpeg or .webp",
      key: "path")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    kind.flatMap { .size(of: formats["in"], within: $0.sides) }
  }

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  /// The report has the folder: a line for each of thousands of images is none to read.
  public var namedFiles: [NamedFile] {
    guard let numbered = NumberedPath(path) else { return [] }
    return [NamedFile(numbered.folderPath, key: "path", isWritten: true)]
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    guard let numbered = NumberedPath(path) else { return [] }
    let folder = OutputFile(numbered.folderPath, replaces: true, isFolder: true)
    try folder.check(in: environment)
    guard !overwrite, !environment.replacesFiles else { return [] }
    let numbers = environment.names(in: numbered.folderPath).compactMap(numbered.number(of:))
    if let taken = numbers.filter({ $0 >= start }).min() {
      throw NodeError(
        "`\(numbered.path(taken))` is there already",
        remedy: "give another path or a later `start`, `--overwrite`, or `\"overwrite\": true`",
        key: "path")
    }
    return []
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain([], inputs: [:], outputs: [:])
    guard let numbered = NumberedPath(path), let kind else { return [chain] }
    chain.output = ImageSequenceOutput(numbered, start: start, mediaType: kind.mediaType)
    chain.inputElements["in"] = kind.encoders(
      of: formats["in"]?.pixelFormats.first ?? .rgba, quality: quality)
    if every > 0 {
      let step = Int64(every * 1e9)
      chain.filters["in"] = [.stream { TimeLapse(step: step) }]
    }
    return [chain]
  }
}

/// Keeps the first frame of each step of time.
private struct TimeLapse: StreamFilter {
  let step: Int64
  private var next: Int64 = .min

  init(step: Int64) { self.step = max(1, step) }

  mutating func pass(_ sample: inout SampleBuffer) -> Bool {
    guard let time = sample.presentationTime.nanoseconds.map({ Int64($0) }) else { return true }
    guard time >= next else { return false }
    next = (next == .min ? time : next) + step
    if next <= time { next += (time - next) / step * step + step }
    return true
  }
}

/// The files of a sequence, and the writer that it has for a run.
private struct ImageSequenceOutput: FileOutput {
  private let numbered: NumberedPath
  private let start: Int
  private let mediaType: String

  init(_ numbered: NumberedPath, start: Int, mediaType: String) {
    (self.numbered, self.start, self.mediaType) = (numbered, start, mediaType)
  }

  /// Only files that are named by the path are replaced, where they may be.
  var file: OutputFile? { OutputFile(numbered.folderPath, replaces: true, isFolder: true) }

  func trackCaps(for format: FormatConstraint) -> String { mediaType }

  func makeWriter(_ tracks: [OutputTrack], in folder: WritableFolder) -> (any TrackWriter)? {
    ImageFiles(numbered, next: start, folder: folder)
  }
}

/// Writes each sample into the next file.
private struct ImageFiles: TrackWriter {
  private let numbered: NumberedPath
  private var next: Int
  private var isEmpty = true
  private let folder: WritableFolder

  init(_ numbered: NumberedPath, next: Int, folder: WritableFolder) {
    (self.numbered, self.next, self.folder) = (numbered, next, folder)
  }

  mutating func prepare(for format: FormatDescription, track: Int) throws {}

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    let bytes = sample.withBytes { span in span.indices.map { span[$0] } }
    try folder.write(bytes, to: numbered.name(next))
    next += 1
    isEmpty = false
  }

  mutating func end(track: Int) throws {}

  mutating func finish() throws {
    if isEmpty { throw NodeError.isEmpty("image sequence", no: "frame") }
  }
}
