import Containers
import GraphKit

/// Writes a CMAF track file: a header, and fragments that each begin with a key frame.
struct TrackFile: TrackWriter {
  private let file: WritableFile
  private var settings: MovieWriter.Settings
  private let language: LanguageTag?
  private var track: SegmentTrack
  /// When the newest sample is decoded, and where the next fragment goes.
  private var decoded = Int64.min
  private var end = 0

  init(
    _ track: OutputTrack, _ settings: MovieWriter.Settings, language: LanguageTag?,
    to file: WritableFile
  ) {
    (self.file, self.settings, self.language) = (file, settings, language)
    let grid = TimeGrid(settings.segmentDuration ?? 1_000_000_000)
    self.track = SegmentTrack(grid, MovieTrackOptions(track), isByItself: true)
  }

  mutating func prepare(for format: FormatDescription, track: Int) throws {
    guard var described = MovieTrackFormat(format, lead: nil) else {
      throw NodeError(
        "a CMAF track can't hold \(format), or its caps lack the codec's configuration",
        remedy: "decode it and encode it again")
    }
    described.language = language?.threeLetters
    described.languageTag = language.flatMap { $0.saysMore ? $0.text : nil }
    self.track.begin(described)
  }

  mutating func note(_ tags: StreamTags, track: Int) {
    settings.tags.texts.merge(tags.texts) { first, _ in first }
    if language == nil, let code = tags.texts["language-code"] { self.track.setLanguage(code) }
  }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    guard let known = MovieSample(sample, after: &decoded) else { return }
    sample.withBytes { self.track.append(known, $0) }
    try writeSegments()
  }

  mutating func end(track: Int) throws {
    self.track.end()
    try writeSegments()
  }

  private mutating func writeSegments() throws {
    for segment in track.takeSegments() {
      if end == 0 { try writeHeader() }
      let bytes = track.bytes(of: segment, from: track.origin ?? 0)
      // Its first eight bytes last: without them readers see zeros, and pass over what follows.
      try file.write(bytes.span.extracting(droppingFirst: 8), at: end + 8)
      try file.write(bytes.span.extracting(first: 8), at: end)
      end += bytes.count
    }
  }

  private mutating func writeHeader() throws {
    let header = track.header(creationTime: settings.creationTime, tags: settings.tags) ?? []
    try file.write(header.span, at: 0)
    end = header.count
  }

  var finishByteCount: Int? { track.pendingByteCount + 16_384 + settings.tags.byteCount }

  mutating func finish() throws {
    if !track.isEnded { try end(track: 0) }
    try file.flush()
  }
}
