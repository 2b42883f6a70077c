public import GraphKit
public import Nodes
import GraphKitSystem

/// Writes samples into a movie, as AVFoundation's `AVAssetWriter` does.
///
/// ```swift
/// let writer = AssetWriter(path: "tone.m4a")
/// let sound = try writer.inputReceiver(
///   for: .audio(AudioFormat(.f32, sampleRate: 48_000, channels: 1)))
/// try writer.start()
/// try writer.startSession(at: .zero)
/// for block in blocks { try await sound.append(block) }
/// try await writer.finishWriting()
/// ```
///
/// Whatever ends the process, what was written until then can be played: all but the last quarter of a
/// second where an input expects samples in real time, else as far as all tracks have come. Safe to use
/// from any task.
public final class AssetWriter: Sendable {
  /// How far writing has come.
  public enum Status: String, Sendable {
    /// It hasn't been started.
    case unknown
    /// Samples may be appended.
    case writing
    /// The movie is whole.
    case completed
    /// It can't be written any further; ``AssetWriter/error`` says why. What is in it can be played.
    case failed
    /// It was cancelled, and there is no movie.
    case cancelled
  }

  /// How a writer behaves.
  public struct Configuration: Sendable {
    /// How long an input waits for another that is behind and gets nothing, before that is an error.
    public var patience = Duration.seconds(4)

    /// The defaults.
    public init() {}
  }

  private let output: WriterOutput
  let core: WriterCore

  /// A writer of a movie at a path: MP4, MOV, M4A, M4V by its ending.
  ///
  /// `configure` sets what the movie says of itself and how it is written, by the parameters of
  /// ``MP4Sink``: `title`, `tags`, `cover`, `transform`, `movieTimescale`, `optimizeForNetworkUse`,
  /// `fragmentDuration`, `overwrite`.
  public init(
    path: String, configuration: Configuration = Configuration(),
    configure: (inout MP4Sink) -> Void = { _ in }
  ) {
    var movie = MP4Sink()
    movie.path = path
    configure(&movie)
    output = .movie(movie)
    core = WriterCore(name: output.name, patience: configuration.patience)
  }

  /// A writer that hands a movie over in segments while it is written, instead of a file: fragmented MP4
  /// as players of HLS and DASH take it, with one input CMAF.
  ///
  /// Each segment begins with a key frame at a multiple of `segmentInterval`, for which the encoders are
  /// asked; of stored samples it is the first key frame since. Where the interval is `nil`, segments end
  /// where ``endSegment()`` says so. `onSegment` gets first what all the others need before them, then
  /// one segment after the other, on a thread of the writer, which waits for it. What it throws is the
  /// writer's error.
  public init(
    segmentInterval: MediaTime?, configuration: Configuration = Configuration(),
    onSegment: @escaping @Sendable (MediaSegment) throws -> Void
  ) {
    let thrown = Monitor<(any Error)?>(nil)
    let receiver = SegmentReceiver { segment in
      do { try onSegment(segment) } catch {
        thrown.withLock { $0 = $0 ?? error }
        throw error
      }
    }
    output = .segments(
      SegmentOutput(to: receiver, segmentDuration: segmentInterval?.seconds ?? 0))
    core = WriterCore(name: output.name, patience: configuration.patience, thrown: thrown)
  }

  /// Where the movie is written; `nil` where segments are handed over.
  public var path: String? { output.path }

  // MARK: Inputs

  /// Adds an input, and returns where its samples are taken.
  ///
  /// Throws what ``reasonAgainst(_:)`` says, and where the writer has been started.
  public func inputReceiver(for input: AssetWriterInput) throws -> SampleReceiver {
    guard status == .unknown else {
      throw NodeError(
        "an input for a writer that has been started", remedy: "add it before `start()`")
    }
    try check(adding: input)
    return core.state.withLock { state in
      let receiver = SampleReceiver(input, number: state.receivers.count + 1, of: core)
      state.receivers.append(receiver)
      return receiver
    }
  }

  /// Adds an input of raw frames, and returns where they are drawn and taken.
  public func pixelBufferReceiver(for input: AssetWriterInput) throws -> PixelBufferReceiver {
    guard case .video(let format) = input.format else {
      throw NodeError(
        "\(input.format) has no pixels", remedy: "give an input of raw video")
    }
    return PixelBufferReceiver(
      try inputReceiver(for: input), pool: try PixelBufferPool(format))
  }

  /// Whether an input can be added.
  public func canAdd(_ input: AssetWriterInput) -> Bool { reasonAgainst(input) == nil }

  /// Why an input can't be added, in words; `nil` where it can.
  public func reasonAgainst(_ input: AssetWriterInput) -> String? {
    do { try check(adding: input) } catch { return "\(error)" }
    return nil
  }

  private func check(adding input: AssetWriterInput) throws {
    let (inputs, groups) = core.state.withLock { ($0.receivers.map(\.input), $0.groups) }
    _ = try WritingGraph(output: output, inputs: inputs + [input], groups: groups)
      .pipeline(stallTimeout: 10)
  }

  // MARK: Groups

  /// Has the tracks of some inputs exclude each other: players present that of the default input, or the
  /// one that users choose.
  ///
  /// Throws what ``reasonAgainst(_:)-(AssetWriterInputGroup)`` says.
  public func add(_ group: AssetWriterInputGroup) throws {
    try check(adding: group)
    core.state.withLock { $0.groups.append(group) }
  }

  /// Whether a group can be added.
  public func canAdd(_ group: AssetWriterInputGroup) -> Bool { reasonAgainst(group) == nil }

  /// Why a group can't be added, in words; `nil` where it can.
  public func reasonAgainst(_ group: AssetWriterInputGroup) -> String? {
    do { try check(adding: group) } catch { return "\(error)" }
    return nil
  }

  private func check(adding group: AssetWriterInputGroup) throws {
    guard status == .unknown else {
      throw NodeError(
        "a group for a writer that has been started", remedy: "add it before `start()`")
    }
    guard output.path != nil else {
      throw NodeError(
        "a group of inputs whose segments are handed over: these say nothing of groups",
        remedy: "say in the stream's playlist which tracks exclude each other")
    }
    let (receivers, groups) = core.state.withLock { ($0.receivers, $0.groups) }
    let all = group.inputs + (group.defaultInput.map { [$0] } ?? [])
    guard all.allSatisfy({ input in receivers.contains { $0 === input } }) else {
      throw NodeError(
        "a group with an input of another writer",
        remedy: "give what this writer's `inputReceiver(for:)` returned")
    }
    _ = try WritingGraph(output: output, inputs: receivers.map(\.input), groups: groups + [group])
      .pipeline(stallTimeout: 10)
  }

  // MARK: Writing

  /// Begins to write. Throws where there is no input, where the movie can't be made, where it is there
  /// already and isn't to be replaced, where another run writes it, and where the writer was started before.
  public func start() throws {
    try core.state.withLock { state in
      guard state.status == .unknown else {
        throw NodeError(
          "the writer of \(core.name) was started already", remedy: "make another one")
      }
      guard !state.receivers.isEmpty else {
        throw NodeError("the writer has no input", remedy: "ask for an `inputReceiver(for:)`")
      }
      let graph = WritingGraph(
        output: output, inputs: state.receivers.map(\.input), groups: state.groups)
      state.session.lead = graph.lead
      let pipeline = try graph.pipeline(stallTimeout: 1e9)
      state.inputs = try state.receivers.indices.map {
        try pipeline.input(WritingGraph.entry($0))
      }
      do throws(PipelineFailure) { try pipeline.openOutputs() } catch {
        throw NodeError(error.message, remedy: error.remedy)
      }
      pipeline.start()
      (state.pipeline, state.status) = (pipeline, .writing)
    }
  }

  /// Says when the movie begins, in the time of the samples: raw audio is cut there to the sample, and
  /// the frame that is on screen then is the movie's first. To be called once.
  public func startSession(at time: MediaTime) throws(NodeError) {
    try core.state.withLock { state throws(NodeError) in
      guard time.isNumeric else {
        throw NodeError("\(time) is no time to begin at", remedy: "give that of a sample")
      }
      guard state.session.parts.isEmpty else {
        throw NodeError(
          "the session of \(core.name) has begun", remedy: "write another file for another session")
      }
      state.session.begin(at: time)
    }
  }

  /// Says when the movie ends, in the time of the samples: what is appended from then on isn't in it.
  public func endSession(at time: MediaTime) throws(NodeError) {
    try core.state.withLock { state throws(NodeError) in
      guard let start = state.session.parts.first?.start, time.isNumeric, time > start else {
        throw NodeError(
          "a session that ends before it has begun",
          remedy: "call `startSession(at:)` first, with an earlier time")
      }
      state.session.end(at: time)
    }
  }

  /// Ends all inputs, and returns once the movie is whole, with an account of what was written.
  ///
  /// Throws why it isn't: the movie can be played all the same, as far as it was written.
  @discardableResult
  public func finishWriting() async throws -> Report {
    _ = try core.input(1)
    let (pipeline, receivers) = core.state.withLock { ($0.pipeline, $0.receivers) }
    for receiver in receivers { receiver.finish() }
    guard let report = await pipeline?.report() else { throw CancellationError() }
    core.conclude(report)
    let (status, error) = core.outcome
    guard status == .completed else { throw error ?? CancellationError() }
    return report
  }

  /// Ends at once, and leaves no movie. Returns once that is so. A file that was there before stays where
  /// nothing was written yet, and so does one that another program has put in its place. A movie of which writing has failed stays, as far as it
  /// was written.
  public func cancelWriting() async {
    // A run that has failed by now has failed, whether or not that was asked.
    _ = core.outcome
    let pipeline = core.state.withLock { state -> Pipeline? in
      guard state.status == .unknown || state.status == .writing else { return nil }
      state.status = .cancelled
      return state.pipeline
    }
    await pipeline?.cancelRemovingFiles()
  }

  /// Ends the segment that is being written with what was appended until now, to each of the inputs: the
  /// next begins with the frame that is appended next, of which the encoder makes a key frame. Stored
  /// frames go on in the segment until the next key frame. Of audio a packet has what follows, too, until
  /// it is full. Throws where the writer has no segments.
  public func endSegment() throws(NodeError) {
    guard case .segments(let segments) = output else {
      throw NodeError(
        "\(core.name) has no segments", remedy: "make the writer with a `segmentInterval`")
    }
    segments.receiver?.endSegment(after: appendedUntil)
  }

  /// Up to when the samples of each input that was appended to are presented, by the inputs' ports. Several
  /// videos have their key frames together.
  private var appendedUntil: [String: MediaTime] {
    let receivers = core.state.withLock { $0.receivers }
    let ports = WritingGraph(output: output, inputs: receivers.map(\.input), groups: []).ports
    let latest = receivers.filter(\.input.isVideo).compactMap(\.appendedUntil).max()
    var times: [String: MediaTime] = [:]
    for (port, receiver) in zip(ports, receivers) {
      let time = receiver.appendedUntil
      times[port] = receiver.input.isVideo ? time.flatMap { _ in latest } : time
    }
    return times
  }

  /// Marks the newest moment that was appended, when the newest sample is presented, and returns its time
  /// in the movie. It becomes a chapter, also where the process is killed.
  @discardableResult
  public func mark(_ title: String) throws -> MediaTime? {
    _ = try core.input(1)
    let (pipeline, receivers, lead) = core.state.withLock {
      ($0.pipeline, $0.receivers, $0.session.lead)
    }
    let newest = receivers.compactMap(\.newestTime).max()
    return try pipeline?.mark(title, at: newest).first.map { $0.time - lead }
  }

  /// How far writing has come.
  public var status: Status { core.outcome.status }

  /// Why it failed; `nil` where it didn't.
  public var error: (any Error)? { core.outcome.error }

  deinit {
    // The last reference is gone, so that it can't be finished.
    core.release()
  }
}
