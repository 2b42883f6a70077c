import GraphKit

/// Gives frames at equal distances, of frames at any.
///
/// The first leaves at the time of the first that came, and the others at exact multiples of the
/// frame's length after it, up to the end of the last.
struct FramePacer: Sendable {
  /// Where a frame's pixels come from.
  enum Method: String, CaseIterable, Sendable {
    /// The frame that is on screen at its time.
    case choose
    /// The frames that are on screen while it is, each by its share; or, where frames are added, the
    /// two on either side of its time.
    case blend
  }

  /// A gap in the frames that is filled, at most.
  private static let longestGap = MediaTime(value: 86_400, timescale: 1)

  private let rate: Rational
  private let method: Method
  /// How much earlier than its own time a frame is taken to be there: files round times.
  private let tolerance: MediaTime
  private var start: MediaTime?
  private var count = 0
  private var held: HeldFrame?
  private var interval = MediaTime.zero
  private var mix = FrameMix()
  private var frames: ReshapedFrames?
  private var format: FormatDescription?
  /// The format from the next frame on: the one that is held is shown until then.
  private var upcoming: FormatDescription?
  private var hasWarned = false

  /// A pacer to a frame rate, which is more than zero.
  init(_ rate: Rational, _ method: Method) {
    (self.rate, self.method) = (rate, method)
    let quarter = MediaTime.frames(1, at: rate).multiplied(by: 1, over: 4)
    tolerance = min(MediaTime(value: 1, timescale: 1_000), quarter)
  }

  /// Takes the format of the frames that follow, which is that of what leaves for them, and announces it
  /// where that begins.
  mutating func begin(_ format: FormatDescription, to outputs: NodeOutputs) throws {
    let isSame = (upcoming ?? self.format)?.capsText == format.capsText
    if held == nil { try change(to: format, outputs) } else if !isSame { upcoming = format }
  }

  private mutating func change(to format: FormatDescription, _ outputs: NodeOutputs) throws {
    (self.format, upcoming) = (format, nil)
    if case .video(let video) = format.format {
      frames = try ReshapedFrames(
        of: format, width: video.width, height: video.height, keepsFields: true)
    }
    try outputs.announce(format, on: 0)
  }

  /// Takes the next frame, and sends those that are decided by it.
  mutating func add(_ frame: HeldFrame, to outputs: NodeOutputs) throws {
    guard frame.time.isNumeric else {
      if !hasWarned { outputs.warn("frames without a time are left out") }
      return hasWarned = true
    }
    if let last = held, frame.time > last.time { try show(last, before: frame, to: outputs) }
    if start == nil { start = frame.time }
    held = frame
    if let upcoming { try change(to: upcoming, outputs) }
  }

  /// Sends what is decided of a frame by the next one. Frames of two formats don't mix.
  private mutating func show(
    _ last: HeldFrame, before frame: HeldFrame, to outputs: NodeOutputs
  ) throws {
    interval = frame.time - last.time
    guard interval < Self.longestGap else {
      throw NodeError(
        "no frame came for \(interval.seconds) s after \(last.time.seconds) s",
        remedy: "cut the video there with `trim`")
    }
    try advance(last, until: frame.time, next: upcoming == nil ? frame : nil, to: outputs)
  }

  /// Sends what is left.
  mutating func finish(to outputs: NodeOutputs) throws {
    guard let last = held else { return }
    held = nil
    let length = interval > .zero ? interval : period(1)
    let end = last.end > last.time ? last.end : last.time + length
    try advance(last, until: end, next: nil, to: outputs)
  }

  private func period(_ count: Int) -> MediaTime {
    MediaTime(value: Int64(clamping: count), timescale: 1)
      .multiplied(by: rate.denominator, over: rate.numerator)
  }

  private var next: MediaTime { (start ?? .zero) + period(count) }

  /// Whether frames that leave are longer than those that come.
  private func leavesOut(_ length: MediaTime) -> Bool { period(1) > length + tolerance }

  /// A frame is on screen up to a time.
  private mutating func advance(
    _ frame: HeldFrame, until end: MediaTime, next following: HeldFrame?, to outputs: NodeOutputs
  ) throws {
    if method == .blend, leavesOut(end - frame.time) {
      return try average(frame, until: end, isLast: following == nil, to: outputs)
    }
    while next + tolerance < end {
      try sendPending(to: outputs)
      let time = next
      let part = (time - frame.time).seconds / (end - frame.time).seconds
      guard next + tolerance < end else { break }
      if method == .blend, let following, part > 0.001 {
        try mix.add(frame, part: 1 - part)
        try mix.add(following, part: part)
        if let frames, let mixed = try mix.take(from: frames) { try send(mixed, to: outputs) }
      } else {
        try send(frame.sample.share(), to: outputs)
      }
    }
  }

  /// Sends what was begun of a mean over frames.
  private mutating func sendPending(to outputs: NodeOutputs) throws {
    guard let frames, let mixed = try mix.take(from: frames) else { return }
    try send(mixed, to: outputs)
  }

  private mutating func average(
    _ frame: HeldFrame, until end: MediaTime, isLast: Bool, to outputs: NodeOutputs
  ) throws {
    var from = frame.time
    let length = period(1)
    while from < end {
      let close = next + length
      let part = min(end, close) - max(from, next)
      if part > .zero { try mix.add(frame, part: part.seconds / length.seconds) }
      guard close <= end + tolerance else { break }
      try sendPending(to: outputs)
      from = close
    }
    if isLast { try sendPending(to: outputs) }
  }

  private mutating func send(
    _ sample: consuming SampleBuffer, to outputs: NodeOutputs
  ) throws {
    if let format { sample.format = format }
    sample.presentationTime = next
    sample.duration = (start ?? .zero) + period(count + 1) - next
    sample.decodeTime = .invalid
    count += 1
    try outputs.send(sample)
  }
}
