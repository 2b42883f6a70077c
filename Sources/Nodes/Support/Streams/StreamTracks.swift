import Containers
import GraphKit
import GraphKitSystem

/// Makes segments of a run's samples, and hands those that are complete to what writes them.
struct StreamTracks: TrackWriter {
  private let folder: WritableFolder
  private let settings: StreamOutput.Settings
  private let isLive: Bool
  private let publisher: StreamPublisher
  private var tracks: [SegmentTrack]
  private var tags: [[String: String]]
  /// When the newest sample of each track is decoded.
  private var decoded: [Int64]
  /// When the stream begins, in nanoseconds of the run; `nil` before that is known.
  private var origin: Int64?
  /// The tracks whose header is handed over.
  private var headers: Set<Int> = []

  init(
    _ tracks: [OutputTrack], _ settings: StreamOutput.Settings, to folder: WritableFolder
  ) {
    (self.folder, self.settings) = (folder, settings)
    isLive = tracks.contains(where: \.isLive)
    decoded = tracks.map { _ in .min }
    tags = tracks.map { _ in [:] }
    let grid = TimeGrid(settings.segmentDuration)
    let isByItself = tracks.count == 1
    self.tracks = tracks.map {
      SegmentTrack(grid, MovieTrackOptions($0), isByItself: isByItself)
    }
    publisher = StreamPublisher(
      StreamFolder(Self.renditions(tracks), settings, isLive: isLive, in: folder), isLive: isLive)
  }

  private static func renditions(_ tracks: [OutputTrack]) -> [Rendition] {
    var counts = [true: 0, false: 0]
    return tracks.map { track in
      counts[track.isVideo, default: 0] += 1
      var rendition = Rendition(
        "\(track.isVideo ? "video" : "audio")\(counts[track.isVideo] ?? 1)",
        isVideo: track.isVideo, rotation: track.rotation ?? .none)
      rendition.label = track.label ?? TrackLabel()
      return rendition
    }
  }

  mutating func prepare(for format: FormatDescription, track: Int) throws {
    guard var described = MovieTrackFormat(format, lead: nil) else {
      throw NodeError(
        "a stream can't hold \(format), or its caps lack the codec's configuration",
        remedy: "decode it and encode it again")
    }
    described.language = tags[track]["language-code"]
    tracks[track].begin(described)
  }

  mutating func note(_ new: StreamTags, track: Int) {
    tags[track].merge(new.texts) { first, _ in first }
    if let language = new.texts["language-code"] { tracks[track].setLanguage(language) }
  }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    try publisher.throwFailure()
    guard let known = MovieSample(sample, after: &decoded[track]) else { return }
    sample.withBytes { tracks[track].append(known, $0) }
    if tracks[track].finishedCount > 0 { try publish() }
  }

  mutating func end(track: Int) throws {
    tracks[track].end()
    try publish()
  }

  mutating func finish() throws {
    for index in tracks.indices where !tracks[index].isEnded { tracks[index].end() }
    guard findOrigin() != nil else { throw NodeError.isEmpty("stream", no: "sample") }
    try publish(isComplete: true)
    try publisher.finish()
  }

  /// A stream with a gap isn't what was asked for, though it went on.
  func check() throws { if let loss = publisher.loss { throw loss } }

  mutating func giveUp() { publisher.close() }
}

extension StreamTracks {
  /// Hands over the segments that are complete.
  private mutating func publish(isComplete: Bool = false) throws {
    guard let origin = findOrigin() else { return }
    let startTime = isLive ? folder.startTime : nil
    var update = StreamUpdate(
      tracks: [], start: startTime.map { $0 &+ origin }, isComplete: isComplete)
    for index in tracks.indices { update.tracks.append(take(index, origin, startTime)) }
    try publisher.publish(update)
  }

  /// The stream begins when the first sample of all is decoded: with every track known, or one two
  /// segments ahead of the others.
  private mutating func findOrigin() -> Int64? {
    if let origin { return origin }
    let isDue =
      tracks.allSatisfy { $0.start != nil || $0.isEnded }
      || tracks.contains { $0.finishedCount > 1 }
    if isDue { origin = tracks.compactMap(\.origin).min() }
    return origin
  }

  private mutating func take(
    _ index: Int, _ origin: Int64, _ startTime: Int64?
  ) -> StreamUpdate.Track {
    let segments = tracks[index].takeSegments().map { segment in
      StreamUpdate.Segment(
        bytes: tracks[index].bytes(of: segment, from: origin), duration: segment.duration,
        date: startTime.map { $0 &+ segment.start },
        time: tracks[index].time(of: segment, from: origin),
        length: tracks[index].length(of: segment))
    }
    let track = tracks[index]
    let needsHeader = !segments.isEmpty && headers.insert(index).inserted
    return StreamUpdate.Track(
      facts: StreamUpdate.Facts(
        format: track.format, codecName: track.codecName, timescale: track.timescale,
        hasStarted: track.start != nil, isEnded: track.isEnded, tags: tags[index]),
      header: needsHeader ? track.header(creationTime: settings.creationTime) : nil,
      segments: segments)
  }
}
