import GraphKit

/// A file, or a part of one, that is played several times without a gap, decoded.
///
/// Each time is a ``FilePass`` of its own: no time needs more memory than the first, and each is what
/// the file gives once. A time is as long as the longest of its tracks, and the next begins there; what
/// a track lacks is filled as ``Concat`` fills it.
struct LoopedFile: SourceNode {
  private var file = FileSource()
  private var tracks: [LoopedTrack] = []
  /// How often it is played; 0 for without end.
  private var count = 1
  private var environment: any Environment = LiveEnvironment()
  private var wired: [LoopedLane] = []
  /// What each time is; made at the first, which knows the tracks.
  private var plan: Plan?
  private var pass: FilePass?
  private var played = 0
  private var ready = ReadyOutputs()

  /// No file; for the engine, which has one.
  init() {}

  /// A file, of which the environment knows the streams.
  init(_ file: FileSource, _ tracks: [LoopedTrack], count: Int, in environment: any Environment) {
    (self.file, self.tracks, self.count) = (file, tracks, count)
    self.file.loop = 1
    self.environment = environment
  }

  static let declaration = NodeDeclaration<LoopedFile>(
    "loopedFile", role: .source, help: "A file that is played several times.", example: "")

  static let ports = SourcePorts<Video>(help: "The first track.")

  var portDeclarations: [PortDeclaration] { tracks.map(\.declaration) }

  var fileShortfall: String? { file.fileShortfall }

  mutating func start(to outputs: NodeOutputs) throws {
    // Another run has another copy of the node.
    ready = ReadyOutputs()
    wired = tracks.indices.filter { outputs.isWired($0) }
      .map { LoopedLane(tracks[$0], output: $0) }
  }

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    do { return try send(to: outputs) } catch let error as NodeError where file.isolate {
      // What another process reads may fail at any time, and the rest of the run goes on.
      outputs.fail(error)
      return false
    }
  }

  private mutating func send(to outputs: NodeOutputs) throws -> Bool {
    guard try fill(outputs) else { return true }
    let waiting = wired.indices.filter { wired[$0].next != nil }
      .sorted { (wired[$0].time, $0) < (wired[$1].time, $1) }
    guard let first = waiting.first else { return try begin(after: outputs) }
    // What joins several tracks waits for those that have nothing yet, or have ended.
    let time = wired[first].start + wired[first].time
    for index in wired.indices where index != first {
      try wired[index].keepUp(with: time, outputs)
    }
    guard wired.contains(where: { !$0.isOver }) else { throw FlowStopped.enough }
    let order = waiting.filter { $0 == first || wired[$0].mayLead }
    guard let place = ready.choose(from: order.map { wired[$0].output }, of: outputs) else {
      return true
    }
    try wired[order[place]].send(to: outputs)
    return true
  }

  /// Waits for the next sample of each track; `false` where that isn't over. With a process of its own, it
  /// is that which may not take too long.
  private mutating func fill(_ outputs: NodeOutputs) throws -> Bool {
    let pass = try self.pass ?? makePass()
    self.pass = pass
    if file.isolate { outputs.setAwaiting(true) }
    for index in wired.indices where try !wired[index].takeNext(from: pass, index) { return false }
    if file.isolate { outputs.setAwaiting(false) }
    return true
  }

  private mutating func makePass() throws -> FilePass {
    let plan = try self.plan ?? FilePass.plan(file, wired.map(\.track), in: environment)
    self.plan = plan
    return try FilePass(plan, trackCount: wired.count, in: environment)
  }

  /// Fills all tracks to the end of the longest, and begins again.
  private mutating func begin(after outputs: NodeOutputs) throws -> Bool {
    try conclude(outputs)
    let end = wired.map(\.end).max() ?? .zero
    guard end > (wired.first?.start ?? .zero) else {
      throw NodeError(
        "`\(file.path)` gives no samples, and can't be played again",
        remedy: "leave out `loop`", key: "loop")
    }
    for index in wired.indices { try wired[index].begin(at: end, outputs) }
    played += 1
    return count == 0 || played < count
  }

  /// Takes what is said of a time that is over; of the first, as the others are the same.
  private mutating func conclude(_ outputs: NodeOutputs) throws {
    guard let (failure, warnings) = pass.take()?.conclude() else { return }
    for text in warnings where played == 0 && text != fileShortfall && text != failure?.message {
      outputs.warn(text)
    }
    if let failure { throw failure }
  }
}

/// One track of a ``LoopedFile`` on its way.
struct LoopedLane: Sendable {
  let track: LoopedTrack
  /// The node's output that it leaves by.
  let output: Int
  /// When the present time began.
  private(set) var start = MediaTime.zero
  /// The sample that is sent next.
  private(set) var next: HeldFrame?
  private var hasEnded = false
  /// Whether nothing that follows takes more of the track. Others may go on, so it is read on, too.
  private(set) var isOver = false
  /// How far the track has been read since then.
  private var readEnd = MediaTime.zero
  private var format: FormatDescription?
  private var video: JoinedVideo
  private var audio: JoinedAudio

  /// A track for one of the node's outputs.
  init(_ track: LoopedTrack, output: Int) {
    (self.track, self.output) = (track, output)
    let format = track.format
    let size = format.width.flatMap { width in
      format.height.map { JoinedVideo.Size(width: width, height: $0) }
    }
    video = JoinedVideo(size: size, frameRate: format.frameRate, output: output)
    audio = JoinedAudio(sampleRate: track.sampleRate, channels: track.channels, output: output)
  }

  /// When the next sample is presented in its time.
  var time: MediaTime { next.map { $0.time.isNumeric ? $0.time : .zero } ?? .positiveInfinity }
  /// As far as the track has come.
  var end: MediaTime { max(readEnd, track.isVideo ? video.end : audio.end) }

  /// Whether the next sample may leave before an earlier one of another track: nothing has to be filled
  /// before it.
  var mayLead: Bool { track.isVideo && video.hasBegun }

  /// Waits for a sample, where none is held and the track goes on; `false` where none has come yet.
  mutating func takeNext(from pass: FilePass, _ index: Int) throws -> Bool {
    guard next == nil, !hasEnded else { return true }
    guard let sample = try pass.next(of: index) else {
      hasEnded = pass.isOver(index)
      return hasEnded
    }
    if format !== sample.format {
      format = sample.format
      if track.isVideo {
        try video.prepare(sample.format)
      } else {
        try audio.prepare(sample.format)
      }
    }
    next = HeldFrame(sample)
    return true
  }

  /// Sends the sample that is held.
  mutating func send(to outputs: NodeOutputs) throws {
    guard let held = next.take() else { return }
    guard !isOver else {
      if held.end.isNumeric { readEnd = max(readEnd, start + held.end) }
      return
    }
    try unlessOver(outputs) {
      if $0.track.isVideo {
        _ = try $0.video.add(held.sample.share(), to: outputs)
      } else {
        _ = try $0.audio.add(held.sample.share(), to: outputs)
      }
    }
  }

  /// Sends, until nothing that follows takes more.
  private mutating func unlessOver(
    _ outputs: NodeOutputs, _ body: (inout LoopedLane) throws -> Void
  ) throws {
    guard !isOver else { return }
    do { try body(&self) } catch let stop as FlowStopped where stop.isEnough {}
    isOver = !outputs.takesMore(output)
  }

  /// Fills what the track lacks up to a time that another has come to: audio at any time, and video that
  /// hasn't begun or has ended.
  mutating func keepUp(with time: MediaTime, _ outputs: NodeOutputs) throws {
    try unlessOver(outputs) {
      if !$0.track.isVideo {
        try $0.audio.fill(until: time, to: outputs)
      } else if $0.next == nil ? $0.hasEnded : !$0.video.hasBegun {
        try $0.video.fill(until: time, to: outputs)
      }
    }
  }

  /// Fills the track up to the end of its time, where the next begins.
  mutating func begin(at time: MediaTime, _ outputs: NodeOutputs) throws {
    try unlessOver(outputs) {
      if $0.track.isVideo {
        try $0.video.fill(until: time, to: outputs)
        $0.video.begin(at: time)
        try $0.video.announce(to: outputs)
      } else {
        try $0.audio.fill(until: time, to: outputs)
        $0.audio.begin(at: time)
        try $0.audio.announce(to: outputs)
      }
    }
    (start, hasEnded) = (time, false)
  }
}
