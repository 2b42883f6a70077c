import Containers
import GraphKit
import GraphKitSystem

/// Writes a run's samples as a stream: segments of each track in files of their own, the playlists
/// that list them, and the manifest.
struct StreamTracks: TrackWriter {
  /// Names of the files of a stream, for those of an earlier one to be removed.
  private static let endings = [".m3u8", ".mpd", ".m4s", "-init.mp4"]

  private let folder: WritableFolder
  private let settings: StreamOutput.Settings
  private let isLive: Bool
  private(set) var renditions: [Rendition]
  /// When the newest sample of each track is decoded.
  private var decoded: [Int64]
  /// When the stream begins, in nanoseconds of the run; `nil` before that is known.
  private var origin: Int64?
  /// The renditions whose header is written, and what the main playlist said of their bandwidths.
  private var headers: Set<Int> = []
  private var bandwidths: [Int] = []
  /// Why a segment couldn't be written, of the first.
  private var loss: (any Error)?
  /// How many segments of a rendition may be missing in a row.
  private static let mostGaps = 3

  init(
    _ tracks: [OutputTrack], _ settings: StreamOutput.Settings, to folder: WritableFolder
  ) {
    (self.folder, self.settings) = (folder, settings)
    isLive = tracks.contains(where: \.isLive)
    decoded = tracks.map { _ in .min }
    var counts = [true: 0, false: 0]
    let grid = TimeGrid(settings.segmentDuration)
    renditions = tracks.map { track in
      counts[track.isVideo, default: 0] += 1
      let rotation = track.rotation ?? .none
      return Rendition(
        "\(track.isVideo ? "video" : "audio")\(counts[track.isVideo] ?? 1)",
        isVideo: track.isVideo, rotation: rotation, SegmentTrack(grid, rotation: rotation))
    }
  }

  mutating func prepare(for format: FormatDescription, track: Int) throws {
    guard var described = MovieTrackFormat(format, lead: nil) else {
      throw NodeError(
        "a stream can't hold \(format), or its caps lack the codec's configuration",
        remedy: "decode it and encode it again")
    }
    described.language = renditions[track].tags["language-code"]
    renditions[track].track.begin(described)
  }

  mutating func note(_ tags: StreamTags, track: Int) {
    renditions[track].tags.merge(tags.texts) { first, _ in first }
    if let language = tags.texts["language-code"] { renditions[track].track.setLanguage(language) }
  }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    guard let known = MovieSample(sample, after: &decoded[track]) else { return }
    sample.withBytes { renditions[track].track.append(known, $0) }
    if renditions[track].track.finishedCount > 0 { try publish() }
  }

  mutating func end(track: Int) throws {
    renditions[track].track.end()
    try publish()
  }

  mutating func finish() throws {
    for index in renditions.indices where !renditions[index].track.isEnded {
      renditions[index].track.end()
    }
    try publish(isComplete: true)
  }

  /// Players of a stream wait for more of it unless its playlists say that it has ended.
  mutating func giveUp() {
    guard let origin else { return }
    for index in renditions.indices where renditions[index].hasSegments {
      try? list(index, isComplete: true)
    }
    try? writeMaster(isComplete: true)
    if settings.hasManifest { try? writeManifest(origin, isComplete: true) }
  }
}

// MARK: Files

extension StreamTracks {
  /// Writes the segments that are complete, and lists them.
  private mutating func publish(isComplete: Bool = false) throws {
    guard let origin = findOrigin() else { return }
    for index in renditions.indices {
      let segments = renditions[index].track.takeSegments()
      for segment in segments { try write(segment, of: index, origin) }
      guard !segments.isEmpty || isComplete, renditions[index].hasSegments else { continue }
      try list(index, isComplete: isComplete)
    }
    try writeMaster(isComplete: isComplete)
    if settings.hasManifest { try writeManifest(origin, isComplete: isComplete) }
  }

  /// The stream begins with the first sample of all: with every track known, or one two segments
  /// ahead of the others.
  private mutating func findOrigin() -> Int64? {
    if let origin { return origin }
    let tracks = renditions.map(\.track)
    let isDue =
      tracks.allSatisfy { $0.start != nil || $0.isEnded }
      || tracks.contains { $0.finishedCount > 1 }
    guard isDue, let first = tracks.compactMap(\.start).min() else { return nil }
    for name in folder.names where Self.endings.contains(where: name.hasSuffix) {
      folder.remove(name)
    }
    origin = first
    return first
  }

  private mutating func write(_ segment: SegmentTrack.Segment, of index: Int, _ origin: Int64)
    throws
  {
    if !headers.contains(index),
      let header = renditions[index].track.header(creationTime: settings.creationTime)
    {
      try folder.write(header, to: renditions[index].headerName, isFlushed: isLive)
      headers.insert(index)
    }
    let number = renditions[index].nextNumber
    let bytes = renditions[index].track.bytes(of: segment, origin: origin)
    var listed = Rendition.Segment(
      number: number, duration: segment.duration,
      date: isLive ? folder.startTime.map { $0 &+ segment.start } : nil,
      time: renditions[index].track.time(of: segment, origin: origin),
      length: renditions[index].track.length(of: segment), byteCount: bytes.count)
    let name = renditions[index].name(ofSegment: number)
    do {
      // What a live stream's playlist names is on the disk before that.
      try folder.write(bytes, to: name, isFlushed: isLive)
    } catch {
      try noteGap(of: index, name, error)
      listed.isGap = true
    }
    renditions[index].add(listed, target: settings.segmentDuration)
  }

  /// A segment couldn't be written. Players are told that it is missing; a disk that takes none any more
  /// ends the run.
  private mutating func noteGap(of index: Int, _ name: String, _ error: any Error) throws {
    loss = loss ?? error
    guard renditions[index].lastGapCount + 1 < Self.mostGaps else { throw error }
    folder.warn("the segment `\(name)` couldn't be written, and is a gap of the stream")
  }

  /// A stream with a gap isn't what was asked for, though it went on.
  func check() throws { if let loss { throw loss } }

  /// Writes the playlist of a rendition, then deletes what no playlist lists any more.
  private mutating func list(_ index: Int, isComplete: Bool) throws {
    var due: [Int] = []
    if isComplete { renditions[index].dropLastGaps() }
    if let window = settings.window {
      due = renditions[index].slide(window: window, target: settings.segmentDuration)
    }
    let kind: MediaPlaylist.Kind =
      settings.window == nil
      ? (isComplete ? .complete : .growing) : (isComplete ? .completeWindow : .sliding)
    let playlist = renditions[index].playlist(kind, segmentDuration: settings.segmentDuration)
    try folder.write(Array(playlist.text.utf8), to: renditions[index].playlistName)
    for number in due { folder.remove(renditions[index].name(ofSegment: number)) }
  }

  /// Writes the main playlist once there is a segment of every rendition, and where one needs more
  /// than it said.
  private mutating func writeMaster(isComplete: Bool) throws {
    let isReady = renditions.allSatisfy {
      $0.hasSegments || $0.track.isEnded || $0.track.start == nil
    }
    let listed = renditions.filter(\.hasSegments)
    let needed = renditions.map(\.peakBitRate)
    let isMore = bandwidths.isEmpty || zip(needed, bandwidths).contains { $0 > $1 }
    guard isComplete || (isReady && isMore), !listed.isEmpty else { return }
    bandwidths = needed
    try folder.write(
      Array(MasterPlaylist(renditions: listed).text.utf8), to: StreamFiles.master)
  }

  private func writeManifest(_ origin: Int64, isComplete: Bool) throws {
    let start = isLive && !isComplete ? folder.startTime.map { $0 &+ origin } : nil
    let manifest = DASHManifest(
      renditions: renditions.filter(\.hasSegments), segmentDuration: settings.segmentDuration,
      window: settings.window, live: start.map { ($0, ProcessTime.nanosecondsSince1970) })
    guard !manifest.renditions.isEmpty else { return }
    try folder.write(Array(manifest.text.utf8), to: StreamFiles.manifest)
  }
}

/// Names of the files of a stream.
enum StreamFiles {
  static let master = "master.m3u8"
  static let manifest = "manifest.mpd"
}
