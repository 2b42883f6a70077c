import GraphKit

/// The part of a file that a ``FileSource`` reads.
struct FileRange {
  /// The latest moment that can be named, in seconds: 300 years.
  static let limit = 1e10

  /// The part in the file's time; its duration is infinite where it goes on to the file's end.
  let times: MediaTimeRange

  /// The part that parameters name; `nil` where that is the whole file.
  init?(of source: FileSource) {
    guard source.from != nil || source.to != nil || source.duration != nil else { return nil }
    let start = MediaTime(source.from ?? 0)
    let length = source.duration.map { MediaTime($0) } ?? source.to.map { MediaTime($0) - start }
    times = MediaTimeRange(start: start, duration: length ?? .positiveInfinity)
  }

  /// The range in nanoseconds; one without an end goes on to the last of them.
  var nanoseconds: Range<Int64> {
    let start = times.start.nanoseconds ?? 0
    let end = times.duration.isNumeric ? times.end.nanoseconds ?? .max : .max
    return start..<max(start, end)
  }

  /// What is wrong with the parameters together.
  static func problem(of source: FileSource) -> NodeError? {
    if source.to != nil, source.duration != nil {
      return NodeError(
        "`to` and `duration` both say where the part ends", remedy: "give one of them",
        key: "duration")
    }
    guard let range = FileRange(of: source), range.times.isEmpty else { return nil }
    guard let end = source.to else {
      return NodeError(
        "the part lasts no time", remedy: "give a `duration` above 0", key: "duration")
    }
    return NodeError(
      "the part ends at \(end) s, and begins at \(source.from ?? 0) s",
      remedy: "give a `to` after `from`", key: "to")
  }

  /// Refuses a file that has nothing in the range, or can't be read in part.
  func check(_ path: String, _ streams: [DiscoveredStream]) throws(NodeError) {
    if streams.contains(where: \.isAnimation) {
      throw NodeError(
        "`\(path)` is a GIF, which is read as a whole",
        remedy: "leave out `from`, `to` and `duration`", key: "path")
    }
    let lengths = streams.map { $0.duration ?? .zero }
    // Without a length of each, the last may go on for longer.
    guard !lengths.contains(.zero), let end = lengths.max(), times.start >= end else { return }
    throw NodeError(
      "`\(path)` ends at \(end.seconds) s, before the part that is to be read",
      remedy: "give a `from` before its end", key: "from")
  }

  /// The frames of raw audio in the range: those that begin in it, but for rounding.
  func part(of pcm: PCMLocation) -> PCMLocation {
    let rate = Int32(clamping: pcm.format.sampleRate)
    let first = min(pcm.frameCount, Int(clamping: times.start.converted(to: rate).value))
    let isWhole = times.duration.isInfinite
    let last = isWhole ? .max : Int(clamping: times.end.converted(to: rate).value)
    var part = pcm
    part.offset += first * pcm.format.bytesPerFrame
    part.frameCount = max(0, min(last, pcm.frameCount) - first)
    return part
  }
}

extension MediaTime {
  /// A parameter's number of seconds, to the nanosecond where that is possible.
  fileprivate init(_ seconds: Double) {
    self.init(seconds: seconds, preferredTimescale: seconds < 1e9 ? 1_000_000_000 : 1_000)
  }
}
