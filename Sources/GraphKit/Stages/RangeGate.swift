import GStreamer

/// The element after a file's stream of which a range is read.
///
/// It discards packets up to those that decoding the range begins with, presents the range alone, by
/// a segment of which decoders discard what is outside, and ends the reading after the range. Raw
/// samples are cut here. The range begins at running time zero.
///
/// A reader that can seek is moved to shortly before the range with the first packet. Where it then
/// isn't there, as its index is wrong, the file is read from its beginning after all.
final class RangeGate: ElementBody {
  private enum Medium { case packets, frames, text, sound(SoundLayout) }
  /// How far the way to the range is shortened.
  private enum Approach { case isDue, isUnproven, isSettled }

  private let output: Pad
  private let cut: StreamCut
  private let isAudio: Bool
  private let constraint: Caps?
  private let seek: RangeSeek?
  private var approach = Approach.isDue
  /// Packets that decoding may have to begin with.
  private var items = ItemQueue()
  private var heldTimes: [UInt64] = []
  /// When the last of them ends.
  private var heldEnd: UInt64 = 0
  /// Whether all packets are held that are presented before the range.
  private var hasAllBefore = false
  /// The frame that is on screen where the range begins.
  private var shown: FrameOnScreen?
  /// Headers that begin the stream.
  private var headers = ItemQueue()
  private var hasHeaders = false
  private var medium = Medium.packets
  private var caps: Caps?
  private var clock = PacketClock()
  private var segment: Event?
  /// The range in the time of the stream's buffers.
  private var bounds: ClosedRange<UInt64> = 0 ... .max
  /// Whether the stream begins after the range.
  private var isEmpty = false
  private var hasBegun = false
  private var hasEnded = false
  /// Whether the reader was moved.
  private var hasMoved = false

  /// How much audio is decoded before the range: more than any codec needs to give the same samples.
  private static let audioLead: UInt64 = 2_000_000_000

  /// How long before the range a reader is moved to: frames may come so much later than they are
  /// presented, and audio so much earlier.
  private static let seekLead: UInt64 = 3_000_000_000

  /// How much later a frame may be decoded than it is presented by the times of a file without
  /// presentation times.
  private static let longestDelay: UInt64 = 200_000_000

  /// An element for packets that `constraint` describes, of a reader that `seek` moves.
  init(output: Pad, cut: StreamCut, isAudio: Bool, constraint: Caps?, seek: RangeSeek? = nil) {
    (self.output, self.cut, self.isAudio) = (output, cut, isAudio)
    (self.constraint, self.seek) = (constraint, seek)
  }

  func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
    if hasEnded { return .endOfStream }
    if isEmpty { return begin() == .flushing ? .flushing : end() }
    var buffer = buffer
    if let flow = approachRange(with: buffer) { return flow }
    if isAudio { clock.time(&buffer, frameCount(buffer)) }
    return hasBegun ? pass(buffer) : hold(buffer)
  }

  func handle(_ event: consuming Event, on input: Int) -> Bool {
    switch event.kind {
    case .flushStart: return seek?.takesFlushStart() == true ? true : output.push(event)
    case .flushStop:
      if seek?.takesFlushStop() == true {
        restart()
        return true
      }
      reset()
      return output.push(event)
    default:
      // An output that has ended refuses what comes, and the reader would fail where it is to end.
      if hasEnded { return true }
      return handleInOrder(event)
    }
  }

  private func handleInOrder(_ event: consuming Event) -> Bool {
    switch event.kind {
    case .endOfStream:
      if !hasBegun {
        hasAllBefore = !isAudio
        // A copy would be heard, as nothing follows for which it is decoded.
        if holdsOnlyEarlierAudio { discardHeld() }
        _ = begin()
      }
      if hasEnded { return true }
      return output.push(event)
    case .segment:
      // After a seek it says the same of another beginning.
      if !hasMoved { place(event) }
      return true
    case .caps(let caps):
      note(caps)
      return output.push(event)
    default:
      // What is missing before the range doesn't matter.
      return event.isGap && !hasBegun ? true : output.push(event)
    }
  }

  func setActive(_ isActive: Bool, input: Int) {
    seek?.setActive(isActive)
    // A stream that is stopped may be in the middle of a call.
    if isActive { reset() }
  }

  func caps(ofInput input: Int, filter: Caps?) -> Caps? {
    guard let peers = output.peerCaps(filter: filter) else { return constraint }
    return constraint?.intersection(peers) ?? peers
  }

  func caps(ofOutput output: Int, filter: Caps?) -> Caps? { constraint }

  // MARK: Where the range is

  private func note(_ caps: Caps) {
    // What is held can't be decoded as what follows.
    if let old = self.caps, !old.isEqual(to: caps) { discardHeld() }
    self.caps = caps
    if let rate = caps.clockRate { clock.sampleRate = min(max(1, rate), PacketClock.highestRate) }
    if let layout = caps.soundLayout {
      medium = .sound(layout)
    } else {
      medium = caps.isEncoded ? .packets : caps.isText ? .text : .frames
    }
  }

  /// Whether samples are cut here, and not by a decoder.
  private var isRaw: Bool { if case .packets = medium { false } else { true } }

  /// Whether they are texts, which are over when they say, and of which several may be shown at once.
  private var isText: Bool { if case .text = medium { true } else { false } }

  /// So far inside of a sample or a frame, in nanoseconds, no rounding makes it one more or less.
  private var margin: UInt64 {
    switch medium {
    case .sound, .text: return 0
    case .packets, .frames: break
    }
    return isAudio ? 250_000_000 / UInt64(clock.sampleRate) : UInt64(FileStream.frameMargin)
  }

  /// Finds the range in the times of a segment, and presents it alone.
  private func place(_ event: borrowing Event) {
    guard let origin = event.segmentOrigin, let whole = event.segmentBounds else {
      segment = event.share()
      return
    }
    let zero = origin - Int64(cut.inset)
    // Before the beginning of the stream's own times, of one that is late in its file.
    let first =
      cut.start > 0 ? moved(zero, onGrid(cut.start), by: Int64(margin)) : origin
    let last = cut.stop.map { shifted(zero, onGrid($0), by: -Int64(margin)) }
    isEmpty = last.map { $0 <= whole.lowerBound } ?? false
    let start = max(whole.lowerBound, UInt64(max(0, first)))
    let stop = max(start, min(whole.upperBound, last ?? .max))
    let running = UInt64(max(0, Int64(clamping: start).subtractingClamped(first)))
    bounds = start...stop
    segment =
      cut.isCopy
      ? copySegment(event, from: start, at: running)
      : event.segment(presenting: isRaw ? start ... .max : bounds, at: running)
    if hasBegun { sendSegment() }
  }

  /// A segment of all that comes, in which the range begins at the time of copies.
  private func copySegment(
    _ event: borrowing Event, from start: UInt64, at running: UInt64
  ) -> Event? {
    let lead = min(start, StreamCut.copyStart)
    return event.segment(
      presenting: start - lead ... .max, at: StreamCut.copyStart - lead + running)
  }

  /// The nearest time at which a sample begins.
  private func onGrid(_ time: UInt64) -> UInt64 { isAudio ? clock.nearest(time) : time }

  private func shifted(_ origin: Int64, _ time: UInt64, by margin: Int64) -> UInt64 {
    let moved = moved(origin, time, by: margin)
    return moved == .max ? .max : UInt64(max(0, moved))
  }

  private func moved(_ origin: Int64, _ time: UInt64, by margin: Int64) -> Int64 {
    let (sum, overflows) = origin.addingReportingOverflow(Int64(clamping: time))
    let moved = sum.addingReportingOverflow(margin)
    return overflows || moved.overflow ? .max : moved.partialValue
  }

  private func sendSegment() {
    if let event = segment.take() { _ = output.push(event) }
  }

  /// The samples of a packet, where that is known.
  private func frameCount(_ buffer: borrowing Buffer) -> Int? {
    if case .sound(let layout) = medium { return buffer.size / layout.frameSize }
    // A length in whole milliseconds is rounded, too.
    return buffer.duration.flatMap { $0 % 1_000_000 == 0 ? nil : clock.frames(in: $0) }
  }

  // MARK: Before the range

  /// Moves the reader with the first packet, and looks at the first one after that; `nil` where the
  /// packet is to be taken.
  private func approachRange(with buffer: borrowing Buffer) -> Flow? {
    guard let seek, approach != .isSettled, !isHeader(buffer), let time = buffer.presentationTime
    else { return nil }
    let isFirst = approach == .isDue
    approach = .isSettled
    if isFirst {
      let target = bounds.lowerBound - min(bounds.lowerBound, Self.seekLead)
      guard target > time else { return nil }
      approach = .isUnproven
      return move(seek, to: target)
    }
    let lead = isAudio ? Self.audioLead : 0
    let isNear = time <= bounds.lowerBound - min(bounds.lowerBound, lead)
    return isNear && (isAudio || !buffer.isDelta) ? nil : move(seek, to: nil)
  }

  private func move(_ seek: RangeSeek, to time: UInt64?) -> Flow? {
    guard seek.move(to: time) == .isRefused else { return .flushing }
    approach = .isSettled
    return nil
  }

  /// Begins again with packets from another place of the file.
  private func restart() {
    discardHeld()
    hasMoved = true
    clock = PacketClock(sampleRate: clock.sampleRate)
  }

  private func hold(_ buffer: consuming Buffer) -> Flow {
    if !hasHeaders, isHeader(buffer) {
      headers.append(buffer)
      return .ok
    }
    hasHeaders = true
    let time = buffer.presentationTime ?? buffer.decodeTime ?? heldTimes.last ?? 0
    let isBefore = time < bounds.lowerBound
    if isText, let length = buffer.duration {
      guard time &+ length > bounds.lowerBound else { return .ok }
    } else if !isAudio, !buffer.isDelta, isBefore {
      discardHeld()
    }
    // The part lies in a pause, and nothing follows for which what is held would be decoded.
    if holdsOnlyEarlierAudio, time >= bounds.upperBound { discardHeld() }
    if isAudio { discardHeld(before: time) }
    let decoded = isAudio ? nil : buffer.decodeTime
    heldEnd = time &+ (buffer.duration ?? 0)
    items.append(buffer)
    heldTimes.append(time)
    // What follows is presented no earlier than it is decoded.
    hasAllBefore = decoded.map { $0 >= bounds.lowerBound } ?? false
    return (decoded ?? time) < bounds.lowerBound ? .ok : begin()
  }

  /// Whether what is held for a copy is audio of which nothing lasts into the part.
  private var holdsOnlyEarlierAudio: Bool {
    isAudio && cut.isCopy && heldEnd <= bounds.lowerBound
  }

  /// Whether a packet only describes those that follow. A parser says so of a key frame, too, in which
  /// it has put what describes the stream.
  private func isHeader(_ buffer: borrowing Buffer) -> Bool {
    buffer.isHeader && (isAudio || buffer.presentationTime == nil)
  }

  private func discardHeld() {
    while items.popFirst() != nil {}
    heldTimes = []
  }

  /// Discards the packets from more than the lead before a time.
  private func discardHeld(before time: UInt64) {
    let first = time - min(time, Self.audioLead)
    let count = heldTimes.prefix { $0 < first }.count
    for _ in 0..<count { _ = items.popFirst() }
    heldTimes.removeFirst(count)
  }

  /// Sends what decoding begins with.
  private func begin() -> Flow {
    hasBegun = true
    sendSegment()
    if hasAllBefore, !cut.isCopy {
      shown = FrameOnScreen(in: bounds, lasting: cut.length, of: heldTimes)
    }
    heldTimes = []
    var flow = Flow.ok
    while flow == .ok, let header = headers.popBuffer() { flow = output.push(header) }
    if var first = items.popBuffer() {
      first.isDiscontinuity = true
      flow = flow == .ok ? pass(lasting(first)) : flow
    }
    while flow == .ok, let next = items.popBuffer() { flow = pass(lasting(next)) }
    return flow
  }

  /// A frame, which lasts until the next where it is the one on screen, and a text as long as it says.
  private func lasting(_ buffer: consuming Buffer) -> Buffer {
    isText && buffer.duration != nil ? buffer : shown.lasting(buffer)
  }

  // MARK: In the range

  private func pass(_ buffer: consuming Buffer) -> Flow {
    if isAfterRange(buffer) { return end() }
    switch medium {
    case .packets: return output.push(buffer)
    case .frames, .text: return passFrame(buffer)
    case .sound(let layout): return passSound(buffer, layout)
    }
  }

  /// Whether a packet, and so all that follow it, is presented after the range: what is presented in
  /// it is decoded before that.
  private func isAfterRange(_ buffer: borrowing Buffer) -> Bool {
    guard let time = buffer.decodeTime ?? buffer.presentationTime else { return false }
    // Where only that is known, a frame may be presented so much earlier as others were held back.
    let delay = buffer.presentationTime == nil && !isRaw ? Self.longestDelay : 0
    return time >= delay && time - delay >= bounds.upperBound
  }

  private func end() -> Flow {
    hasEnded = true
    _ = output.push(Event.endOfStream())
    return .endOfStream
  }

  /// A frame is shown whole, but for what of it is outside of the range.
  private func passFrame(_ buffer: consuming Buffer) -> Flow {
    guard let time = buffer.presentationTime else { return output.push(buffer) }
    let length = buffer.duration ?? 0
    let (first, last) = (max(time, bounds.lowerBound), min(time &+ length, bounds.upperBound))
    guard time >= bounds.lowerBound || first < last else { return .ok }
    if length > 0 { buffer.duration = last - min(last, first) }
    buffer.presentationTime = first
    if isText { buffer.decodeTime = first }
    return output.push(buffer)
  }

  /// Cuts raw audio to the sample.
  private func passSound(_ buffer: consuming Buffer, _ layout: SoundLayout) -> Flow {
    guard let time = buffer.presentationTime, layout.frameSize > 0 else {
      return output.push(buffer)
    }
    let frames = buffer.size / layout.frameSize
    let first = layout.frames(in: bounds.lowerBound - min(time, bounds.lowerBound))
    // What is decoded in the range may be presented after it.
    let last =
      bounds.upperBound == .max
      ? frames : layout.frames(in: bounds.upperBound - min(time, bounds.upperBound))
    guard first < min(last, frames) else { return .ok }
    let count = min(last, frames) - first
    if count < frames {
      buffer.trim(offset: first * layout.frameSize, size: count * layout.frameSize)
      buffer.presentationTime = time + layout.time(of: first)
      buffer.duration = layout.time(of: count)
    }
    return output.push(buffer)
  }

  private func reset() {
    discardHeld()
    while headers.popFirst() != nil {}
    (hasBegun, hasEnded, hasHeaders, hasAllBefore) = (false, false, false, false)
    (approach, hasMoved, shown) = (.isDue, false, nil)
    segment = nil
    isEmpty = false
    bounds = 0 ... .max
    clock = PacketClock(sampleRate: clock.sampleRate)
  }
}

extension ItemQueue {
  /// Takes out the next item of a queue that holds buffers alone.
  fileprivate mutating func popBuffer() -> Buffer? {
    guard let item = popFirst() else { return nil }
    switch consume item {
    case .buffer(let buffer): return buffer
    case .event: return nil
    }
  }
}
