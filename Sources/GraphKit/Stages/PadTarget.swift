import GStreamer

/// The output pad of a stage, as the last of its nodes sees it.
///
/// A file's segment says when its stream ends, and the consumer discards samples after that. What
/// leaves a stage may be later than what came in, and what is raw has been cut already: so it
/// leaves in a segment without an end. What is encoded has yet to be cut by its decoder: there the
/// end holds until a sample begins after it.
final class PadTarget: SampleTarget {
  private let pad: Pad
  private let counter: WireCounter?
  private var streamStart: Event?
  private var segment: Event?
  /// Whether its stream and its segment have begun; and whether with an event of its own, so that those
  /// of upstream, which come later, don't begin it again.
  private var (hasBegun, hasSegment, isOwn) = (false, false, false)
  /// The segment that was announced with an end, and that end in the time of the pad's buffers.
  private var bounded: Event?
  private var stop: UInt64?
  private var origin: Int64 = 0
  private var format: FormatDescription?
  /// What came before the first format.
  private var earlyTags: [StreamTags] = []
  private let wire: PlanWire
  /// The wire that takes what leaves, where that is a queue.
  private let queue: (group: WireGroup, index: Int)?

  /// `stream` names the stream where it begins here, in a source that is written in Swift.
  init(
    _ pad: Pad, of wire: PlanWire, counter: WireCounter?, stream: String? = nil,
    queue: (group: WireGroup, index: Int)? = nil
  ) {
    self.pad = pad
    self.wire = wire
    self.counter = counter
    self.queue = queue
    streamStart = stream.map { .streamStart($0) }
  }

  /// Hands on an event of upstream, keeping the order stream start, caps, segment.
  func forward(_ event: consuming Event) {
    switch event.kind {
    case .streamStart, .segment: if isOwn { return }
    default: break
    }
    if let origin = event.segmentOrigin { self.origin = origin }
    switch event.kind {
    case .segment:
      segment = consume event
      hasSegment = true
      if format != nil { sendSegment() }
    case .streamStart:
      hasBegun = true
      pad.push(event)
    default: pad.push(event)
    }
  }

  /// Begins the stream where upstream hasn't: of a node with several inputs what comes to another may
  /// leave it before anything has come to the first.
  private func beginOwn() {
    guard streamStart == nil, !hasBegun else { return }
    (hasBegun, isOwn) = (true, true)
    pad.push(.streamStart(wire.name))
  }

  /// The same of the segment, which comes after the format.
  private func beginOwnSegment() {
    (hasSegment, isOwn) = (true, true)
    segment = .timeSegment()
    sendSegment()
  }

  func announce(_ format: FormatDescription) throws {
    beginOwn()
    if let event = streamStart.take() {
      (hasBegun, hasSegment) = (true, true)
      pad.push(event)
      // The first packets of video may be decoded before its beginning.
      origin = format.entryOrigin
      segment = .timeSegment(from: UInt64(origin))
    }
    if let current = self.format, current === format || current.caps.isEqual(to: format.caps) {
      return
    }
    self.format = format
    pad.push(Event.caps(format.caps))
    sendSegment()
    for tags in earlyTags { note(tags) }
    earlyTags = []
  }

  var isReady: Bool { queue.map { $0.group.isReady($0.index) } ?? true }

  func whenReady(_ body: @escaping @Sendable () -> Void) {
    if let queue { queue.group.whenReady(queue.index, body) } else { body() }
  }

  func note(_ tags: StreamTags) {
    guard format != nil else { return earlyTags.append(tags) }
    let pictures = tags.pictures.map { Event.Picture($0.bytes, kind: $0.kind) }
    pad.push(.tags(tags.texts, pictures: pictures, ofFile: tags.areOfFile))
  }

  private func sendSegment() {
    guard let event = segment.take() else { return }
    bounded = nil
    stop = nil
    let isEncoded = if case .encoded = format?.format { true } else { false }
    // Of a stream that begins late: what comes of others before that couldn't be said in it.
    if origin < 0, !isEncoded {
      origin = 0
      return _ = pad.push(.timeSegment())
    }
    guard let end = event.segmentStop else { return _ = pad.push(event) }
    guard isEncoded else { return sendEndless(event) }
    bounded = event.share()
    stop = end
    pad.push(event)
  }

  private func sendEndless(_ event: consuming Event) {
    if let endless = event.segmentWithoutEnd() { pad.push(endless) }
  }

  func receive(_ sample: consuming SampleBuffer) throws {
    if sample.format !== format { try announce(sample.format) }
    if !hasSegment { beginOwnSegment() }
    counter?.add(at: sample.start)
    var sample = sample
    sample.setOrigin(origin)
    if sample.origin != origin, !sample.roundUp(to: origin) {
      throw NodeError.tooEarly(sample.presentationTime, wire)
    }
    if let stop, let time = sample.buffer.presentationTime, time >= stop {
      self.stop = nil
      if let event = bounded.take() { sendEndless(event) }
    }
    let flow = pad.push(sample.intoBuffer())
    guard flow != .ok else { return }
    counter?.addFailed()
    if flow == .notNegotiated { throw PipelineFailure.refused(format, on: wire) }
    throw FlowStopped(flow: flow.rawValue)
  }

  func finish() throws {
    counter?.end()
    if let event = streamStart.take() {
      pad.push(event)
      segment = .timeSegment()
    }
    sendSegment()
    pad.push(Event.endOfStream())
  }
}

extension SampleBuffer {
  /// Has a sample begin with the stream that a rounding has put just before it; whether it is one.
  fileprivate mutating func roundUp(to origin: Int64) -> Bool {
    let (first, most) = (MediaTime(nanoseconds: -origin), MediaTime(value: 1, timescale: 1000))
    if presentationTime.isNumeric, presentationTime < first, first - presentationTime < most {
      presentationTime = first
    }
    if decodeTime.isNumeric, decodeTime < first, first - decodeTime < most { decodeTime = first }
    setOrigin(origin)
    return self.origin == origin
  }
}

extension NodeError {
  /// A buffer's time can't be before that of the beginning.
  fileprivate static func tooEarly(_ time: MediaTime, _ wire: PlanWire) -> NodeError {
    NodeError(
      "a sample at \(time.seconds) s, before the stream's beginning, for `\(wire.to)`",
      remedy: "leave it out, or give it and those after it later times")
  }
}

extension PipelineFailure {
  /// What to do where a node sends another format than it is planned with.
  static let declaringRemedy =
    "declare that format in `portDeclarations`, so that what is needed is put between, or "
    + "`leavesFormatToRun` in `traits` where only the run shows it; or wire a converter"

  /// What follows a node doesn't take what it sends.
  fileprivate static func refused(_ format: FormatDescription?, on wire: PlanWire)
    -> PipelineFailure
  {
    let isVideo = wire.format.kind == .encodedVideo
    var failure = PipelineFailure(
      node: wire.from.node,
      message: "it sends \(format.map { "\($0)" } ?? "samples without a format"), which "
        + "\(wire.to) doesn't take"
        + (isVideo ? ", or decodes to pixels that GStreamer has no name for" : ""),
      remedy: (isVideo ? "convert the file, for example with ffmpeg -pix_fmt yuv420p; or " : "")
        + declaringRemedy)
    failure.isEcho = true
    return failure
  }
}
