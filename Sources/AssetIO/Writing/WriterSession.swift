import GraphKit
import GraphKitSystem

/// The parts of an input's time that are in a writer's movie, one behind the other: an `AssetWriter` has
/// one, and a recorder one more for each pause.
struct WriterSession: Sendable {
  /// A part, in the time of the samples.
  struct Part: Sendable {
    let start: MediaTime
    /// `nil` while it goes on.
    var end: MediaTime?
    /// By how much its samples are earlier in the movie than they came.
    let shift: MediaTime

    /// A sample's time in the movie.
    func movieTime(_ time: MediaTime) -> MediaTime { time - shift }

    /// How much of a frame is before the part's end, where it goes on after that; `nil` of others. One that
    /// doesn't say how long it is lasts as long as the rate says.
    func rest(of frame: borrowing SampleBuffer, _ video: VideoFormat) -> MediaTime? {
      guard let end else { return nil }
      let stated = frame.duration
      let duration =
        stated.isNumeric && stated > .zero
        ? stated : video.frameRate.map { MediaTime(frame: 1, at: $0) } ?? .zero
      let rest = end - frame.presentationTime
      return duration > rest ? rest : nil
    }
  }

  private(set) var parts: [Part] = []
  /// When the movie begins in the time of the graph that writes it: what comes before has room there.
  var lead = MediaTime.zero

  /// Whether samples that come now are in the movie.
  var isOpen: Bool { parts.last.map { $0.end == nil } ?? false }

  /// Begins a part where the last one ended.
  mutating func begin(at start: MediaTime) {
    let length = parts.last.flatMap { part in part.end.map { part.movieTime($0) } }
    parts.append(Part(start: start, shift: start - (length ?? lead)))
  }

  /// Ends the last part.
  mutating func end(at end: MediaTime) {
    guard !parts.isEmpty else { return }
    parts[parts.count - 1].end = end
  }
}

/// Cuts an input's samples to the session: raw ones exactly.
struct SessionCut: Sendable {
  /// The part that samples have come to.
  private var index = 0
  /// The frame that is on screen when the session begins.
  private var waiting: ReadySampleBuffer?
  /// When the last raw sample began: the next is later.
  private var newest: MediaTime?
  /// Encoded frames that are presented after the session, where one that is in it may yet be decoded from
  /// them.
  private var late: [ReadySampleBuffer] = []
  /// Samples of which nothing is in the movie, since they are outside of the session.
  private(set) var omittedCount = 0

  /// What of a sample is in the movie, in the movie's time.
  mutating func samples(
    of sample: consuming SampleBuffer, in session: WriterSession, isVideo: Bool
  ) throws(NodeError) -> [ReadySampleBuffer] {
    guard !session.parts.isEmpty else {
      throw NodeError(
        "a sample before the session begins",
        remedy: "call `startSession(at:)` with the time of the first sample")
    }
    let time = sample.presentationTime
    guard time.isNumeric else {
      throw NodeError("a sample without a time", remedy: "set its `presentationTime`")
    }
    while index + 1 < session.parts.count, time >= session.parts[index + 1].start {
      index += 1
      late = []
    }
    if case .audio(let audio) = sample.format.format {
      if sample.frameCount > 0 { try check(time, of: "block") }
      return try sound(sample, audio, session.parts[index...])
    }
    let (part, lead) = (session.parts[index], session.lead)
    if let end = part.end, time >= end {
      omittedCount += 1
      if sample.format.format.kind == .encodedVideo { keep(sample, before: end) }
      return []
    }
    if case .video(let video) = sample.format.format {
      try check(time, of: "frame")
      if let rest = part.rest(of: sample, video) { sample.duration = rest }
      return frames(sample, part)
    }
    return try takeLate(part) + packets(sample, part, lead, isVideo: isVideo)
  }

  private mutating func check(_ time: MediaTime, of sample: String) throws(NodeError) {
    defer { newest = max(newest ?? time, time) }
    guard let newest, time <= newest else { return }
    throw NodeError(
      time == newest
        ? "a second \(sample) at \(time.seconds) s"
        : "a \(sample) at \(time.seconds) s, after one at \(newest.seconds) s",
      remedy: "give each \(sample) a time of its own, in the order of their times")
  }

  /// The frames of after the session that one within it is decoded from.
  private mutating func takeLate(_ part: WriterSession.Part) -> [ReadySampleBuffer] {
    let needed = late.map { Self.moved($0.share(), part) }
    omittedCount -= needed.count
    late = []
    return needed
  }

  /// Keeps a frame that is presented after the session, as long as one within it may come yet: it would be
  /// decoded before the session's end.
  private mutating func keep(_ sample: consuming SampleBuffer, before end: MediaTime) {
    let isOver = sample.decodeTime.isNumeric && sample.decodeTime >= end
    guard !isOver, late.count < Self.mostReordered else { return late = [] }
    late.append(ReadySampleBuffer(sample))
  }

  /// Frames that H.264 and HEVC can be out of order by.
  private static let mostReordered = 16

  /// What of a block is in some parts: one that was halted for a moment may have two of them in it.
  private mutating func sound(
    _ sample: consuming SampleBuffer, _ audio: AudioFormat, _ parts: ArraySlice<WriterSession.Part>
  ) throws(NodeError) -> [ReadySampleBuffer] {
    var found: [ReadySampleBuffer] = []
    for part in parts {
      if let piece = try Self.piece(sample, audio, part) { found.append(piece) }
    }
    if found.isEmpty { omittedCount += 1 }
    return found
  }

  private static func piece(
    _ sample: borrowing SampleBuffer, _ audio: AudioFormat, _ part: WriterSession.Part
  ) throws(NodeError) -> ReadySampleBuffer? {
    let count = sample.frameCount
    let time = sample.presentationTime
    let rate = audio.sampleRate
    func frame(of border: MediaTime) -> Int {
      max(0, min(count, (border - time).frames(at: rate) ?? 0))
    }
    let first = frame(of: part.start)
    let last = part.end.map { max(first, frame(of: $0)) } ?? count
    guard first < last else { return nil }
    var piece = sample.share()
    if first > 0 || last < count {
      if audio.layout == .interleaved {
        piece.trim(
          offset: first * audio.bytesPerFrame, byteCount: (last - first) * audio.bytesPerFrame)
      } else {
        piece = planes(of: sample, audio, first..<last)
      }
      // A border between two samples is at the nearer one.
      piece.presentationTime = max(time + MediaTime(frames: first, at: rate), part.start)
    }
    // Blocks needn't say how long they are.
    piece.duration = MediaTime(frames: last - first, at: rate)
    return moved(piece, part)
  }

  /// Some frames of a planar block, whose channels lie one after the other.
  private static func planes(
    of sample: borrowing SampleBuffer, _ audio: AudioFormat, _ frames: Range<Int>
  ) -> SampleBuffer {
    let (width, count) = (audio.sampleFormat.bytesPerSample, sample.frameCount)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.count * audio.bytesPerFrame)
    sample.withBytes { all in
      for channel in 0..<audio.channels {
        let plane = channel * count
        for index in (plane + frames.lowerBound) * width..<(plane + frames.upperBound) * width {
          bytes.append(all[index])
        }
      }
    }
    return SampleBuffer(bytes: bytes, format: sample.format)
  }

  private mutating func frames(
    _ sample: consuming SampleBuffer, _ part: WriterSession.Part
  ) -> [ReadySampleBuffer] {
    let (time, start) = (sample.presentationTime, part.start)
    guard time > start, let shown = waiting.take() else {
      if time < start {
        if waiting != nil { omittedCount += 1 }
        waiting = ReadySampleBuffer(sample)
        return []
      }
      if waiting.take() != nil { omittedCount += 1 }
      return [Self.moved(sample, part)]
    }
    var first = shown.share()
    first.presentationTime = start
    first.duration = time - start
    return [Self.moved(first, part), Self.moved(sample, part)]
  }

  /// The frame that was on screen when the part began, where no other came after it: as long as it says,
  /// or to the part's end.
  mutating func rest(in session: WriterSession) -> [ReadySampleBuffer] {
    guard let shown = waiting.take() else { return [] }
    let (part, time, duration) = (session.parts[index], shown.presentationTime, shown.duration)
    let said = duration.isNumeric ? time + duration : part.start
    guard let end = [part.end, said > part.start ? said : nil].compactMap(\.self).min() else {
      omittedCount += 1
      return []
    }
    var first = shown.share()
    (first.presentationTime, first.duration) = (part.start, end - part.start)
    return [Self.moved(first, part)]
  }

  /// By how much times may be off that were counted in other units: a reader's segments begin a quarter
  /// of a sample inside of it.
  private static let rounding = MediaTime(value: 50, timescale: 1_000_000)

  private mutating func packets(
    _ sample: consuming SampleBuffer, _ part: WriterSession.Part, _ lead: MediaTime, isVideo: Bool
  ) throws(NodeError) -> [ReadySampleBuffer] {
    var sample = sample
    let (time, start) = (sample.presentationTime, part.start)
    if time < start, start - time < Self.rounding {
      sample.presentationTime = start
      if !isVideo, sample.decodeTime.isNumeric { sample.decodeTime = start }
    }
    guard sample.presentationTime < start else { return [Self.moved(sample, part)] }
    if isVideo {
      throw NodeError(
        "an encoded frame at \(time.seconds) s, before the session begins at \(start.seconds) s",
        remedy: "start the session at a key frame, or append raw frames")
    }
    // What an encoder began with is decoded, and skipped by the movie's edit list.
    if time >= start - lead { return [Self.moved(sample, part)] }
    omittedCount += 1
    return []
  }

  private static func moved(_ sample: consuming SampleBuffer, _ part: WriterSession.Part)
    -> ReadySampleBuffer
  {
    var sample = sample
    let (presentation, decode) = (sample.presentationTime, sample.decodeTime)
    sample.presentationTime = part.movieTime(presentation)
    if decode.isNumeric { sample.decodeTime = part.movieTime(decode) }
    return ReadySampleBuffer(sample)
  }
}
