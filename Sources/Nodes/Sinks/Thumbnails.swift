import GraphKit

/// Makes pictures of a video: files of their own, a contact sheet, or a sprite with the WebVTT file
/// that players read.
///
/// A picture is the frame on screen at its time. Where nothing else is fed by the file, only what
/// these frames need is decoded.
public struct Thumbnails: SwiftNode {
  /// What is made of the pictures.
  public enum Layout: String, CaseIterable, Sendable {
    /// A file of each.
    case files
    /// One picture of all, with space around each.
    case sheet
    /// One picture of all, and a WebVTT file that says which part of it is for which time.
    case sprite
  }

  /// The file; with `{number}` in its name, a row of files.
  public var path = ""
  /// Whether files that are there already are replaced.
  public var overwrite = false
  /// What is made of the pictures.
  public var layout = Layout.files
  /// From one picture to the next, in seconds; `nil` for ten where nothing else says.
  public var every: Double?
  /// The times of the pictures, in seconds.
  public var times: [Double] = []
  /// How many pictures there are, in the middles of as many equal parts of the video.
  public var count: Int?
  /// The greatest width of a picture; `nil` for 160 in sheets and sprites, and else for any.
  public var width: Int?
  /// The greatest height of a picture.
  public var height: Int?
  /// How many pictures are side by side.
  public var columns = 5
  /// How many rows of pictures a file has; `nil` for all of them.
  public var rows: Int?
  /// How many pixels are between pictures; `nil` for 8 in sheets and none in sprites.
  public var spacing: Int?
  /// The colour between them.
  public var background = "000000"
  /// How good a JPEG or WebP is, from 0 to 100.
  public var quality = 85
  /// The WebVTT file of a sprite; empty for one beside it.
  public var vtt = ""

  private var streamDuration: MediaTime?
  private var known = KnownTimes()
  private var choice: FrameChoice?
  private var thinned: ThinnedPictures?
  private var stills: StillFrames?
  private var album: ThumbnailAlbum?

  /// Thumbnails whose file is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<Thumbnails>(
    "thumbnails", role: .sink,
    help: "Makes pictures of a video: files, a contact sheet, or a sprite with WebVTT.",
    phrase: "shown in pictures at {path}[ every {every}]",
    example: "file.video -> decoder -> thumbnails",
    parameters: [
      .path(
        "path", \.path,
        help: "The file to write: .jpg, .png or .webp; with `{number}` in it, several."),
      .bool("overwrite", \.overwrite, help: "Whether files that are there are replaced."),
      .choice(
        "layout", \.layout,
        help: "A file of each picture, one sheet of all, or a sprite with a WebVTT file."),
      .number(
        "every", \.every, in: 0.001...1_000_000, unit: "s",
        help: "From one picture to the next; 10 where neither `times` nor `count` is given."),
      .numbers(
        "times", \.times, in: 0...FileRange.limit, limit: ThumbnailAlbum.limit, unit: "s",
        help: "The times of the pictures."),
      .integer(
        "count", \.count, in: 1...10_000,
        help: "How many pictures, in the middles of as many equal parts of the video."),
      .integer(
        "width", \.width, in: 16...16_384, unit: "px",
        help: "The greatest width of a picture; 160 in sheets and sprites. None is enlarged."),
      .integer(
        "height", \.height, in: 16...16_384, unit: "px",
        help: "The greatest height of a picture."),
      .integer("columns", \.columns, in: 1...1000, help: "Pictures side by side."),
      .integer(
        "rows", \.rows, in: 1...1000,
        help: "Rows of pictures in a file, with `{number}` in the path; else all are in one."),
      .integer(
        "spacing", \.spacing, in: 0...500, unit: "px",
        help: "Pixels between pictures: 8 in sheets, also around them, and none in sprites."),
      .string("background", \.background, help: "The colour between pictures, as rrggbb."),
      .integer("quality", \.quality, in: 0...100, help: "How good a JPEG or WebP is."),
      .path(
        "vtt", \.vtt, required: false,
        help: "The WebVTT file of a sprite; by default beside it, ending in .vtt."),
    ])

  public static let ports = SinkPorts<Video>(
    .video(PixelFormat.planar), help: "The video.")

  public var traits: NodeTraits {
    NodeTraits(needsUprightVideo: true, frameTimes: frameTimes)
  }

  public mutating func settle(streamDuration: MediaTime) { self.streamDuration = streamDuration }

  /// The times of the pictures; `nil` where they depend on a length that isn't known.
  private var frameTimes: FrameTimes? {
    if !times.isEmpty { return .at(times.sorted().map { Self.time($0) }) }
    guard let count else { return .every(Self.time(every ?? 10)) }
    return streamDuration.map { .spread(count, over: $0) }
  }

  private static func time(_ seconds: Double) -> MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: seconds < 1e9 ? 1_000_000_000 : 1_000)
  }

  public var namedFiles: [NamedFile] {
    guard let vttPath, vtt.isEmpty else { return [] }
    return [NamedFile(vttPath, key: "vtt", isWritten: true)]
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    guard let kind = StillImage(path: path) else { return [] }
    try kind.check(in: environment)
    let names = settings.names
    let taken = NamedFile(path, key: "path", isWritten: true).existing(in: environment)
    try OutputFile(names.isNumbered ? taken.min() ?? names[1] : path, replaces: overwrite)
      .check(in: environment)
    if let vttPath { try OutputFile(vttPath, replaces: overwrite).check(in: environment) }
    return []
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard album == nil, let kind = StillImage(path: path) else { return }
    stills = StillFrames(
      kind, width: layout == .files ? width : width ?? 160, height: height,
      isEven: layout != .files)
    album = ThumbnailAlbum(kind, settings)
    choice = frameTimes.map { FrameChoice($0) }
    if choice == nil { thinned = ThinnedPictures(needed: count ?? 1) }
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    known.complete(&sample)
    let frame = HeldFrame(sample)
    try keep(frame)
    guard let chosen = choice?.next(frame) else { return }
    try add(chosen)
    if choice?.isComplete == true { throw FlowStopped.enough }
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    var end = choice?.end ?? .zero
    if let thinned {
      (end, self.thinned) = (thinnedEnd, nil)
      var choice = FrameChoice(.spread(count ?? 1, over: end))
      for picture in thinned.pictures { try add(choice.next(picture)) }
      try add(choice.finish())
    } else {
      try add(choice?.finish() ?? [])
    }
    try lookForMissing(before: end, outputs)
    guard var album else { return }
    self.album = nil
    try album.finish(at: streamDuration.map { max($0, end) } ?? end)
  }

  /// Says which of the times no frame is on screen at; throws where there is none at all.
  private func lookForMissing(before end: MediaTime, _ outputs: NodeOutputs) throws(NodeError) {
    guard let album, choice?.last != nil || !album.isEmpty else {
      throw NodeError(
        "no frame came, so there is no picture to write", remedy: "look at what leads to the sink",
        key: "in")
    }
    guard let choice, case .at(let times) = choice.times, !choice.isComplete else { return }
    let missing = times.dropFirst(choice.count).map { "\($0.seconds)" }.joined(separator: ", ")
    let last = (end.seconds * 1000).rounded() / 1000
    let message = "the video ends at \(last) s, so there is no picture of \(missing) s"
    guard album.isEmpty else { return outputs.warn(message) }
    throw NodeError(message, remedy: "give `times` before its end", key: "times")
  }

  /// When the last frame that was kept of an unknown length ends.
  private var thinnedEnd = MediaTime.zero

  /// Keeps a frame where the times aren't known yet.
  private mutating func keep(_ frame: HeldFrame) throws {
    guard var pictures = thinned.take() else { return }
    thinnedEnd = max(thinnedEnd, frame.end)
    if pictures.keepsNext(), let picture = try stills?.picture(of: frame) {
      try pictures.append(picture)
    }
    thinned = pictures
  }

  private mutating func add(_ choices: [FrameChoice.Choice]) throws {
    for choice in choices {
      guard let picture = try stills?.picture(of: choice.frame) else { continue }
      try album?.add(picture, at: choice.start)
    }
  }
}

extension Thumbnails {
  /// How the pictures are put together.
  private var settings: ThumbnailAlbum.Settings {
    ThumbnailAlbum.Settings(
      names: ThumbnailNames(path), vtt: vttPath, isSheet: layout != .files, columns: columns,
      rows: rows, spacing: spacing ?? (layout == .sheet ? 8 : 0),
      margin: layout == .sheet ? spacing ?? 8 : 0,
      background: RGBA(background)?.rgb ?? 0, quality: quality)
  }

  /// The WebVTT file.
  private var vttPath: String? {
    guard layout == .sprite, !path.isEmpty else { return nil }
    return vtt.isEmpty ? ThumbnailNames(path).captions : vtt
  }

  public var problem: NodeError? {
    if let problem = StillImage.problem(path: path) { return problem }
    let given = [(every != nil, "every"), (!times.isEmpty, "times"), (count != nil, "count")]
      .filter(\.0).map(\.1)
    if given.count > 1 {
      return NodeError(
        "`\(given[0])` and `\(given[1])` both say which pictures are made",
        remedy: "give one of `every`, `times` and `count`", key: given[1])
    }
    if RGBA(background) == nil {
      return NodeError(
        "`\(background)` is no colour", remedy: "write it as rrggbb: 102030", key: "background")
    }
    return path.isEmpty ? nil : namesProblem
  }

  private var namesProblem: NodeError? {
    let names = ThumbnailNames(path)
    if names.isInFolder {
      return NodeError(
        "the folder of `\(path)` has a field in its name", remedy: "write it in the file's name",
        key: "path")
    }
    if layout == .files, !names.isNumbered, count ?? times.count != 1 {
      return NodeError(
        "`\(path)` is one file, and there may be many pictures",
        remedy: "write `{number}` in the name, or give a `layout` of sheet or sprite", key: "path")
    }
    if layout != .files, names.isNumbered != (rows != nil) {
      return NodeError(
        rows == nil
          ? "`\(path)` names many files, and nothing says how many pictures each has"
          : "`\(path)` is one file, and `rows` says that there may be more",
        remedy: rows == nil ? "give `rows`" : "write `{number}` in the name, or leave `rows` out",
        key: rows == nil ? "path" : "rows")
    }
    guard !vtt.isEmpty, layout != .sprite else { return nil }
    return NodeError(
      "only a sprite has a WebVTT file", remedy: "give `layout` as sprite, or leave `vtt` out",
      key: "vtt")
  }
}
