import GraphKit

/// A file that is read and decoded from beginning to end, once, by a pipeline of its own.
///
/// One thread takes its samples, which waits for them. It ends with its last reference.
final class FilePass: Sendable {
  private let pipeline: Pipeline
  private let outputs: [SampleOutput]

  /// Reads so many tracks, as a plan for them has it.
  init(_ plan: Plan, trackCount: Int, in environment: any Environment) throws {
    var configuration = Pipeline.Configuration()
    // How long nothing may come, the run knows that the file is for.
    configuration.stallTimeout = 1e9
    pipeline = try Pipeline(plan, environment: environment, configuration: configuration)
    var outputs: [SampleOutput] = []
    for index in 0..<trackCount { outputs.append(try pipeline.output(Self.exit(index))) }
    self.outputs = outputs
    pipeline.start()
  }

  /// A plan for any number of passes over the tracks of a file, each converted to its format.
  static func plan(
    _ file: FileSource, _ tracks: [LoopedTrack], in environment: any Environment
  ) throws -> Plan {
    var builder = GraphBuilder(catalog: .builtIn)
    let source = builder.add("file", file)
    for (index, track) in tracks.enumerated() {
      track.connect(source, as: exit(index), in: &builder)
    }
    let known = KnownFile(base: environment, streams: file.streams.map(\.stream))
    do { return try Plan(builder.build(in: known)) } catch { throw NodeError(ofFile: error) }
  }

  /// An environment with one file, which has been looked into.
  private struct KnownFile: ForwardingEnvironment {
    let base: any Environment
    let streams: [DiscoveredStream]

    func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] { streams }

    func discover(isolated input: IsolatedInput) throws(NodeError) -> (
      streams: [DiscoveredStream], shortfall: String?
    ) { (streams, nil) }
  }

  deinit { pipeline.cancel() }

  /// The node by which a track leaves.
  private static func exit(_ track: Int) -> String { "track\(track)" }

  /// How long a call waits for a sample: as long as it does, the run can't end in order.
  private static let patience: UInt64 = 50

  /// The next sample of a track; `nil` where none has come yet, and at its end.
  func next(of track: Int) throws -> SampleBuffer? {
    if let sample = outputs[track].waitForNext(milliseconds: Self.patience) { return sample }
    if isOver(track), let failure = failure(after: track) { throw failure }
    return nil
  }

  /// Whether no sample of a track follows those that were given.
  func isOver(_ track: Int) -> Bool { outputs[track].hasEnded || outputs[track].isStopped }

  /// Waits for the end, once all tracks have ended: what was wrong with the file as a whole.
  func conclude() -> (failure: NodeError?, warnings: [String]) {
    let report = pipeline.waitForReport()
    return (report.failure.map { NodeError(ofFile: $0) }, (report.warnings ?? []).map(\.message))
  }

  /// Why the file can't be read on, where that is why a track has ended.
  private func failure(after track: Int) -> NodeError? {
    guard !outputs[track].hasEnded else { return nil }
    let failure = pipeline.waitForReport().failure
    return NodeError(
      failure?.message ?? "the file can't be read on",
      remedy: failure?.remedy ?? "check the file", key: "path")
  }
}

/// A track of a file that is played several times, as it leaves: decoded, in one format.
struct LoopedTrack: Sendable {
  /// The port of the file.
  let port: String
  let isVideo: Bool
  /// What leaves, as far as it is known.
  let format: FormatConstraint
  private let rotation: Rotation

  /// A stream of a file by its port; `nil` for text.
  init?(_ port: String, _ stream: DiscoveredStream) {
    guard let family = stream.format.family, family != "text" else { return nil }
    (self.port, isVideo) = (port, family == "video")
    rotation = stream.rotation ?? .none
    let whole = stream.format.constraint(isVideo: isVideo)
    guard isVideo else {
      var sound = FormatConstraint.audio(
        [.f32], layouts: [.interleaved], sampleRates: [whole.sampleRates.first ?? 48_000],
        channels: [whole.channels.first ?? 2])
      sound.bitDepth = whole.integerDepth
      format = sound
      return
    }
    var coded = FormatConstraint.video(
      [.i420], width: whole.width, height: whole.height, frameRate: whole.frameRate)
    coded.rotation = stream.rotation
    format = coded.upright
  }

  var sampleRate: Int { format.sampleRates.first ?? 48_000 }
  var channels: Int { format.channels.first ?? 2 }

  /// What is sent, with the help of its port.
  var declaration: PortDeclaration {
    PortDeclaration(
      port, .output, format, isRequired: false,
      help: "A stream of the file, decoded since it is played several times.")
  }

  /// Decodes the track, and hands it to the program by a node of a name.
  fileprivate func connect(
    _ source: NodeHandle<FileSource>, as name: String, in builder: inout GraphBuilder
  ) {
    let output = builder.add(name, AppOutput())
    let decoder = builder.add("\(name)-decoder", Decoder()) { $0.media = isVideo ? .video : .audio }
    builder.connect(source.port(port, as: AnyMedia.self), to: decoder.input)
    var end = decoder.output
    if rotation != .none {
      let upright = builder.add("\(name)-upright", Orientation())
      builder.connect(end, to: upright.input)
      end = upright.port("out", as: AnyMedia.self)
    }
    builder.connect(converted(end, name, in: &builder), to: output.input)
  }

  private func converted(
    _ end: OutputEnd<AnyMedia>, _ name: String, in builder: inout GraphBuilder
  ) -> OutputEnd<AnyMedia> {
    if isVideo {
      let converter = builder.add("\(name)-converter", VideoConvert()) { $0.pixelFormat = .i420 }
      builder.connect(end, to: converter.input)
      return converter.port("out", as: AnyMedia.self)
    }
    let converter = builder.add("\(name)-converter", AudioConvert()) {
      ($0.sampleFormat, $0.layout) = (.f32, .interleaved)
      ($0.sampleRate, $0.channels) = (sampleRate, channels)
    }
    builder.connect(end, to: converter.input)
    return converter.port("out", as: AnyMedia.self)
  }
}
