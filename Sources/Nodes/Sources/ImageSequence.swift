import GraphKit

/// Images of a folder, one after the other, as video.
public struct ImageSequence: SourceNode {
  /// The files: a path with a number in it, or with `*` and `?`.
  public var path = ""
  /// Frames a second.
  public var frameRate = Rational(25)
  /// The first number; `nil` for the first that is there.
  public var start: Int?
  private var files: [String] = []
  private var first: Picture?
  private var pool: PixelBufferPool?
  private var next = 0

  /// A sequence to be named.
  public init() {}

  public static let declaration = NodeDeclaration<ImageSequence>(
    "imageSequence", role: .source, help: "Images of a folder, one after the other, as video.",
    phrase: "read from the images {path}",
    example: "imageSequence -> videoEncoder",
    parameters: [
      .path(
        "path", \.path,
        help: "PNG, JPEG or WebP files: `frames/%05d.png` by number, `frames/*.png` by name."),
      .rational("frameRate", \.frameRate, unit: "1/s", help: "Images a second."),
      .integer(
        "start", \.start, in: 0...2_000_000_000,
        help: "The first number; left out, the first that is there."),
    ])

  public static let ports = SourcePorts<Video>(help: "The images.")

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, constraint, help: "The images.")]
  }

  private var constraint: FormatConstraint {
    .video([.rgba], width: first?.width, height: first?.height, frameRate: frameRate)
  }

  public var problem: NodeError? {
    if frameRate > Rational(1000) {
      return NodeError(
        "\(frameRate) frames a second are too many", remedy: "give at most 1000", key: "frameRate")
    }
    if path.isEmpty || NumberedPath(path) != nil { return nil }
    let isGlob = name.contains { "*?".contains($0) }
    guard isGlob else {
      return NodeError(
        "`\(path)` names a single file", remedy: "write frames/%05d.png, or frames/*.png",
        key: "path")
    }
    guard start != nil else { return nil }
    return NodeError(
      "`\(path)` has no numbers to begin with",
      remedy: "leave `start` out, or write %d for the `*`",
      key: "start")
  }

  public var namedFiles: [NamedFile] {
    files.map { NamedFile($0, key: "path", isWritten: false) }
  }

  /// The path's last name.
  private var name: Substring { path.split(separator: "/").last ?? "" }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    if let numbered = NumberedPath(path) {
      files = try find(numbered, in: environment)
    } else {
      files = try findByName(in: environment)
    }
    let picture = try Self.picture(files.first ?? path)
    first = picture
    return []
  }

  /// The files of consecutive numbers.
  private func find(
    _ numbered: NumberedPath, in environment: any Environment
  ) throws(NodeError) -> [String] {
    let names = environment.names(in: numbered.folderPath)
    let numbers = names.compactMap(numbered.number(of:)).filter { $0 >= start ?? 0 }.sorted()
    guard let first = start ?? numbers.first, let last = numbers.last else { throw nothing }
    let missing = zip(numbers, first...).first { $0 != $1 }?.1
    if let missing {
      throw NodeError(
        "`\(numbered.path(missing))` is missing, and `\(numbered.path(last))` is there",
        remedy: "number the files without gaps, or write `*` for the number, which takes all",
        key: "path")
    }
    return numbers.map(numbered.path)
  }

  /// The files whose names fit, in the order in which people sort them.
  private func findByName(in environment: any Environment) throws(NodeError) -> [String] {
    let folder = path.dropLast(name.count)
    let names = environment.names(in: folder.isEmpty ? "." : String(folder))
    let fitting = names.filter { $0.fits(name) && ($0.first != "." || name.first == ".") }
    guard !fitting.isEmpty else { throw nothing }
    return fitting.sorted { $0.precedesNaturally($1) }.map { folder + $0 }
  }

  private var nothing: NodeError {
    NodeError(
      "no file is named as `\(path)`" + (start.map { ", from number \($0) on" } ?? ""),
      remedy: "look at what is in the folder", key: "path")
  }

  private static func picture(_ path: String) throws(NodeError) -> Picture {
    let file = try PictureFile(path)
    guard [.png, .jpeg, .webp].contains(file.kind) else {
      throw NodeError(
        "`\(path)` is neither PNG, JPEG nor WebP", remedy: "give such files", key: "path")
    }
    return try PictureFile.picture(path)
  }

  public mutating func start(to outputs: NodeOutputs) throws {
    guard let first else { return }
    let pool = try PixelBufferPool(
      VideoFormat(.rgba, width: first.width, height: first.height, frameRate: frameRate))
    self.pool = pool
    try outputs.announce(pool.format, on: 0)
  }

  public mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard let first, let pool, next < files.count else { return false }
    let picture = next == 0 ? first : try Self.picture(files[next])
    guard (picture.width, picture.height) == (first.width, first.height) else {
      throw NodeError(
        "`\(files[next])` is \(picture.width)x\(picture.height), and `\(files[0])` "
          + "\(first.width)x\(first.height)", remedy: "scale the images to one size")
    }
    var sample = try pool.take()
    do {
      var frame = try sample.videoFrame()
      picture.copy(to: &frame)
    }
    sample.presentationTime = time(next)
    sample.duration = time(next + 1) - time(next)
    next += 1
    try outputs.send(sample)
    return next < files.count
  }

  private func time(_ number: Int) -> MediaTime {
    MediaTime(
      value: Int64(number) * Int64(frameRate.denominator),
      timescale: Int32(clamping: frameRate.numerator))
  }
}

extension Picture {
  /// Copies its pixels into a frame of RGBA of the same size.
  fileprivate func copy(to frame: inout VideoFrame) {
    let stride = frame.bytesPerRow(ofPlane: 0)
    var plane = frame.plane(0)
    for y in 0..<height {
      for x in 0..<width * 4 { plane[y * stride + x] = pixels[y * width * 4 + x] }
    }
  }
}
