import GraphKit

/// A file of images that are shown one after the other, and the writer that it has for a run.
struct AnimationOutput: FileOutput {
  let place: OutputFile
  /// What its images are: WebP or PNG.
  let image: StillImage
  /// How often it is shown; 0 for ever.
  let plays: Int

  var file: OutputFile? { place }
  var tracks: TrackRules? { TrackRules(fileName: "animation") }

  func trackCaps(for format: FormatConstraint) -> String { image.mediaType }

  func makeWriter(_ tracks: [OutputTrack], to file: WritableFile) -> (any TrackWriter)? {
    if image == .webp { return AnimationTrack(WebPAnimation(plays: plays), to: file) }
    return AnimationTrack(PNGAnimation(plays: plays), to: file)
  }
}

/// How images lie in one file.
protocol AnimationLayout {
  /// The bytes of an image that is shown for so many milliseconds, after those before it.
  mutating func image(_ bytes: [UInt8], milliseconds: Int) throws(NodeError) -> [UInt8]
  /// How long the file may be.
  var mostBytes: Int { get }
  /// How long ``end`` is.
  var endByteCount: Int { get }
  /// The bytes after the last image.
  var end: [UInt8] { get }
  /// The bytes that the file begins with, of which there are as many whatever follows; `byteCount` is that
  /// of the file.
  func head(byteCount: Int) -> [UInt8]
}

/// An image that isn't written yet, and when it is shown from, in milliseconds.
private struct PendingImage {
  var bytes: [UInt8]
  var start: Int
}

/// Writes encoded images as an animation, each with the time to the next.
private struct AnimationTrack<Layout: AnimationLayout>: TrackWriter {
  private var layout: Layout
  private let file: WritableFile
  private var offset = 0
  /// The newest image, which is written once it is known how long it is shown.
  private var pending: PendingImage?
  /// When the newest ends, in milliseconds.
  private var end = 0

  init(_ layout: Layout, to file: WritableFile) {
    (self.layout, self.file) = (layout, file)
  }

  mutating func prepare(for format: FormatDescription, track: Int) throws {}

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    guard let time = Self.milliseconds(sample.presentationTime) else { return }
    try flush(until: time)
    let bytes = sample.withBytes { span in span.indices.map { span[$0] } }
    pending = PendingImage(bytes: bytes, start: time)
    end = time + max(1, Self.milliseconds(sample.duration) ?? 1)
  }

  private static func milliseconds(_ time: MediaTime) -> Int? {
    time.nanoseconds.map { Int((Double($0) / 1e6).rounded()) }
  }

  private mutating func flush(until time: Int) throws {
    guard let image = pending else { return }
    let bytes = try layout.image(image.bytes, milliseconds: max(1, time - image.start))
    pending = nil
    if offset == 0 { try write(layout.head(byteCount: 0)) }
    guard offset + bytes.count + layout.endByteCount <= layout.mostBytes else {
      try complete()
      throw NodeError(
        "the animation would be longer than its file can be, \(layout.mostBytes) bytes",
        remedy: "write a movie, or fewer and smaller frames")
    }
    try write(bytes)
  }

  /// Makes a file of what there is.
  private mutating func complete() throws {
    try write(layout.end)
    let head = layout.head(byteCount: offset)
    try file.write(head.span, at: 0)
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    try file.write(bytes.span, at: offset)
    offset += bytes.count
  }

  mutating func end(track: Int) throws {}

  var finishByteCount: Int? { (pending?.bytes.count ?? 0) + layout.endByteCount + 100 }

  mutating func finish() throws {
    try flush(until: end)
    guard offset > 0 else { throw NodeError.isEmpty("animation", no: "frame") }
    try complete()
  }
}
