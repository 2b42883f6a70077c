import Containers
import GraphKit
import GraphKitSystem

/// A movie that is handed to a program in segments, and the writer that it has for a run.
struct SegmentedMovie: FileOutput {
  let settings: MovieWriter.Settings
  /// The interval at which encoders are asked for key frames; `nil` for none.
  let interval: MediaTime?
  /// The languages of tracks, by their ports.
  let languages: [String: LanguageTag]
  let receiver: SegmentReceiver
  /// What movies ask of the packets, segments do.
  private let movie = MovieOutput(file: OutputFile("", replaces: false))

  init(
    _ settings: MovieWriter.Settings, interval: MediaTime?, languages: [String: LanguageTag],
    to receiver: SegmentReceiver
  ) {
    (self.settings, self.interval, self.receiver) = (settings, interval, receiver)
    self.languages = languages
  }

  var file: OutputFile? { nil }

  var tracks: TrackRules? {
    var rules = TrackRules(fileName: "stream")
    rules.keyFrameInterval = interval
    rules.asksForKeyFrames = true
    rules.gatheredCodecs = movie.tracks?.gatheredCodecs ?? []
    return rules
  }

  func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] {
    movie.padFilters(for: format, track)
  }
  func trackCaps(for format: FormatConstraint) -> String { movie.trackCaps(for: format) }

  func makeWriter(
    _ tracks: [OutputTrack], askingForKeyFrames ask: @escaping @Sendable (MediaTime?) -> Void
  ) -> (any TrackWriter)? {
    receiver.begin(askingForKeyFrames: ask)
    return SegmentTracks(
      tracks, settings, languages: tracks.map { languages[$0.port] }, to: receiver)
  }
}

/// Hands the samples of a run to a program, in segments.
struct SegmentTracks: TrackWriter {
  private var movie: MovieTracks
  private let ports: [String]
  private let receiver: SegmentReceiver

  init(
    _ tracks: [OutputTrack], _ settings: MovieWriter.Settings, languages: [LanguageTag?],
    to receiver: SegmentReceiver
  ) {
    let memory = SegmentMemory()
    movie = MovieTracks(
      tracks, settings: settings,
      listing: SegmentDelivery(ports: tracks.map(\.port), from: memory, to: receiver),
      to: memory, path: "the stream")
    movie.languageTags = languages
    (ports, self.receiver) = (tracks.map(\.port), receiver)
  }

  mutating func prepare(for format: FormatDescription, track: Int) throws {
    try movie.prepare(for: format, track: track)
  }

  mutating func note(_ tags: StreamTags, track: Int) { movie.note(tags, track: track) }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    for end in receiver.takeRequests() { cut(at: end) }
    try movie.write(sample, to: track)
  }

  private mutating func cut(at end: SegmentEnd) {
    switch end {
    case .nextKeyFrame: movie.cutAtNextKeyFrame()
    case .after(let times):
      let known = ports.enumerated().compactMap { index, port in
        times[port]?.nanoseconds.map { (index, $0) }
      }
      movie.cut(after: Dictionary(uniqueKeysWithValues: known))
    }
  }

  mutating func end(track: Int) throws { try movie.end(track: track) }
  mutating func finish() throws { try movie.finish() }
  func lossReason(track: Int) -> String? { movie.lossReason(track: track) }

  mutating func split() -> Bool {
    receiver.endSegment()
    return true
  }
}

/// The end of a movie's file that hasn't been handed on, in memory.
final class SegmentMemory: MovieDestination {
  private struct State {
    var bytes: [UInt8] = []
    /// Where in the file the first of them is.
    var start = 0
  }
  private let state = Monitor(State())

  func write(_ new: Span<UInt8>, at offset: Int) throws {
    state.withLock { state in
      let first = offset - state.start
      let gap = first - state.bytes.count
      if gap > 0 { state.bytes.append(contentsOf: repeatElement(0, count: gap)) }
      let known = min(new.count, state.bytes.count - first)
      for index in 0..<known { state.bytes[first + index] = new[index] }
      state.bytes.append(copying: new.extracting(droppingFirst: known))
    }
  }

  /// Hands over bytes, and forgets them and all before them.
  func take(_ range: Range<Int>) -> [UInt8] {
    state.withLock { state in
      let part = range.lowerBound - state.start..<range.upperBound - state.start
      let taken = Array(state.bytes[part])
      state.bytes.removeFirst(part.upperBound)
      state.start = range.upperBound
      return taken
    }
  }
}

/// Hands segments over as they come to an end.
struct SegmentDelivery: SegmentListing {
  private let ports: [String]
  private let memory: SegmentMemory
  private let receiver: SegmentReceiver
  private var number = 0

  init(ports: [String], from memory: SegmentMemory, to receiver: SegmentReceiver) {
    (self.ports, self.memory, self.receiver) = (ports, memory, receiver)
  }

  mutating func update(_ segments: inout MovieSegments, isComplete: Bool) throws {
    guard let head = segments.head else { return }
    for segment in segments.takeSegments() {
      if number == 0 {
        let none = MediaTimeRange(start: .zero, duration: .zero)
        try receiver.hand(
          over: MediaSegment(
            kind: .initialization, bytes: memory.take(head), timeRange: none, tracks: []))
      }
      number += 1
      try receiver.hand(over: media(segment))
    }
  }

  private func media(_ segment: MovieSegments.Segment) -> MediaSegment {
    let type = SegmentType.bytes(isTrack: ports.count == 1)
    return MediaSegment(
      kind: .media(number: number), bytes: type + memory.take(segment.bytes),
      timeRange: MediaTimeRange(segment.start..<segment.start &+ segment.duration),
      tracks: segment.tracks.sorted { $0.key < $1.key }.map { number, track in
        MediaSegment.Track(
          port: ports[number - 1], timeRange: MediaTimeRange(track.presentation),
          sampleCount: track.sampleCount, firstByteCount: track.firstByteCount,
          startsWithSync: track.startsWithSync)
      })
  }
}

extension MediaTimeRange {
  /// What is between two times in nanoseconds.
  fileprivate init(_ range: Range<Int64>) {
    self.init(
      start: MediaTime(nanoseconds: range.lowerBound),
      end: MediaTime(nanoseconds: range.upperBound))
  }
}
