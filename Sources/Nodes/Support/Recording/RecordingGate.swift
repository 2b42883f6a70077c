import GraphKit

/// What is recorded of what comes to a movie.
struct RecordingSettings: Hashable, Sendable {
  /// Whether what comes is recorded now.
  var isRecording = true
  /// How much of what came before is recorded with it, in nanoseconds.
  var preRoll: Int64 = 0
  /// Whether each recording is a part of its own.
  var makesParts = false
}

/// Has a movie's writer write what comes while it is to be recorded, and what came a little earlier.
///
/// The moment at which something is asked for is the end of the newest sample of any track: encoders
/// hand on some tracks later than others. A recording begins with a key frame of the leader, the last
/// one before the pre-roll or else the first that is held, and ends at its moment in every track. A
/// movie goes on where its last recording ended; in parts, each recording is a part.
///
/// The first track of video leads. While it is silent for longer than an encoder may take, another does.
struct RecordingGate: TrackWriter {
  private enum Phase: Hashable {
    /// Nothing is written before a recording is asked for.
    case holding
    case recording
    /// Samples are written up to a time of the run.
    case ending(at: Int64)
  }

  /// A recording that was asked for and hasn't begun: the leader hasn't come to it.
  private struct Request: Hashable {
    /// From when on what comes is recorded, up to a key frame, and until when.
    let start: Int64
    var end: Int64?
  }

  /// How much later than the newest sample of any track others may come and still be recorded.
  private static let patience: Int64 = 5_000_000_000
  /// How much later than the newest sample of any track those of the first may come and still lead.
  private static let longestSilence: Int64 = 10_000_000_000

  private var writer: any TrackWriter
  private let settings: RecordingSettings
  private let tracks: [OutputTrack]
  private let primary: Int
  private var leader: Int { didSet { held.leader = leader } }
  /// When the first sample of all begins.
  private var opening: Int64?
  private var formats: [FormatDescription?]
  /// By how much each track is presented before its times.
  private var leads: [Int64?]
  /// Whether what comes now is to be recorded.
  private var isWanted: Bool
  private var requests: [Request] = []
  private var phase: Phase
  private var held: HeldPackets
  /// When a key frame is presented before which nothing is given up.
  private var nextTrim = Int64.min
  /// By how much samples are written later than they came; `nil` before the first recording.
  private var shift: Int64?
  /// Where the newest sample of each track ends by its own times, and where what was written of it is
  /// presented no longer.
  private var newest: [Int64]
  private var written: [Int64]
  /// Up to when each track has come: nothing that is presented earlier follows.
  private var reached: [Int64]
  private var hasEnded: [Bool]
  /// Tracks whose samples are left out up to a key frame that comes after what was written of them.
  private var needsKeyFrame: [Bool]
  private var omitted: [Int]

  init(_ writer: any TrackWriter, _ tracks: [OutputTrack], _ settings: RecordingSettings) {
    (self.writer, self.settings, self.tracks) = (writer, settings, tracks)
    (formats, leads) = (tracks.map { _ in nil }, tracks.map { _ in nil })
    primary = tracks.firstIndex(where: \.isVideo) ?? 0
    leader = primary
    isWanted = settings.isRecording
    phase = settings.isRecording ? .recording : .holding
    shift = settings.isRecording ? 0 : nil
    held = HeldPackets(leader: primary)
    newest = tracks.map { _ in .min }
    (written, reached, omitted) = (newest, newest, tracks.map { _ in 0 })
    (hasEnded, needsKeyFrame) = (tracks.map { _ in false }, tracks.map { _ in false })
  }

  mutating func adopt(_ output: any FileOutput) throws {
    guard let movie = output as? MovieOutput else { return }
    guard movie.recording.isRecording != isWanted else { return }
    isWanted.toggle()
    if isWanted {
      requests.append(Request(start: earliest))
    } else if requests.isEmpty {
      phase = .ending(at: now)
    } else {
      requests[requests.count - 1].end = now
    }
    try advance()
  }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    guard let time = sample.presentationTime.nanoseconds else { return }
    let start = time.subtractingClamped(lead(of: track, sample))
    let end = start.addingClamped(max(0, sample.duration.nanoseconds ?? 0))
    newest[track] = max(newest[track], end.addingClamped(time &- start))
    reached[track] = max(reached[track], sample.decodeTime.nanoseconds ?? start)
    chooseLeader(track, start)
    switch phase {
    case .recording: return try forward(sample, start, end, to: track)
    case .ending(let time) where start < time: try forward(sample, start, end, to: track)
    default: hold(HeldPacket(sample, of: track, start, end))
    }
    try advance()
  }

  /// A device that is gone holds up no recording.
  private mutating func chooseLeader(_ track: Int, _ start: Int64) {
    opening = min(opening ?? start, start)
    let last = newest[primary] == .min ? opening ?? start : newest[primary]
    if track == primary {
      leader = primary
    } else if leader == primary, now >= last.addingClamped(Self.longestSilence) {
      leader = track
    }
  }

  private mutating func lead(of track: Int, _ first: borrowing SampleBuffer) -> Int64 {
    if let lead = leads[track] { return lead }
    var bytes: [UInt8] = []
    first.withBytes { bytes.append(copying: $0) }
    let lead = tracks[track].leadLength(formats[track], first: bytes)
    leads[track] = lead
    return lead
  }

  // MARK: Before a recording

  private mutating func hold(_ item: HeldPacket) {
    held.append(item)
    guard item.track == leader, item.sample.isSync, item.start >= nextTrim else { return }
    nextTrim = item.start.addingClamped(1_000_000_000)
    if let first = held.beginning(at: requests.first?.start ?? earliest) {
      count(held.discard(before: first))
    }
    while held.byteCount > HeldPackets.mostBytes, let next = held.secondBeginning {
      count(held.discard(before: next))
    }
  }

  /// Where the newest sample ends: the moment at which something is asked for.
  private var now: Int64 { newest.max() ?? 0 }

  /// When a recording begins that is asked for now, up to a key frame.
  private var earliest: Int64 { now.subtractingClamped(settings.preRoll) }

  private mutating func count(_ tracks: [Int]) { for track in tracks { omitted[track] += 1 } }

  /// Begins and ends what is due.
  private mutating func advance() throws {
    if case .ending(let time) = phase, reached.indices.allSatisfy({ has(come: $0, to: time) }) {
      phase = .holding
    }
    // Up to then there may be a key frame nearer to it.
    guard phase == .holding, let request = requests.first, has(come: leader, to: request.start),
      let start = held.beginning(at: request.start)
    else { return }
    requests.removeFirst()
    try begin(at: start, until: request.end)
    if request.end != nil { try advance() }
  }

  /// Whether nothing more comes of a track that is presented before a time. A device that has fallen
  /// silent is waited for no longer.
  private func has(come track: Int, to time: Int64) -> Bool {
    hasEnded[track] || reached[track] >= time
      || track != leader && now >= time.addingClamped(Self.patience)
  }

  private mutating func begin(at start: Int64, until end: Int64?) throws {
    count(held.discard(before: start))
    if let shift {
      if settings.makesParts { _ = writer.split() } else { self.shift = shift &+ seam(at: start) }
    } else {
      shift = -start
    }
    phase = end.map { .ending(at: $0) } ?? .recording
    needsKeyFrame = needsKeyFrame.map { _ in true }
    for item in held.takeAll() {
      if let end, item.start >= end {
        held.append(item)
      } else {
        try forward(item.sample, item.start, item.end, to: item.track)
      }
    }
  }

  /// By how much what begins at a time is written earlier than it would be, or later, to go on where
  /// all tracks have ended.
  private func seam(at start: Int64) -> Int64 {
    let end = written.max() ?? start
    return end &- (start &+ (shift ?? 0))
  }

  // MARK: While it records

  private mutating func forward(
    _ sample: borrowing SampleBuffer, _ start: Int64, _ end: Int64, to track: Int
  ) throws {
    let shift = shift ?? 0
    if needsKeyFrame[track], sample.isSync, track == leader || start &+ shift >= written[track] {
      needsKeyFrame[track] = false
    }
    guard !needsKeyFrame[track] else {
      omitted[track] += 1
      return
    }
    written[track] = max(written[track], end &+ shift)
    // A movie that is recorded from the beginning has the lead in its edit list.
    let offset = settings.isRecording ? shift : shift &- (leads[track] ?? 0)
    guard offset != 0 else { return try writer.write(sample, to: track) }
    var moved = sample.share()
    let (presentation, decode) = (moved.presentationTime, moved.decodeTime)
    let time = MediaTime(nanoseconds: offset)
    moved.presentationTime = presentation + time
    if decode.isNumeric { moved.decodeTime = decode + time }
    try writer.write(moved, to: track)
  }

  mutating func end(track: Int) throws {
    hasEnded[track] = true
    try advance()
    if hasEnded.allSatisfy(\.self) { count(held.takeAll().map(\.track)) }
    try writer.end(track: track)
  }

  func omittedCount(track: Int) -> Int { omitted[track] + writer.omittedCount(track: track) }

  mutating func mark(_ title: String) throws -> MediaTime? {
    try checkThatItRecords()
    return try writer.mark(title)
  }

  mutating func mark(_ title: String, at time: MediaTime) throws -> MediaTime? {
    try checkThatItRecords()
    return try writer.mark(title, at: time + MediaTime(nanoseconds: shift ?? 0))
  }

  private func checkThatItRecords() throws(NodeError) {
    guard phase == .holding else { return }
    throw NodeError("nothing is recorded now", remedy: "set marks while `recording` is true")
  }

  // MARK: What only the writer knows

  mutating func prepare(for format: FormatDescription, track: Int) throws {
    formats[track] = format
    try writer.prepare(for: format, track: track)
  }
  mutating func note(_ tags: StreamTags, track: Int) { writer.note(tags, track: track) }
  mutating func prepare(toCopy pieces: any PieceReader, duration: Int64) throws {
    try writer.prepare(toCopy: pieces, duration: duration)
  }
  mutating func copy(_ piece: FilePiece) throws { try writer.copy(piece) }
  var finishByteCount: Int? { writer.finishByteCount.map { $0 + held.byteCount } }
  var bytesPerSecond: Int { writer.bytesPerSecond }
  // Where nothing was ever recorded there is no file.
  mutating func finish() throws { if shift != nil { try writer.finish() } }
  func check() throws { if shift != nil { try writer.check() } }
  func lossReason(track: Int) -> String? { writer.lossReason(track: track) }
  mutating func split() -> Bool { writer.split() }
  mutating func giveUp() { writer.giveUp() }
}
