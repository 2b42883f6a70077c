import GraphKitSystem
import Media

/// Reads the tracks of Matroska and WebM files, and counts their samples, without GStreamer.
///
/// The names of elements and what they hold are those of RFC 9559, 5.1. A file without an index, as
/// one that is being written, is read all the same: what is counted are the blocks themselves.
public enum MatroskaReader {
  /// Looks into a file. Of samples only the headers are read; a broken file is an error, never a
  /// trap. Of a file that was cut off, samples count up to the last whole one.
  public static func read(_ path: String) throws(NodeError) -> ContainerSummary {
    guard let summary = try summary(of: path) else {
      throw NodeError(
        "`\(path)` is no Matroska file, or has no tracks", remedy: "give one that was written whole"
      )
    }
    return summary
  }

  private static func summary(of path: String) throws(NodeError) -> ContainerSummary? {
    do throws(File.Failure) {
      var walk = MatroskaWalk(file: try File(path))
      guard let tracks = try walk.read() else { return nil }
      return ContainerSummary(
        tracks: tracks, duration: tracks.map { $0.start + $0.duration }.max() ?? 0,
        isFragmented: walk.isUnfinished, isOptimizedForNetworkUse: false)
    } catch {
      throw NodeError("`\(path)` can't be read: \(error.text)", remedy: "give another file")
    }
  }
}

/// A walk over the elements of a file, from its beginning on. Those that hold others are entered, so
/// that it doesn't matter whether they say where they end.
private struct MatroskaWalk {
  private var elements: EBMLElements
  private var tracks: [MatroskaTrack] = []
  /// Nanoseconds that a unit of time has.
  private var scale = 1_000_000
  private var clusterTime = 0
  /// The number of the track that the newest block belongs to, in `tracks`.
  private var newest: Int?
  /// How long the block of the group is that is read, where it has said so.
  private var blockDuration: Double?
  /// Whether the file doesn't say where it ends, as one that wasn't finished.
  private(set) var isUnfinished = false

  init(file: File) { elements = EBMLElements(file: file) }

  /// The tracks; `nil` where there are none.
  mutating func read() throws(File.Failure) -> [ContainerSummary.Track]? {
    guard let head = try elements.next(), head.id == 0x1a45_dfa3, let end = head.end else {
      return nil
    }
    elements.offset = end
    while let element = try elements.next() {
      if Self.masters.contains(element.id) {
        enter(element)
      } else {
        // One that is cut off isn't counted.
        guard let end = element.end, end <= elements.size else { break }
        try take(element)
        elements.offset = end
      }
    }
    return tracks.isEmpty ? nil : tracks.map { $0.summary(unit: Double(scale) / 1e9) }
  }

  /// Segment, Info, Tracks, TrackEntry, Cluster and BlockGroup.
  private static let masters: Set<Int> = [
    0x1853_8067, 0x1549_a966, 0x1654_ae6b, 0xae, 0x1f43_b675, 0xa0,
  ]

  private mutating func enter(_ element: EBMLElements.Element) {
    switch element.id {
    case 0x1853_8067: isUnfinished = element.end.map { $0 > elements.size } ?? true
    case 0xae: tracks.append(MatroskaTrack())
    // What a group says of its block may come before that.
    case 0xa0: (newest, blockDuration) = (nil, nil)
    default: break
    }
    elements.offset = element.start
  }

  private mutating func take(_ element: EBMLElements.Element) throws(File.Failure) {
    switch element.id {
    // TimestampScale
    case 0x2ad7b1: scale = max(1, min(try elements.number(element), 1_000_000_000))
    // TrackNumber, TrackType, CodecID, DefaultDuration
    case 0xd7, 0x83, 0x86, 0x23e383: try describeTrack(element)
    // Timestamp of a cluster
    case 0xe7: clusterTime = min(try elements.number(element), 1 << 53)
    // SimpleBlock, Block
    case 0xa3, 0xa1: try takeBlock(element)
    // BlockDuration
    case 0x9b:
      blockDuration = Double(min(try elements.number(element), 1 << 53))
      extendBlock()
    default: break
    }
  }

  /// Takes what an element says of the track whose entry it is in.
  private mutating func describeTrack(_ element: EBMLElements.Element) throws(File.Failure) {
    guard let last = tracks.indices.last else { return }
    switch element.id {
    case 0xd7: tracks[last].number = try elements.number(element)
    case 0x83: tracks[last].type = try elements.number(element)
    case 0x86: tracks[last].codec = try elements.text(element)
    default: tracks[last].sampleDuration = try elements.number(element)
    }
  }

  /// A block: the track's number, when it is presented after its cluster, flags, and how many samples
  /// it has where they are laced (RFC 9559, 10.1).
  private mutating func takeBlock(_ element: EBMLElements.Element) throws(File.Failure) {
    let head = try elements.bytes(at: element.start, count: 13)
    guard let number = EBML.number(head, 0), head.count >= number.end + 3 else { return }
    newest = tracks.firstIndex { $0.number == number.value }
    guard let newest else { return }
    let time = Int(Int16(bitPattern: UInt16(head[number.end]) << 8 | UInt16(head[number.end + 1])))
    let isLaced = head[number.end + 2] & 0x06 != 0
    let count = isLaced && head.count > number.end + 3 ? Int(head[number.end + 3]) + 1 : 1
    tracks[newest].add(count, at: Double(clusterTime + time), scale: scale)
    if element.id == 0xa1 { extendBlock() }
  }

  /// Has the block of a group end where the group says, once both have come.
  private mutating func extendBlock() {
    guard let newest, let blockDuration else { return }
    tracks[newest].extend(by: blockDuration)
  }
}

/// A track of a Matroska file, and what was counted of it. Times are in the file's units.
private struct MatroskaTrack {
  var number = 0
  var type = 0
  var codec = ""
  /// How long a sample is, in nanoseconds; 0 where the file doesn't say.
  var sampleDuration = 0
  private var sampleCount = 0
  private var start: Double?
  private var end = 0.0
  private var newestTime = 0.0
  /// From one sample to the next: how long the last one is, where nothing says that.
  private var step = 0.0
  private var lasts = false

  mutating func add(_ count: Int, at time: Double, scale: Int) {
    if start != nil { step = abs(time - newestTime) }
    sampleCount += count
    start = min(start ?? time, time)
    newestTime = time
    lasts = sampleDuration > 0
    end = max(end, time + Double(sampleDuration) * Double(count) / Double(scale))
  }

  mutating func extend(by duration: Double) {
    lasts = true
    end = max(end, newestTime + duration)
  }

  /// What the report says of it; `unit` is in seconds.
  func summary(unit: Double) -> ContainerSummary.Track {
    let start = start ?? 0
    let length = max(0, max(end, newestTime + (lasts ? 0 : step)) - start) * unit
    return ContainerSummary.Track(
      identifier: number, kind: kind, codec: codec, timescale: Int((1 / unit).rounded()),
      sampleCount: sampleCount, mediaDuration: length, start: start * unit, duration: length)
  }

  private var kind: MediaKind {
    switch type {
    case 1: .video
    case 2: .audio
    case 17: .text
    default: .any
    }
  }
}
