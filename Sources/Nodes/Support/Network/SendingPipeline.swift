import GraphKit
import GraphKitSystem

/// The elements of one connection that is sent over.
struct SendingConnection: ElementNode {
  var receiver = TransmissionElements()
  var tracks: [TransmittedTrack] = []

  init() {}

  static let declaration = NodeDeclaration<SendingConnection>(
    "sendingConnection", role: .sink, help: "One connection of a sink that sends.",
    example: "entry -> connection.video")

  struct Ports: PortSet {
    let video = InputPort<EncodedVideo>("video", isRequired: false, help: "The video.")
    let audio = InputPort<EncodedAudio>("audio", isRequired: false, help: "The audio.")
  }

  static let ports = Ports()

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain(receiver.elements, inputs: receiver.pads, outputs: [:])
    for track in tracks {
      var parsers = track.codec?.parsers ?? []
      if track.codec == .h264 || track.codec == .hevc {
        for index in parsers.indices { parsers[index].properties["config-interval"] = "-1" }
      }
      chain.inputElements[track.port] = parsers
    }
    return [chain]
  }
}

/// One connection that is sent over: a pipeline of its own, so that what goes wrong in it is no failure of
/// the run.
final class SendingPipeline {
  private let pipeline: Pipeline
  private let inputs: [SampleInput?]
  /// The time of the run at which it begins.
  private let start: MediaTime

  init(
    _ receiver: TransmissionElements, _ tracks: [TransmittedTrack?],
    _ formats: [FormatDescription?],
    from start: MediaTime, in environment: any Environment
  ) throws {
    self.start = start
    var builder = GraphBuilder(catalog: .builtIn)
    var connection = SendingConnection()
    (connection.receiver, connection.tracks) = (receiver, tracks.compactMap(\.self))
    let sink = builder.add("connection", connection)
    for case (let track?, let format?) in zip(tracks, formats) {
      var entry = AppInput()
      entry.media = track.port == "video" ? .video : .audio
      entry.caps = format.capsText
      let node = builder.add(track.port, entry)
      if track.port == "video" {
        builder.connect(node.output, to: sink.video)
      } else {
        builder.connect(node.output, to: sink.audio)
      }
    }
    var configuration = Pipeline.Configuration()
    // How long the network may take nothing, the sink knows.
    configuration.stallTimeout = 1e9
    configuration.closingTimeout = 0.5
    let pipeline = try Pipeline(
      Plan(builder.build(in: environment)), environment: environment, configuration: configuration)
    inputs = try tracks.map { track in try track.map { try pipeline.input($0.port) } }
    self.pipeline = pipeline
    pipeline.start()
  }

  deinit { pipeline.cancel() }

  /// Whether it takes samples, since it is connected. Parsers, and what waits for the connection, hold a few
  /// before.
  var isConnected: Bool {
    inputs.contains { ($0?.sentCount ?? 0) > Self.mostHeld }
  }

  private static let mostHeld = 8

  var hasFailed: Bool { pipeline.isFailing || pipeline.state.isEnd }

  /// Why it has failed.
  var failure: String {
    pipeline.waitForEnd(seconds: 1)?.failure?.connectionReason ?? "the connection failed"
  }

  /// Hands a sample over; `false` where it takes none now. What comes before its beginning counts as sent,
  /// and so does what it refuses.
  func send(_ sample: borrowing SampleBuffer, on index: Int) -> Bool {
    guard let input = inputs[index] else { return true }
    var moved = sample.share()
    let decode = sample.decodeTime
    if sample.presentationTime.isNumeric {
      moved.presentationTime = sample.presentationTime - start
    }
    if decode.isNumeric { moved.decodeTime = decode - start }
    let time = decode.isNumeric ? moved.decodeTime : moved.presentationTime
    guard time.isNumeric, time >= .zero, moved.presentationTime >= .zero else { return true }
    return (try? input.appendImmediately(moved)) ?? true
  }

  func finish(_ index: Int) { inputs[index]?.markAsFinished() }

  /// Lets it send what it holds, for a moment.
  func end() {
    for input in inputs { input?.markAsFinished() }
    if isConnected { pipeline.waitForEnd(seconds: 2) }
    pipeline.cancel()
  }

  func cancel() { pipeline.cancel() }
}
