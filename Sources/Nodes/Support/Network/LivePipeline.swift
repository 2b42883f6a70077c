import GraphKit
import GraphKitSystem

/// One connection at work: a pipeline of its own, so that what goes wrong in it is no failure of the run.
///
/// One thread takes its samples. The connection ends with its last reference.
final class LivePipeline: Sendable {
  private let pipeline: Pipeline
  private let outputs: [SampleOutput]
  /// Whether something has come, and which of the outputs will say so.
  private let signal: Monitor<Signal>

  private struct Signal {
    var hasCome = false
    var isAsked: [Bool]
  }

  /// Connects; `formats` are those that its tracks are converted to.
  init(
    _ connection: LiveConnection, formats: [MediaFormat?], in environment: any Environment
  ) throws {
    var builder = GraphBuilder(catalog: .builtIn)
    Self.add(connection, like: formats, to: &builder)
    var configuration = Pipeline.Configuration()
    // How long nothing may come, the node knows.
    configuration.stallTimeout = 1e9
    configuration.closingTimeout = 0.5
    pipeline = try Pipeline(
      Plan(builder.build(in: environment)), environment: environment, configuration: configuration)
    outputs = try connection.tracks.indices.map { [pipeline] in try pipeline.output(Self.exit($0)) }
    signal = Monitor(Signal(isAsked: outputs.map { _ in false }))
    pipeline.start()
  }

  private static func add(
    _ connection: LiveConnection, like formats: [MediaFormat?], to builder: inout GraphBuilder
  ) {
    guard let element = connection.address.receiver else {
      let source = builder.add("connection", connection)
      for (index, track) in connection.tracks.enumerated() {
        track.connect(source, as: exit(index), like: formats[index], in: &builder)
      }
      return
    }
    var (receiver, demuxer) = (TransportReceiver(), TransportDemuxer())
    (receiver.element, demuxer.tracks) = (element, connection.tracks)
    let (source, stream) = (builder.add("connection", receiver), builder.add("stream", demuxer))
    builder.connect(source.output, to: stream.input)
    for (index, track) in connection.tracks.enumerated() {
      guard track.isVideo else {
        let decoder = decode(track, of: stream, in: &builder)
        track.connect(decoder, as: exit(index), like: formats[index], in: &builder)
        continue
      }
      track.connect(stream, as: exit(index), like: formats[index], in: &builder)
    }
  }

  private static func exit(_ index: Int) -> String { "track\(index)" }

  private static func decode(
    _ track: LiveTrack, of stream: NodeHandle<TransportDemuxer>, in builder: inout GraphBuilder
  ) -> NodeHandle<TransportDecoder> {
    var decoder = TransportDecoder()
    decoder.track = track
    let frames = builder.add("frames", TransportAudio())
    let node = builder.add("decoder", decoder)
    builder.connect(stream.audio, to: frames.input)
    builder.connect(frames.output, to: node.input)
    return node
  }

  deinit {
    pipeline.cancel()
    // The next one may need its port; a sender that is gone may hold it up.
    pipeline.waitForEnd(seconds: 0.5)
  }

  /// How long the stream is, in seconds; `nil` for one that goes on.
  var length: Double? { pipeline.duration.flatMap { $0 > 0 ? $0 : nil } }

  /// Has what is on its way come to its end: parsers and decoders hold samples until more comes.
  func finish() { pipeline.finish() }

  /// The next sample of a track, where there is one now.
  func next(of track: Int) -> SampleBuffer? { outputs[track].nextIfAvailable() }

  /// Whether no sample follows.
  var hasEnded: Bool {
    pipeline.isFailing || outputs.allSatisfy { $0.hasEnded || $0.isStopped }
  }

  /// Why it has ended; `nil` where the sender has ended it in order.
  var failure: String? {
    if outputs.allSatisfy(\.hasEnded), !pipeline.isFailing { return nil }
    return pipeline.waitForEnd(seconds: 1)?.failure?.connectionReason ?? "the connection failed"
  }

  /// Waits until something may have come of some tracks, or for so many nanoseconds.
  func wait(for tracks: [Int], nanoseconds: Int64) {
    for index in tracks {
      let isNew = signal.withLock { state in
        defer { state.isAsked[index] = true }
        return !state.isAsked[index]
      }
      guard isNew else { continue }
      outputs[index].whenNextComes { [signal] in
        signal.withLock { ($0.hasCome, $0.isAsked[index]) = (true, false) }
        signal.wakeAll()
      }
    }
    signal.withLock { state in
      if !state.hasCome { signal.wait(&state, nanoseconds: UInt64(max(0, nanoseconds))) }
      state.hasCome = false
    }
  }
}
