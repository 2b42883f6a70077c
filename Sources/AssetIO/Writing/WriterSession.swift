import GraphKit
import GraphKitSystem

/// When a writer's movie begins and ends, in the time of the samples that are appended.
struct WriterSession: Sendable {
  var start: MediaTime?
  var end: MediaTime?

  /// A sample's time in the movie.
  func movieTime(_ time: MediaTime) -> MediaTime { start.map { time - $0 } ?? time }
}

/// Cuts an input's samples to the session: raw ones exactly.
struct SessionCut: Sendable {
  /// The frame that is on screen when the session begins.
  private var waiting: ReadySampleBuffer?
  /// Samples of which nothing is in the movie, since they are before the session or after it.
  private(set) var omittedCount = 0

  /// What of a sample is in the movie, in the movie's time.
  mutating func samples(
    of sample: consuming SampleBuffer, in session: WriterSession, isVideo: Bool
  ) throws(NodeError) -> [ReadySampleBuffer] {
    guard let start = session.start else {
      throw NodeError(
        "a sample before the session begins",
        remedy: "call `startSession(at:)` with the time of the first sample")
    }
    let time = sample.presentationTime
    guard time.isNumeric else {
      throw NodeError("a sample without a time", remedy: "set its `presentationTime`")
    }
    if let end = session.end, time >= end {
      omittedCount += 1
      return []
    }
    switch sample.format.format {
    case .audio(let audio): return try sound(sample, audio, start, session)
    case .video: return frames(sample, start, session)
    default: return try packets(sample, start, session, isVideo: isVideo)
    }
  }

  private mutating func sound(
    _ sample: consuming SampleBuffer, _ audio: AudioFormat, _ start: MediaTime,
    _ session: WriterSession
  ) throws(NodeError) -> [ReadySampleBuffer] {
    let count = sample.frameCount
    let time = sample.presentationTime
    let rate = audio.sampleRate
    func frame(of border: MediaTime) -> Int {
      max(0, min(count, (border - time).frames(at: rate) ?? 0))
    }
    let first = frame(of: start)
    let last = session.end.map { max(first, frame(of: $0)) } ?? count
    guard first < last else {
      omittedCount += 1
      return []
    }
    if first > 0 || last < count {
      guard audio.layout == .interleaved else {
        throw NodeError(
          "a planar block that is only partly in the session",
          remedy: "append blocks that begin and end with it, or interleaved ones")
      }
      sample.trim(
        offset: first * audio.bytesPerFrame, byteCount: (last - first) * audio.bytesPerFrame)
      sample.presentationTime = time + MediaTime(frames: first, at: rate)
      sample.duration = MediaTime(frames: last - first, at: rate)
    }
    return [moved(sample, session)]
  }

  private mutating func frames(
    _ sample: consuming SampleBuffer, _ start: MediaTime, _ session: WriterSession
  ) -> [ReadySampleBuffer] {
    let time = sample.presentationTime
    guard time > start, let shown = waiting.take() else {
      if time < start {
        if waiting != nil { omittedCount += 1 }
        waiting = ReadySampleBuffer(sample)
        return []
      }
      if waiting.take() != nil { omittedCount += 1 }
      return [moved(sample, session)]
    }
    var first = shown.share()
    first.presentationTime = start
    first.duration = time - start
    return [moved(first, session), moved(sample, session)]
  }

  /// By how much times may be off that were counted in other units: a reader's segments begin a quarter
  /// of a sample inside of it.
  private static let rounding = MediaTime(value: 50, timescale: 1_000_000)

  private mutating func packets(
    _ sample: consuming SampleBuffer, _ start: MediaTime, _ session: WriterSession, isVideo: Bool
  ) throws(NodeError) -> [ReadySampleBuffer] {
    var sample = sample
    let time = sample.presentationTime
    if time < start, start - time < Self.rounding {
      sample.presentationTime = start
      if !isVideo, sample.decodeTime.isNumeric { sample.decodeTime = start }
    }
    guard sample.presentationTime < start else { return [moved(sample, session)] }
    if isVideo {
      throw NodeError(
        "an encoded frame at \(time.seconds) s, before the session begins at \(start.seconds) s",
        remedy: "start the session at a key frame, or append raw frames")
    }
    omittedCount += 1
    return []
  }

  private func moved(_ sample: consuming SampleBuffer, _ session: WriterSession)
    -> ReadySampleBuffer
  {
    var sample = sample
    let (presentation, decode) = (sample.presentationTime, sample.decodeTime)
    sample.presentationTime = session.movieTime(presentation)
    if decode.isNumeric { sample.decodeTime = session.movieTime(decode) }
    return ReadySampleBuffer(sample)
  }
}
