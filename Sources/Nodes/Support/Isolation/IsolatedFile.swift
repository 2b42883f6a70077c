import GraphKit

/// A file that a process of its own reads, and decodes where that is wanted, so that nothing in it can harm
/// this one.
///
/// Where that process can't go on, the streams end and the node has failed; the rest of the run goes on.
/// Its samples come one by one, the earliest of all streams first, as far as there is room for it.
struct IsolatedFile: SourceNode {
  private var input = IsolatedInput("")
  private var streams: [(port: String, stream: DiscoveredStream)] = []
  /// What the streams are in the file, by their ports.
  private var files: [String: FileStream] = [:]
  private var tracks: [IsolatedTrack] = []
  /// What sinks ask of packets, by the tracks' names.
  private var demands: [String: PacketDemand] = [:]
  private var reader: IsolatedReader?
  private var lanes: [Lane] = []
  private var ready = ReadyOutputs()
  /// Why the process doesn't go on, while what it had given is sent.
  private var failure: NodeError?

  /// A stream on its way.
  private struct Lane: Sendable {
    let output: Int
    let arePackets: Bool
    /// The sample that is sent next.
    var next: IsolatedSample?
    var hasEnded = false
    var format: FormatDescription?

    /// When the next sample is presented, or decoded.
    var time: MediaTime {
      next.map { $0.time.isNumeric ? $0.time : .zero } ?? .positiveInfinity
    }
  }

  /// No file; for the engine, which has one.
  init() {}

  /// A file of which the streams are known, each decoded.
  init(
    _ input: IsolatedInput, _ streams: [(port: String, stream: DiscoveredStream)],
    _ files: [String: FileStream]
  ) {
    (self.input, self.streams, self.files) = (input, streams, files)
    tracks = streams.compactMap { port, stream in
      IsolatedTrack(SourceOutput(port, of: port, isDecoded: true), stream)
    }
  }

  static let declaration = NodeDeclaration<IsolatedFile>(
    "isolatedFile", role: .source, help: "A file that another process reads.", example: "")

  static let ports = SourcePorts<Video>(help: "The first stream.")

  var portDeclarations: [PortDeclaration] { tracks.map(\.declaration) }

  var traits: NodeTraits {
    var traits = NodeTraits(leavesFormatToRun: true)
    traits.isReadApart = true
    return traits
  }

  var fileStreams: [String: FileStream]? {
    let copied = tracks.filter { !$0.output.isDecoded }
    guard !copied.isEmpty else { return nil }
    return Dictionary(
      copied.compactMap { track in
        files[track.output.port].map { (track.output.name, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  func giving(_ outputs: [SourceOutput]) -> (any Node)? {
    var file = self
    file.tracks = outputs.compactMap { output in
      guard let stream = streams.first(where: { $0.port == output.port })?.stream else {
        return nil
      }
      return IsolatedTrack(output, stream)
    }
    return file
  }

  mutating func settle(demands: [String: PacketDemand]) { self.demands = demands }

  mutating func start(to outputs: NodeOutputs) throws {
    // Another run has another copy of the node.
    ready = ReadyOutputs()
    lanes = tracks.indices.filter { outputs.isWired($0) }
      .map { Lane(output: $0, arePackets: !tracks[$0].output.isDecoded) }
  }

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    do throws(NodeError) {
      guard try fill(outputs) else { return true }
    } catch {
      outputs.fail(error)
      return false
    }
    let waiting = lanes.indices.filter { lanes[$0].next != nil }
      .sorted { (lanes[$0].time, $0) < (lanes[$1].time, $1) }
    guard !waiting.isEmpty else {
      if let failure { outputs.fail(failure) }
      return false
    }
    // What joins several tracks waits for those that haven't ended.
    for lane in lanes where lane.hasEnded && lane.next == nil {
      try outputs.finish(lane.output)
    }
    let order = waiting.map { lanes[$0].output }
    guard let place = ready.choose(from: order, of: outputs) else { return true }
    return try send(waiting[place], to: outputs)
  }

  /// How long a call waits for a sample: as long as it does, the run can't end in order.
  private static let patience: Int32 = 50

  /// Waits for the next sample of each stream; `false` where that isn't over.
  private mutating func fill(_ outputs: NodeOutputs) throws(NodeError) -> Bool {
    let reader = try open()
    for index in lanes.indices where lanes[index].next == nil && !lanes[index].hasEnded {
      let step: IsolatedReader.Step
      do throws(NodeError) {
        step = try reader.next(of: index, milliseconds: Self.patience)
      } catch {
        (failure, lanes[index].hasEnded) = (error, true)
        continue
      }
      for text in reader.takeWarnings() { outputs.warn(text) }
      switch step {
      case .sample(let sample): lanes[index].next = sample
      case .ended: lanes[index].hasEnded = true
      case .nothingYet:
        outputs.setAwaiting(true)
        return false
      }
    }
    outputs.setAwaiting(false)
    return true
  }

  /// The process that reads the file, which is started where it isn't yet.
  private mutating func open() throws(NodeError) -> IsolatedReader {
    if let reader { return reader }
    let new = try IsolatedReader(input, lanes.map { stream(of: tracks[$0.output].output) })
    reader = new
    return new
  }

  /// What the process is asked for.
  private func stream(of output: SourceOutput) -> IsolatedStream {
    guard !output.isDecoded else { return IsolatedStream(output.port) }
    return IsolatedStream(output.port, packets: demands[output.name] ?? PacketDemand())
  }

  /// Sends the sample of a stream; `false` where it isn't what its format says.
  private mutating func send(_ index: Int, to outputs: NodeOutputs) throws -> Bool {
    guard let next = lanes[index].next.take() else { return true }
    guard let sample = next.makeBuffer() else {
      outputs.fail(.damagedSample(input.path))
      return false
    }
    if lanes[index].format !== sample.format {
      lanes[index].format = sample.format
      try outputs.announce(sample.format, on: lanes[index].output)
    }
    for tags in next.tags { outputs.note(tags, on: lanes[index].output) }
    let output = lanes[index].output
    do { try outputs.send(sample, on: output) } catch let stop as FlowStopped where stop.isEnough {}
    // Other streams may go on.
    if !outputs.takesMore(output) { lanes[index].hasEnded = true }
    return true
  }
}

extension NodeError {
  fileprivate static func damagedSample(_ path: String) -> NodeError {
    NodeError(
      "the process that reads `\(path)` gave a sample that isn't what its format says",
      remedy: "the file may be an attack: keep it away from other programs", key: "path")
  }
}

/// A stream of a file that another process reads, as it leaves.
struct IsolatedTrack: Sendable {
  let output: SourceOutput
  let declaration: PortDeclaration

  /// A stream of a file for an output; `nil` for text that would have to be decoded.
  init?(_ output: SourceOutput, _ stream: DiscoveredStream) {
    self.output = output
    guard output.isDecoded else {
      declaration = stream.declaration(of: output.port, as: output.name)
      return
    }
    guard let format = Self.decoded(stream) else { return nil }
    declaration = PortDeclaration(
      output.name, .output, format, isRequired: false,
      help: "A stream of the file, decoded since a process of its own reads it.")
  }

  /// What a stream is once it is decoded, as far as that is known.
  private static func decoded(_ stream: DiscoveredStream) -> FormatConstraint? {
    guard let family = stream.format.family, family != "text" else { return nil }
    let whole = stream.format.constraint(isVideo: family == "video")
    if stream.format.kind == .audio || stream.format.kind == .video, whole.otherCaps == nil {
      return whole
    }
    guard family == "video" else {
      return .audio(sampleRates: whole.sampleRates, channels: whole.channels)
    }
    var frames = FormatConstraint.video(
      width: whole.width, height: whole.height, frameRate: whole.frameRate)
    frames.rotation = stream.rotation
    return frames
  }
}
