import GraphKit

/// The audio of parts one after the other, without a gap: what is missing is silent, and what overlaps
/// is left out.
struct JoinedAudio: Sendable {
  private let sampleRate: Int
  private let channels: Int
  private let output: Int
  private var format: FormatDescription?
  private var isAnnounced = false
  /// The frame that the output goes on with.
  private var next = 0
  /// The frame that the present part begins with.
  private var start = 0
  private var clock: FrameClock
  /// Whether the present part has begun here.
  private(set) var hasBegun = false

  /// Audio of a rate and a number of channels for one of the node's outputs.
  init(sampleRate: Int, channels: Int, output: Int) {
    (self.sampleRate, self.channels, self.output) = (sampleRate, channels, output)
    clock = FrameClock(sampleRate: sampleRate)
  }

  /// As far as the output has come.
  var end: MediaTime { MediaTime(frames: next, at: sampleRate) }

  /// Takes the format of what follows on an input.
  mutating func prepare(_ format: FormatDescription) throws {
    let wanted = AudioFormat(.f32, sampleRate: sampleRate, channels: channels)
    guard case .audio(let audio) = format.format, audio.isStored(like: wanted) else {
      throw NodeError(
        "concat joins \(MediaFormat.audio(wanted)), and \(format) came",
        remedy: "set `sampleRate` and `channels`, or put an `audioConvert` before the input")
    }
    if self.format == nil { self.format = format }
  }

  /// Begins a part at a time of the output.
  mutating func begin(at time: MediaTime) {
    start = time.frames(at: sampleRate) ?? next
    clock = FrameClock(sampleRate: sampleRate)
    hasBegun = false
  }

  /// Takes a block of the present part; returns when it is presented.
  mutating func add(
    _ sample: consuming SampleBuffer, to outputs: NodeOutputs
  ) throws -> MediaTime {
    let count = sample.frameCount
    let (first, overflows) = start.addingReportingOverflow(clock.position(of: sample))
    guard count > 0, !overflows else { return end }
    hasBegun = true
    try fill(to: first, outputs)
    let (late, time) = (next - first, end)
    guard late < count else { return time }
    let bytesPerFrame = MemoryLayout<Float>.stride * channels
    if late > 0 {
      sample.trim(offset: late * bytesPerFrame, byteCount: (count - late) * bytesPerFrame)
    }
    try send(sample, count - late, to: outputs)
    return time
  }

  /// Adds silence up to a time of the output.
  mutating func fill(until time: MediaTime, to outputs: NodeOutputs) throws {
    guard let frame = time.frames(at: sampleRate) else { return }
    try fill(to: frame, outputs)
  }

  private mutating func fill(to frame: Int, _ outputs: NodeOutputs) throws {
    guard frame - next < JoinedVideo.longestGap * sampleRate else { throw JoinedVideo.gapProblem }
    while next < frame {
      // A second at most: a block is memory.
      let count = min(frame - next, sampleRate)
      var silence = SampleBuffer(
        byteCount: count * channels * MemoryLayout<Float>.stride, format: try description())
      silence.withMutableElements(as: Float.self) { levels in
        for index in levels.indices { levels[index] = 0 }
      }
      try send(silence, count, to: outputs)
    }
  }

  private mutating func description() throws -> FormatDescription {
    if let format { return format }
    let made = try FormatDescription(
      .audio(AudioFormat(.f32, sampleRate: sampleRate, channels: channels)))
    format = made
    return made
  }

  private mutating func send(
    _ sample: consuming SampleBuffer, _ count: Int, to outputs: NodeOutputs
  ) throws {
    try announce(to: outputs)
    sample.format = try description()
    sample.presentationTime = end
    sample.decodeTime = .invalid
    next += count
    sample.duration = end - sample.presentationTime
    try outputs.send(sample, on: output)
  }

  /// Says what leaves, where that hasn't been said.
  mutating func announce(to outputs: NodeOutputs) throws {
    guard !isAnnounced else { return }
    isAnnounced = true
    try outputs.announce(try description(), on: output)
  }
}
