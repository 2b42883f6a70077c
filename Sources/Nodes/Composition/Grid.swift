import GraphKit

/// Shows several videos beside each other, in rows.
///
/// Each input has a cell of the same size, in the order of their numbers, and is made to fit it, with
/// bars where its shape is another. The first input gives the times: a frame leaves for each of its
/// frames, with what the others show then, and the grid ends with it. What has ended or hasn't begun
/// leaves its cell empty.
public struct Grid: SwiftNode {
  /// Cells side by side; `nil` for as many as make the grid nearly as wide as high.
  public var columns: Int?
  /// The width of a cell.
  public var cellWidth = 480
  /// The height of a cell.
  public var cellHeight = 270
  /// Pixels between cells.
  public var spacing = 0
  /// The colour of what is empty.
  public var background = "000000"

  private var queues: [FrameQueue] = []
  private var cells: [FittedPictures] = []
  private var ground: HeldFrame?
  private var frames: ReshapedFrames?
  private var hasFinished = false

  /// A grid of small cells.
  public init() {}

  public static let declaration = NodeDeclaration<Grid>(
    "grid", role: .effect, help: "Shows several videos beside each other, in rows.",
    example: "second -> grid.in.2",
    parameters: [
      .integer(
        "columns", \.columns, in: 1...16,
        help: "Cells side by side; where not given, about as many as there are rows."),
      .integer("cellWidth", \.cellWidth, in: 16...8_192, unit: "px", help: "The width of a cell."),
      .integer(
        "cellHeight", \.cellHeight, in: 16...8_192, unit: "px", help: "The height of a cell."),
      .integer("spacing", \.spacing, in: 0...500, unit: "px", help: "Pixels between cells."),
      .string("background", \.background, help: "The colour of what is empty, as rrggbb."),
    ])

  /// Any number of inputs, one output.
  public struct Ports: PortSet {
    /// The videos.
    public let input = InputPort<Video>(
      "in", .video(PixelFormat.planar), isRepeatable: true,
      help: "The first cell, which gives the times; `in.2` and further ones follow it.")
    /// The grid.
    public let output = OutputPort<Video>(
      "out", .video(PixelFormat.planar), follows: "in", help: "All of them.")
  }

  public static let ports = Ports()

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true) }

  public var problem: NodeError? {
    guard RGBA(background) == nil else { return nil }
    return NodeError(
      "`\(background)` is no colour", remedy: "write it as rrggbb: 102030", key: "background")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    let size = size(of: formats.keys.count { $0 == "in" || $0.hasPrefix("in.") })
    guard max(size.width, size.height) > 16_384 else { return nil }
    return NodeError(
      "the grid has \(size.width)x\(size.height) pixels",
      remedy: "give smaller cells: at most 16384 pixels a side", key: "cellWidth")
  }

  /// Even sides, so that chroma of all cells is its own.
  private var cell: (width: Int, height: Int) { (cellWidth / 2 * 2, cellHeight / 2 * 2) }
  private var gap: Int { (spacing + 1) / 2 * 2 }

  private func columns(for count: Int) -> Int {
    if let columns { return min(columns, max(1, count)) }
    var columns = 1
    while columns * columns < count { columns += 1 }
    return columns
  }

  private func size(of count: Int) -> (width: Int, height: Int) {
    let columns = columns(for: count)
    let rows = (max(1, count) + columns - 1) / columns
    return (columns * (cell.width + gap) - gap, rows * (cell.height + gap) - gap)
  }

  public func reshaped(_ entering: FormatConstraint) -> FormatConstraint? {
    // How many cells there are is known only with the wires.
    var leaving = entering
    (leaving.width, leaving.height) = (nil, nil)
    return leaving
  }

  public mutating func settle(formats: [String: FormatConstraint]) {
    let count = formats.keys.count { $0 == "in" || $0.hasPrefix("in.") }
    queues = Array(repeating: FrameQueue(), count: max(1, count))
    cells = Array(repeating: FittedPictures(), count: max(1, count))
  }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    guard input == 0 else { return }
    let size = size(of: queues.count)
    let square = try FormatDescription(
      .video(
        VideoFormat(
          video.pixelFormat, width: size.width, height: size.height, frameRate: video.frameRate,
          colorimetry: video.colorimetry)))
    let frames = try ReshapedFrames(of: square, width: size.width, height: size.height)
    (self.frames, ground) = (frames, nil)
    try outputs.announce(frames.format, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    if hasFinished { throw FlowStopped.enough }
    guard queues.indices.contains(input) else { return }
    queues[input].append(HeldFrame(sample))
    try drawAll(to: outputs)
  }

  public mutating func finish(input: Int, to outputs: NodeOutputs) throws {
    if queues.indices.contains(input) { queues[input].hasEnded = true }
    try drawAll(to: outputs)
  }

  private mutating func drawAll(to outputs: NodeOutputs) throws {
    while let time = queues.first?.frames.first?.time,
      queues.dropFirst().allSatisfy({ $0.isDecided(at: time) })
    {
      guard let first = queues[0].popFirst() else { break }
      try draw(first, to: outputs)
    }
    guard let first = queues.first, first.hasEnded, first.frames.isEmpty, !hasFinished else {
      return
    }
    hasFinished = true
    for index in queues.indices { queues[index].removeAll() }
  }

  private mutating func draw(_ first: HeldFrame, to outputs: NodeOutputs) throws {
    guard let frames else { return }
    var result = try frames.take(like: first.sample)
    let ground = try self.ground ?? makeGround(like: first, frames)
    do {
      var frame = try result.videoFrame()
      let whole = PictureRect(width: frames.video.width, height: frames.video.height)
      try frame.copy(whole, of: ground.sample, x: 0, y: 0)
      let columns = columns(for: queues.count)
      for index in queues.indices {
        guard let shown = index == 0 ? first : queues[index].frame(at: first.time) else { continue }
        let picture = try cells[index].picture(
          shown, like: frames.format, width: cell.width, height: cell.height, stretches: false)
        let (row, column) = index.quotientAndRemainder(dividingBy: columns)
        try frame.draw(picture, at: (column * (cell.width + gap), row * (cell.height + gap)), 1)
      }
    }
    self.ground = ground
    try outputs.send(result)
  }

  /// The colour all over: the converter paints it around a frame that is put outside.
  private func makeGround(like frame: HeldFrame, _ frames: ReshapedFrames) throws -> HeldFrame {
    var ground = try frames.take(like: frame.sample)
    let converter = try PictureConverter(
      from: frame.sample.format, to: frames.format,
      place: PictureRect(x: 0, y: 0, width: 2, height: 2),
      border: RGBA(background).map { 0xff00_0000 | $0.rgb })
    try converter.convert(frame.sample, into: &ground)
    do {
      // What is at the corner is that of its neighbours, which are empty.
      let painted = ground.share()
      var own = try ground.videoFrame()
      try own.copy(PictureRect(x: 2, y: 2, width: 2, height: 2), of: painted, x: 0, y: 0)
    }
    return HeldFrame(ground)
  }
}
