import Containers
import GraphKit
import GraphKitSystem

/// The folder of a stream: segments in files of their own, the playlists that list them, and the
/// manifest.
struct StreamFolder: Sendable {
  /// Names of the files of a stream, for those of an earlier one to be removed.
  private static let endings = [".m3u8", ".mpd", ".m4s", "-init.mp4"]
  /// How many segments of a rendition may be missing in a row.
  private static let mostGaps = 3

  private let folder: WritableFolder
  private let settings: StreamOutput.Settings
  private let isLive: Bool
  private var renditions: [Rendition]
  private var isBegun = false
  private var hasFailed = false
  private var start: Int64?
  /// What the main playlist said of the renditions' bandwidths.
  private var bandwidths: [Int] = []
  /// Why a segment couldn't be written, of the first.
  private(set) var loss: (any Error)?

  init(
    _ renditions: [Rendition], _ settings: StreamOutput.Settings, isLive: Bool,
    in folder: WritableFolder
  ) {
    (self.renditions, self.settings) = (renditions, settings)
    (self.isLive, self.folder) = (isLive, folder)
  }

  /// Writes the segments of an update, then lists them.
  mutating func write(_ update: StreamUpdate) throws {
    if !isBegun { removeEarlier() }
    start = update.start
    for (index, track) in update.tracks.enumerated() {
      renditions[index].facts = track.facts
    }
    for (index, track) in update.tracks.enumerated() {
      if let header = track.header {
        try folder.write(header, to: renditions[index].headerName, isFlushed: isLive)
      }
      for segment in track.segments { try write(segment, of: index) }
      guard !track.segments.isEmpty || update.isComplete, renditions[index].hasSegments else {
        continue
      }
      try list(index, isComplete: update.isComplete)
    }
    try writeMaster(isComplete: update.isComplete)
    if settings.hasManifest { try writeManifest(isComplete: update.isComplete) }
  }

  private mutating func removeEarlier() {
    isBegun = true
    for name in folder.names where Self.endings.contains(where: name.hasSuffix) {
      folder.remove(name)
    }
  }

  /// Players of a stream wait for more of it unless its playlists say that it has ended.
  mutating func close() {
    guard isBegun else { return }
    hasFailed = true
    for index in renditions.indices where renditions[index].hasSegments {
      try? list(index, isComplete: true)
    }
    try? writeMaster(isComplete: true)
    if settings.hasManifest { try? writeManifest(isComplete: true) }
  }

  private mutating func write(_ segment: StreamUpdate.Segment, of index: Int) throws {
    let number = renditions[index].nextNumber
    var listed = Rendition.Segment(
      number: number, duration: segment.duration, date: segment.date, time: segment.time,
      length: segment.length, byteCount: segment.bytes.count)
    let name = renditions[index].name(ofSegment: number)
    do {
      // What a live stream's playlist names is on the disk before that.
      try folder.write(segment.bytes, to: name, isFlushed: isLive)
    } catch {
      try noteGap(of: index, name, error)
      listed.isGap = true
    }
    renditions[index].add(listed, target: settings.segmentDuration)
  }

  /// A segment couldn't be written. The playlist says that it is missing; a disk that takes none any more
  /// ends the run.
  private mutating func noteGap(of index: Int, _ name: String, _ error: any Error) throws {
    loss = loss ?? error
    guard renditions[index].lastGapCount + 1 < Self.mostGaps else { throw error }
    folder.warn("the segment `\(name)` couldn't be written, and is a gap of the stream")
  }

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
    try write(playlist.text, to: renditions[index].playlistName, isComplete)
    for number in due { folder.remove(renditions[index].name(ofSegment: number)) }
  }

  /// Writes the main playlist once there is a segment of every rendition, and where one needs more
  /// than it said.
  private mutating func writeMaster(isComplete: Bool) throws {
    let isReady = renditions.allSatisfy {
      $0.hasSegments || $0.facts.isEnded || !$0.facts.hasStarted
    }
    let listed = renditions.filter(\.hasSegments)
    let needed = renditions.map(\.peakBitRate)
    let isMore = bandwidths.isEmpty || zip(needed, bandwidths).contains { $0 > $1 }
    guard isComplete || (isReady && isMore), !listed.isEmpty else { return }
    bandwidths = needed
    try write(MasterPlaylist(renditions: listed).text, to: StreamFiles.master, isComplete)
  }

  private func writeManifest(isComplete: Bool) throws {
    var manifest = DASHManifest(
      renditions: renditions.filter(\.hasSegments), segmentDuration: settings.segmentDuration,
      window: settings.window,
      live: isComplete ? nil : start.map { ($0, ProcessTime.nanosecondsSince1970) })
    manifest.wasLive = isLive
    guard !manifest.renditions.isEmpty else { return }
    try write(manifest.text, to: StreamFiles.manifest, isComplete)
  }

  /// Writes what lists segments. What is said last is on the disk when the run says that it is done;
  /// what was said before may be older there, and names nothing that isn't. Where the run has failed, it
  /// may be the disk that doesn't flush, and players wait all the same.
  private func write(_ text: String, to name: String, _ isComplete: Bool) throws {
    try folder.write(Array(text.utf8), to: name, isFlushed: isLive && isComplete && !hasFailed)
  }
}

/// Names of the files of a stream.
enum StreamFiles {
  static let master = "master.m3u8"
  static let manifest = "manifest.mpd"
}
