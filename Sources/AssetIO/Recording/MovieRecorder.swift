public import GraphKit
import GraphKitSystem
public import Nodes

/// Records what devices hand out into a movie: begins with a picture, halts without a gap, keeps what
/// came before, and drops what comes too late.
///
/// ```swift
/// let recorder = try MovieRecorder(path: "talk.mp4")
/// let pictures = try recorder.input(for: .video(camera))
/// let sound = try recorder.input(for: .audio(microphone))
/// try recorder.prepare()
/// // A thread of each device: pictures.append(frame), sound.append(block)
/// try recorder.record()
/// try recorder.mark("Question")
/// let report = try await recorder.finish()
/// ```
///
/// ```text
/// idle ── prepare ──► preparing ── record, picture ──► recording ── finish ──► finishing ──► finished
///                                                       │      ▲
///                                                     pause   record, picture
///                                                       ▼      │
///                                                        paused ── finish ──►
/// ```
///
/// From every state but the last ones it may go to `failed` and, by ``cancel()``, to `cancelled`.
/// Whatever ends the process, all but the last quarter of a second can be played, and `graphctl repair`
/// makes chapters of the marks that were set. Safe to use from any task.
public final class MovieRecorder: Sendable {
  /// Where a recorder is.
  public enum State: String, Sendable {
    /// Inputs may be added.
    case idle
    /// Devices may append; what they do is looked at, and kept as far as the pre-roll goes.
    case preparing
    /// What comes is in the movie.
    case recording
    /// What comes isn't in the movie, which goes on where it halted.
    case paused
    /// What encoders still hold is written.
    case finishing
    /// The movie is whole.
    case finished
    /// It can't be written any further; ``MovieRecorder/error`` says why. What is in it can be played.
    case failed
    /// It was cancelled, and there is no movie.
    case cancelled

    /// Whether no other state follows.
    public var isEnd: Bool { self == .finished || self == .failed || self == .cancelled }
  }

  let core: RecorderCore
  private let inputs = Monitor<[RecorderInput]>([])
  private let preRoll: Double
  private var writer: AssetWriter { core.writer }

  /// A recorder of a movie at a path: MP4, MOV, M4A, M4V by its ending.
  ///
  /// `preRoll` is how much of what came before ``record()`` is in the movie, in seconds: that is encoded
  /// and kept in memory from ``prepare()`` on, and begins with a key frame. `configure` sets what the
  /// movie says of itself, by the parameters of ``MP4Sink``. Throws where the pre-roll is negative or
  /// longer than ten minutes.
  public init(path: String, preRoll: Double = 0, configure: (inout MP4Sink) -> Void = { _ in })
    throws(NodeError)
  {
    guard (0...600).contains(preRoll) else {
      throw NodeError("a pre-roll of \(preRoll) s", remedy: "give one from 0 to 600 s")
    }
    self.preRoll = preRoll
    let writer = AssetWriter(path: path) { movie in
      configure(&movie)
      if preRoll > 0 { (movie.preRoll, movie.recording) = (preRoll, false) }
    }
    core = RecorderCore(
      writer, preRoll: MediaTime(seconds: preRoll, preferredTimescale: 1_000_000))
  }

  deinit {
    // The last reference is gone, so that it can't be finished: what was recorded until now is whole.
    core.conclude(.finished)
    writer.core.release()
  }

  // MARK: Inputs

  /// Adds an input of raw samples, and returns where they are taken. Recordings begin with a sample of
  /// the first input of video, or of the first one where there is no video.
  ///
  /// Throws what `AssetWriter.inputReceiver(for:)` throws, and where the samples are encoded already.
  public func input(for input: AssetWriterInput) throws -> RecorderInput {
    guard input.isRaw else {
      throw NodeError(
        "a recorder of samples that are encoded already",
        remedy: "let a graph with `mp4Sink` record them, by its parameter `recording`")
    }
    var input = input
    input.expectsMediaDataInRealTime = true
    let taker = RecorderInput(try writer.inputReceiver(for: input), core)
    inputs.withLock { inputs in
      inputs.append(taker)
      core.lead(by: (inputs.firstIndex(where: \.input.isVideo) ?? 0) + 1)
    }
    return taker
  }

  // MARK: Recording

  /// Makes all ready to record. Throws what `AssetWriter.start()` throws.
  public func prepare() throws {
    try core.go(to: .preparing, from: [.idle], "call `prepare()` once") { _ in try writer.start() }
    guard let pipeline = writer.core.state.withLock({ $0.pipeline }) else { return }
    // It holds the recorder's state alone, and ends with the pipeline.
    Task { [core] in core.conclude(await pipeline.report()) }
  }

  /// Records from the next picture on, or goes on after ``pause()``; with a pre-roll, from so much before
  /// now on. Where no picture comes for ten seconds, it begins with the other inputs' samples of that time.
  public func record() throws {
    try core.want()
    guard preRoll > 0 else { return }
    try writer.core.state.withLock { $0.pipeline }?.set("movie.recording", .bool(true))
  }

  /// Halts the recording after the newest picture that has come; where none has come since ``record()``, it
  /// isn't recorded from the next on.
  public func pause() throws { try core.halt() }

  /// Makes a chapter of the newest moment of the movie, and returns its time in it.
  @discardableResult
  public func mark(_ title: String) throws -> MediaTime? {
    guard [.recording, .paused].contains(state) else {
      throw error ?? NodeError("nothing is recorded yet", remedy: "set marks after `record()`")
    }
    return try writer.mark(title)
  }

  /// Ends the recording, and returns once the movie is whole, with an account of what was written.
  ///
  /// Throws why it isn't, and where nothing was recorded: then there is no movie. That the task is
  /// cancelled which waits for it changes nothing: ``cancel()`` gives a recording up.
  @discardableResult
  public func finish() async throws -> Report {
    let isEmpty = state == .preparing
    try core.go(
      to: .finishing, from: [.preparing, .recording, .paused], "call `finish()` after `prepare()`")
    return try await Task { try await end(isEmpty: isEmpty) }.value
  }

  private func end(isEmpty: Bool) async throws -> Report {
    do {
      if isEmpty {
        await writer.cancelWriting()
        throw NodeError("nothing was recorded", remedy: "call `record()`, and append pictures")
      }
      try await finishInputs()
      let report = try await writer.finishWriting()
      core.conclude(.finished)
      return report
    } catch {
      core.conclude(.failed, error)
      throw error
    }
  }

  private func finishInputs() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for input in inputs.withLock({ $0 }) { group.addTask { try await input.finish() } }
      try await group.waitForAll()
    }
  }

  /// Ends at once, and leaves no movie.
  public func cancel() async {
    core.conclude(.cancelled)
    await writer.cancelWriting()
  }

  // MARK: What it says

  /// Where it is.
  public var state: State { core.state }

  /// Where it is, and each state that follows, up to the last.
  public var states: AsyncStream<State> { core.states }

  /// Why it failed; `nil` where it didn't.
  public var error: (any Error)? { core.error }

  /// How long the movie is so far, by what has come; with a pre-roll to within the distance of two key
  /// frames, since it begins with one.
  public var duration: MediaTime { core.duration }

  /// How many samples of all inputs came late and aren't in the movie.
  public var lateCount: Int { inputs.withLock { $0.reduce(0) { $0 + $1.lateCount } } }
}
