import GraphKit

/// The pictures of a GIF file, once through, each presented for as long as the file says.
struct GIFSource: SourceNode {
  private var file: AnimatedGIF?
  private var canvas: GIFCanvas?
  private var pool: PixelBufferPool?
  private var next = 0
  private var time: Int64 = 0

  /// No file; for the engine, which has one.
  init() {}

  /// The pictures of a file, whose blocks are checked here.
  init(_ path: String) throws(NodeError) {
    let picture = try PictureFile(path)
    let file = try AnimatedGIF(picture.bytes, path: path)
    self.file = file
    canvas = try GIFCanvas(picture.bytes, path: path)
  }

  static let declaration = NodeDeclaration<GIFSource>(
    "gifFile", role: .source, help: "The frames of a GIF file.", example: "")

  static let ports = SourcePorts<Video>(help: "The frames.")

  var portDeclarations: [PortDeclaration] {
    [PortDeclaration("video", .output, FormatConstraint(.video(format)), help: "The frames.")]
  }

  private var format: VideoFormat {
    VideoFormat(.rgba, width: canvas?.width ?? 1, height: canvas?.height ?? 1)
  }

  mutating func start(to outputs: NodeOutputs) throws {
    let pool = try PixelBufferPool(format)
    self.pool = pool
    try outputs.announce(pool.format, on: 0)
  }

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard let file, let pool, next < file.packets.count else { return false }
    try canvas?.draw(file.packets[next], isFirst: next == 0)
    var sample = try pool.take()
    do {
      var frame = try sample.videoFrame()
      canvas?.copy(to: &frame)
    }
    sample.presentationTime = MediaTime(nanoseconds: Int(time))
    sample.duration = MediaTime(nanoseconds: Int(file.durations[next]))
    // Each is at most 655 s, and a file has less than 2^26 pictures.
    time += file.durations[next]
    next += 1
    try outputs.send(sample)
    return next < file.packets.count
  }
}
