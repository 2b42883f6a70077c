import GraphKit

/// The video of parts one after the other, all in one format: where frames are missing the last one is
/// repeated, and before the first there is black.
struct JoinedVideo: Sendable {
  /// The size of what leaves, where that is settled.
  struct Size: Hashable, Sendable { var width, height: Int }

  /// Seconds that are filled at most.
  static let longestGap = 86_400
  static let gapProblem = NodeError(
    "a part has a gap of more than a day", remedy: "check the times of its file")
  private static let usualRate = Rational(25, over: 1)

  private let size: Size?
  /// The frame rate of what leaves; `nil` where it varies.
  private let frameRate: Rational?
  private let output: Int
  private var target: FormatDescription?
  private var isAnnounced = false
  private var fitted = FittedPictures()
  private var last: HeldFrame?
  /// How long a repeated frame is shown.
  private var step: MediaTime
  private var start = MediaTime.zero
  /// As far as the output has come.
  private(set) var end = MediaTime.zero
  /// Whether the present part has begun here.
  private(set) var hasBegun = false

  /// Video for one of the node's outputs; without a size, frames are as large as the first.
  init(size: Size?, frameRate: Rational?, output: Int) {
    (self.size, self.frameRate, self.output) = (size, frameRate, output)
    step = MediaTime.frames(1, at: frameRate ?? Self.usualRate)
  }

  /// Takes the format of what follows on an input.
  mutating func prepare(_ format: FormatDescription) throws {
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    if let rate = video.frameRate, rate.numerator > 0 { step = MediaTime.frames(1, at: rate) }
    if target == nil { target = try joined(format, video) }
  }

  /// The format of all, of which `first` is that of the first frames.
  private func joined(_ first: FormatDescription, _ video: VideoFormat) throws -> FormatDescription
  {
    if size.map({ $0 == Size(width: video.width, height: video.height) }) ?? true {
      return video.frameRate == frameRate ? first : try first.withFrameRate(frameRate)
    }
    return try description(colorimetry: video.colorimetry)
  }

  private func description(colorimetry: String = "") throws -> FormatDescription {
    guard let size else {
      throw NodeError(
        "video is missing before the first frame, and its size isn't known",
        remedy: "give `width` and `height`", key: "width")
    }
    return try FormatDescription(
      .video(
        VideoFormat(
          .i420, width: size.width, height: size.height, frameRate: frameRate,
          colorimetry: colorimetry)))
  }

  /// Begins a part at a time of the output.
  mutating func begin(at time: MediaTime) {
    (start, hasBegun) = (time, false)
    end = max(end, time)
  }

  /// Takes a frame of the present part; returns when it is presented.
  mutating func add(
    _ sample: consuming SampleBuffer, to outputs: NodeOutputs
  ) throws -> MediaTime {
    let frame = HeldFrame(sample)
    let time = start + (frame.time.isNumeric ? max(.zero, frame.time) : end - start)
    if !hasBegun { try fill(until: time, to: outputs) }
    hasBegun = true
    let duration = frame.end > frame.time ? frame.end - frame.time : step
    try send(frame, at: time, lasting: duration, to: outputs)
    end = max(end, time + duration)
    return time
  }

  /// Repeats the last frame for as long as whole ones fit before a time of the output.
  mutating func fill(until time: MediaTime, to outputs: NodeOutputs) throws {
    guard time - end < MediaTime(value: Int64(Self.longestGap), timescale: 1) else {
      throw Self.gapProblem
    }
    while end + step <= time {
      let shown = try last ?? black()
      try send(shown, at: end, lasting: step, to: outputs)
      end = end + step
    }
  }

  private mutating func send(
    _ frame: HeldFrame, at time: MediaTime, lasting duration: MediaTime, to outputs: NodeOutputs
  ) throws {
    guard let target, case .video(let video) = target.format else { return }
    let picture = try fitted.picture(
      frame, like: target, width: video.width, height: video.height, stretches: false)
    last = picture
    var sample = picture.sample.share()
    sample.format = target
    (sample.presentationTime, sample.decodeTime, sample.duration) = (time, .invalid, duration)
    try announce(to: outputs)
    try outputs.send(sample, on: output)
  }

  private mutating func black() throws -> HeldFrame {
    let format = try target ?? description()
    target = format
    guard case .video(let video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    var frame = try PixelBufferPool(video).take()
    frame.format = format
    let color = ColorEncoding(video).fromRGB(SIMD3(0, 0, 0))
    do {
      var open = try frame.videoFrame()
      for plane in 0..<open.planeCount {
        let value = UInt8(max(0, min(255, (plane == 0 ? color.x : color.y).rounded())))
        var bytes = open.plane(plane)
        for index in bytes.indices { bytes[index] = value }
      }
    }
    return HeldFrame(frame)
  }

  /// Says what leaves, where that is known and hasn't been said.
  mutating func announce(to outputs: NodeOutputs) throws {
    guard !isAnnounced, let target else { return }
    isAnnounced = true
    try outputs.announce(target, on: output)
  }
}
