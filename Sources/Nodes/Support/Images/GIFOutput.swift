import GraphKit

/// An animated GIF, and the writer that it has for a run.
struct GIFOutput: FileOutput {
  let place: OutputFile
  /// How often it is shown; 0 for ever.
  var plays = 0
  /// How many colours each of its images has, at most.
  var colorCount = 256
  /// Whether errors of colours are spread.
  var dithers = true

  var file: OutputFile? { place }
  var tracks: TrackRules? { TrackRules(fileName: "GIF") }

  init(file: OutputFile) { place = file }

  /// Frames of another size get as far as to where they are refused in words.
  func trackCaps(for format: FormatConstraint) -> String {
    var format = format
    (format.width, format.height) = (nil, nil)
    return format.capsText
  }

  func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] {
    [.oneSize(in: "a GIF")]
  }

  func makeWriter(_ tracks: [OutputTrack], to file: WritableFile) -> (any TrackWriter)? {
    GIFTrack(self, to: file)
  }
}

/// Writes frames as an animated GIF (GIF89a), each with the time to the next.
private struct GIFTrack: TrackWriter {
  private let settings: GIFOutput
  private let file: WritableFile
  private var offset = 0
  private var size = (width: 0, height: 0)
  /// The newest image, which is written once it is known how long it is shown.
  private var pending: Image?
  /// The newest frame's pixels.
  private var shown: [UInt8]?
  /// When the newest frame ends, in hundredths of a second.
  private var end = 0
  private var omitted = 0

  private struct Image {
    var blocks: [UInt8]
    var transparent: UInt8
    var start: Int
    var duration: Int
    /// Whether the next image begins with nothing.
    var isCleared = false
  }

  init(_ settings: GIFOutput, to file: WritableFile) {
    (self.settings, self.file) = (settings, file)
  }

  mutating func prepare(for format: FormatDescription, track: Int) throws {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    size = (video.width, video.height)
    var head = Array("GIF89a".utf8)
    for number in [size.width, size.height] { head.append(number: number) }
    // No colours for all images; the background, and square pixels.
    head += [0x70, 0, 0]
    // How often it is repeated after the first time; once needs no word.
    if settings.plays != 1 {
      head += [0x21, 0xff, 11] + Array("NETSCAPE2.0".utf8) + [3, 1]
      head.append(number: max(0, settings.plays - 1))
      head.append(0)
    }
    try write(head)
  }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    guard let time = Self.hundredths(sample.presentationTime) else { return }
    // Browsers show what is shorter than two hundredths for ten.
    if let pending, time - pending.start < 2 {
      omitted += 1
      return
    }
    end = time + max(2, Self.hundredths(sample.duration) ?? 2)
    var image = GIFImage(width: size.width, height: size.height, pixels: pixels(of: sample))
    (image.colorCount, image.dithers) = (settings.colorCount, settings.dithers)
    // What was shown can't be taken away but by clearing all of it.
    let isTransparent = image.isTransparent
    if isTransparent { pending?.isCleared = true }
    guard let (blocks, number) = image.blocks(after: isTransparent ? nil : shown) else {
      return
    }
    try flush(until: time)
    shown = image.pixels
    pending = Image(blocks: blocks, transparent: number, start: time, duration: 0)
  }

  private static func hundredths(_ time: MediaTime) -> Int? {
    time.nanoseconds.map { Int((Double($0) / 1e7).rounded()) }
  }

  private func pixels(of sample: borrowing SampleBuffer) -> [UInt8] {
    let (rows, row) = (size.height, size.width * 4)
    return sample.withPlane(0) { span, bytesPerRow in
      var pixels: [UInt8] = []
      pixels.reserveCapacity(rows * row)
      for y in 0..<rows {
        for x in 0..<row { pixels.append(span[y * bytesPerRow + x]) }
      }
      return pixels
    }
  }

  /// Writes the pending image, which is shown up to a time; images are shown for 655 s at most.
  private mutating func flush(until time: Int) throws {
    guard let image = pending else { return }
    let disposal: UInt8 = image.isCleared ? 2 : 1
    var head: [UInt8] = [0x21, 0xf9, 4, disposal << 2 | 1]
    head.append(number: min(max(2, time - image.start), 65_535))
    head += [image.transparent, 0]
    try write(head + image.blocks)
    pending = nil
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    try file.write(bytes.span, at: offset)
    offset += bytes.count
  }

  mutating func end(track: Int) throws {}

  /// The trailer.
  var finishByteCount: Int? { (pending?.blocks.count ?? 0) + 16 }

  mutating func finish() throws {
    guard shown != nil else { throw NodeError.isEmpty("animation", no: "frame") }
    try flush(until: end)
    try write([0x3b])
  }

  func omittedCount(track: Int) -> Int { omitted }
}

extension PadFilter {
  /// Frames that change their size end the run: what is written has one.
  static func oneSize(in file: String) -> PadFilter {
    .steady { change in
      guard case .video(let old) = change.old, case .video(let new) = change.new,
        (old.width, old.height) != (new.width, new.height)
      else { return nil }
      let seconds = (change.time.seconds * 1_000).rounded() / 1_000
      return NodeError(
        "at \(seconds) s frames change their size from \(old.width)x\(old.height) to "
          + "\(new.width)x\(new.height), and \(file) has one size",
        remedy: "put a `scale` with a `width` and `height` before it")
    }
  }
}
