import GStreamer
import GraphKitSystem

/// Copies what a file has into another in pieces, by its reader's list of samples, as soon as the
/// elements that read it have said what the streams are.
///
/// All calls come on the one thread of these elements. The first samples of the streams are held until
/// all streams have had one. Where one isn't what the list has, or a stream has none for long, the list
/// isn't used, and all samples take the usual way.
final class PieceCopy: Sendable {
  /// What a stream of the file leads to.
  struct Track: Sendable {
    let group: WireGroup
    let index: Int
    let account: TrackAccount?
    /// Samples that are presented at this time of the stream or later don't belong to it.
    let end: UInt64?
  }

  private enum Phase { case isWaiting, isCopying, isCalledOff }

  private struct State {
    var phase = Phase.isWaiting
    var pads: [Pad?]
    let held: [WireGroup.Store]
  }

  /// Samples that are held at most.
  private static let mostHeld = 256

  private let route: PieceRoute
  private let tracks: [Track]
  private let writer: WriterBody
  private let context: RunContext
  private let state: Monitor<State>

  init(_ route: PieceRoute, _ tracks: [Track], to writer: WriterBody, _ context: RunContext) {
    (self.route, self.tracks, self.writer, self.context) = (route, tracks, writer, context)
    state = Monitor(
      State(pads: tracks.map { _ in nil }, held: tracks.map { _ in WireGroup.Store() }))
  }

  /// Takes over what a pad gives, which is a stream's.
  func take(_ pad: Pad, stream: Int) {
    state.withLock { $0.pads[stream] = pad }
    pad.divert { [weak self] _, buffer in
      guard let self else { return .passes(buffer) }
      return receive(buffer, stream)
    } beforeEnd: { [weak self] _ in
      _ = self?.callOff()
    }
  }

  private func receive(_ buffer: consuming Buffer, _ stream: Int) -> Diverted {
    guard state.withLock({ $0.phase }) == .isWaiting else {
      let isOver = state.withLock { $0.phase } == .isCopying
      return isOver ? .isTaken(.endOfStream) : .passes(buffer)
    }
    let held = state.withLock { $0.held }
    let isExpected = !held[stream].items.isEmpty || isFirst(buffer, of: stream)
    held[stream].items.append(buffer)
    guard isExpected, held.reduce(0, { $0 + $1.items.count }) <= Self.mostHeld else {
      return .isTaken(callOff())
    }
    guard held.allSatisfy({ !$0.items.isEmpty }) else { return .isTaken(.ok) }
    state.withLock { $0.phase = .isCopying }
    for store in held { while store.items.popFirst() != nil {} }
    return .isTaken(copy())
  }

  /// Whether a sample is the first that the list has. A parser may have put headers before it, which
  /// the file has elsewhere.
  private func isFirst(_ buffer: borrowing Buffer, of stream: Int) -> Bool {
    guard let first = route.reader.first(of: stream) else { return false }
    return buffer.size >= first.byteCount && buffer.presentationTime == UInt64(first.presentation)
      && (buffer.decodeTime.map { $0 == UInt64(first.decode) } ?? true)
  }

  /// Lets all samples pass, those that were held first; what the last of them met.
  private func callOff() -> Flow {
    let (isFirst, pads, held) = state.withLock { state in
      defer { if state.phase == .isWaiting { state.phase = .isCalledOff } }
      return (state.phase == .isWaiting, state.pads, state.held)
    }
    var result = Flow.ok
    guard isFirst else { return result }
    for (pad, store) in zip(pads, held) {
      while let item = store.items.popFirst() {
        guard case .buffer(let buffer) = consume item, let pad else { continue }
        result = pad.push(buffer)
      }
    }
    return result
  }

  private func copy() -> Flow {
    var reader: any PieceReader = BoundedPieces(route.reader, ends: tracks.map(\.end))
    let flow = writer.prepare(toCopy: reader, duration: route.duration)
    guard flow == .ok else { return flow }
    do throws(NodeError) {
      // The elements, which a run that is to end asks, are waiting for this call.
      while !context.isFinishing.load(ordering: .relaxed), !context.gate.isAbandoned,
        let piece = try reader.next(duration: route.duration)
      {
        let flow = hand(over: piece)
        guard flow == .ok else { return flow }
      }
    } catch {
      // What it waited for was stopped with the pipeline.
      guard !context.gate.isAbandoned else { return .flushing }
      context.fail(PipelineFailure(node: route.source, error))
      return .error
    }
    return .endOfStream
  }

  private func hand(over piece: FilePiece) -> Flow {
    let flow = writer.copy(piece)
    guard flow == .ok else { return flow }
    for (stream, track) in tracks.enumerated() {
      let samples = piece.samples.lazy.filter { $0.stream == stream }
      track.account?.add(samples)
      track.group.noteCopied(samples.count { _ in true }, on: track.index)
    }
    return flow
  }
}

/// Pieces without the samples that are presented after the ends of their streams.
private struct BoundedPieces: PieceReader {
  private var reader: any PieceReader
  private let ends: [UInt64?]

  init(_ reader: any PieceReader, ends: [UInt64?]) { (self.reader, self.ends) = (reader, ends) }

  func first(of stream: Int) -> FileSample? { reader.first(of: stream) }

  mutating func next(duration: Int64) throws(NodeError) -> FilePiece? {
    guard var piece = try reader.next(duration: duration) else { return nil }
    if ends.contains(where: { $0 != nil }) {
      piece.samples.removeAll { sample in
        ends[sample.stream].map { UInt64(sample.presentation) >= $0 } ?? false
      }
    }
    return piece
  }
}

extension TrackAccount {
  /// Counts samples that were copied past its input.
  fileprivate func add(_ samples: some Sequence<FileSample>) {
    count { entered in
      for sample in samples {
        entered.add(UInt64(sample.presentation), UInt64(max(0, sample.duration)))
      }
    }
  }
}
