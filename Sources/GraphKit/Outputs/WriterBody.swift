import GStreamer
import GraphKitSystem

/// The element that a ``TrackWriter`` is: an input for each track, and no output.
///
/// The threads of the inputs call the writer in turn, and never wait for each other's samples.
final class WriterBody: ElementBody, Sendable {
  private struct State {
    var writer: any TrackWriter
    var formats: [FormatDescription?]
    var origins: [Int64]
    /// What of each input's stream is presented, in the time of its buffers.
    var segments: [ClosedRange<UInt64>]
    var hasEnded: [Bool]
    /// Whether the writer has thrown: what it would write on would have a hole before it.
    var hasFailed = false
    /// Whether the file has no room for more of an input's samples.
    var isFull: [Bool]

    /// A sample in the time of the run; `nil` where it isn't presented.
    func presented(_ sample: FileSample) -> FileSample? {
      let input = sample.stream
      guard !hasEnded[input], segments[input].contains(UInt64(max(0, sample.presentation))) else {
        return nil
      }
      var sample = sample
      sample.presentation = sample.presentation.subtractingClamped(origins[input])
      sample.decode = sample.decode.subtractingClamped(origins[input])
      return sample
    }
  }

  private let node: String
  private let constraints: [Caps?]
  /// The file; `nil` where there is none.
  private let claim: OutputClaim?
  private let context: RunContext
  private let onEnd: @Sendable () -> Void
  private let state = Monitor<State?>(nil)

  /// A writer of tracks that each take some caps. `onEnd` is called when all of them have ended.
  init(
    node: String, constraints: [Caps?], claim: OutputClaim?, context: RunContext,
    onEnd: @escaping @Sendable () -> Void
  ) {
    self.node = node
    self.constraints = constraints
    self.claim = claim
    self.context = context
    self.onEnd = onEnd
  }

  /// Gives it its writer, before anything comes.
  func open(_ writer: any TrackWriter) {
    let count = constraints.count
    state.withLock {
      $0 = State(
        writer: writer, formats: Array(repeating: nil, count: count),
        origins: Array(repeating: 0, count: count),
        segments: Array(repeating: 0 ... .max, count: count),
        hasEnded: Array(repeating: false, count: count),
        isFull: Array(repeating: false, count: count))
    }
  }

  func receive(_ buffer: consuming Buffer, on input: Int) -> Flow {
    context.gate.pass()
    let time = buffer.presentationTime
    var pending = Optional(buffer)
    return perform { state in
      guard !state.hasFailed else { return .error }
      guard !state.hasEnded[input] else { return .endOfStream }
      // What is outside of its segment isn't presented, as where a file's edit list begins later.
      if let time, !state.segments[input].contains(time) { return .ok }
      guard let format = state.formats[input], let buffer = pending.take() else {
        return .notNegotiated
      }
      if state.isFull[input] || !makeRoom(for: buffer.size, state.writer) {
        // Smaller ones might fit, and need this one to be decoded.
        state.isFull[input] = true
        return .ok
      }
      let sample = SampleBuffer(buffer, format: format, origin: state.origins[input])
      try state.writer.write(sample, to: input)
      return .ok
    }
  }

  /// Has the writer look at all samples that will be copied, before the first of them.
  func prepare(toCopy pieces: any PieceReader, duration: Int64) -> Flow {
    perform { state in
      guard !state.hasFailed else { return .error }
      guard !state.formats.contains(where: { $0 == nil }) else { return .notNegotiated }
      try state.writer.prepare(toCopy: pieces, duration: duration)
      return .ok
    }
  }

  /// Takes samples that are in another file, their streams numbered as the inputs. What isn't
  /// presented is left out, as is what comes after the end of its input.
  func copy(_ piece: FilePiece) -> Flow {
    context.gate.pass()
    claim?.expectSamples()
    return perform { state in
      guard !state.hasFailed else { return .error }
      guard state.hasEnded.contains(false) else { return .endOfStream }
      guard !state.formats.contains(where: { $0 == nil }) else { return .notNegotiated }
      var piece = piece
      piece.samples = piece.samples.compactMap(state.presented)
      if state.isFull.contains(true) || !makeRoom(for: piece.byteCount, state.writer) {
        state.isFull = state.isFull.map { _ in true }
        return .ok
      }
      try state.writer.copy(piece)
      return .ok
    }
  }

  /// Whether a sample can be written and the file finished after it.
  private func makeRoom(for count: Int, _ writer: any TrackWriter) -> Bool {
    guard let claim, let rest = writer.finishByteCount else { return true }
    // Queues and encoders hold a second or two.
    return claim.makeRoom(for: count + rest, more: max(1 << 18, 3 * writer.bytesPerSecond))
  }

  func handle(_ event: consuming Event, on input: Int) -> Bool {
    if let origin = event.segmentOrigin, let bounds = event.segmentBounds {
      state.withLock {
        $0?.origins[input] = origin
        $0?.segments[input] = bounds
      }
    }
    let (kind, ofFile) = (event.kind, event.areTagsOfFile)
    return perform { state in
      switch kind {
      case .caps(let caps):
        let format = context.description(of: caps)
        state.formats[input] = format
        if !state.hasFailed { try state.writer.prepare(for: format, track: input) }
      case .tags(let texts, let pictures):
        let tags = StreamTags(texts, pictures, ofFile: ofFile)
        context.warnOfPictures(in: tags, at: node)
        state.writer.note(tags, track: input)
      case .endOfStream: try end(input, &state)
      default: break
      }
      return .ok
    } == .ok
  }

  private func end(_ input: Int, _ state: inout State) throws {
    guard !state.hasEnded[input] else { return }
    state.hasEnded[input] = true
    defer {
      if !state.hasEnded.contains(false) {
        claim?.noteEndOfTracks()
        onEnd()
      }
    }
    if !state.hasFailed { try state.writer.end(track: input) }
  }

  private func perform(_ body: (inout State) throws -> Flow) -> Flow {
    do {
      return try state.withLock { state in
        guard var open = state.take() else { return .flushing }
        defer { state = open }
        do { return try body(&open) } catch {
          open.hasFailed = true
          throw error
        }
      }
    } catch {
      context.fail(failure(error))
      return .error
    }
  }

  private func failure(_ error: any Error) -> PipelineFailure {
    PipelineFailure(node: node, error, remedy: "look at what the node does with its samples")
  }

  /// Completes the file, after all threads have stopped.
  func finish() throws(PipelineFailure) {
    do {
      try state.withLock { try $0?.writer.finish() }
    } catch {
      throw failure(error)
    }
  }

  /// Has the writer compare the finished file with what it wrote.
  func check() throws(PipelineFailure) {
    do {
      try state.withLock { try $0?.writer.check() }
    } catch {
      throw failure(error)
    }
  }

  /// Why samples of a track aren't in the file that were handed over.
  func lossReason(track: Int) -> String? { state.withLock { $0?.writer.lossReason(track: track) } }

  /// How many samples of a track were left out on purpose.
  func omittedCount(track: Int) -> Int {
    state.withLock { $0?.writer.omittedCount(track: track) ?? 0 }
  }

  /// Hands the writer the output that its node makes of other live parameters.
  func adopt(_ output: any FileOutput) {
    _ = perform { state in
      if !state.hasFailed { try state.writer.adopt(output) }
      return .ok
    }
  }

  /// Has the writer begin another part of its file; whether it has parts.
  func split() -> Bool { state.withLock { $0?.writer.split() ?? false } }

  /// Has the writer mark a moment of its file, or the newest; when that is, or `nil` where the file has no
  /// marks, or all that comes to it has come.
  func mark(_ title: String, at time: MediaTime?) throws -> MediaTime? {
    try state.withLock { state in
      guard let open = state, !open.hasFailed, open.hasEnded.contains(false) else { return nil }
      guard let time else { return try state?.writer.mark(title) }
      return try state?.writer.mark(title, at: time)
    }
  }

  /// Has the writer leave its file as it is, after all threads have stopped.
  func giveUp() { state.withLock { $0?.writer.giveUp() } }

  func caps(ofInput input: Int, filter: Caps?) -> Caps? { constraints[input] }
}
