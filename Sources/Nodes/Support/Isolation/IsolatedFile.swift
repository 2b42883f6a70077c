import GraphKit

/// A file that a process of its own reads and decodes, so that nothing in it can harm this one.
///
/// Where that process can't go on, the streams end and the node has failed; the rest of the run goes on.
/// Its samples come one by one, the earliest of all streams first.
struct IsolatedFile: SourceNode {
  private var input = IsolatedInput("")
  private var tracks: [IsolatedTrack] = []
  private var reader: IsolatedReader?
  private var lanes: [Lane] = []
  /// Why the process doesn't go on, while what it had given is sent.
  private var failure: NodeError?

  /// A stream on its way.
  private struct Lane: Sendable {
    let output: Int
    /// The sample that is sent next.
    var next: IsolatedSample?
    var hasEnded = false
    var format: FormatDescription?

    /// When the next sample is presented.
    var time: MediaTime {
      next.map { $0.time.isNumeric ? $0.time : .zero } ?? .positiveInfinity
    }
  }

  /// No file; for the engine, which has one.
  init() {}

  /// A file of which the streams are known.
  init(_ input: IsolatedInput, _ streams: [(port: String, stream: DiscoveredStream)]) {
    self.input = input
    tracks = streams.compactMap { IsolatedTrack($0.port, $0.stream, isLooped: input.loop != 1) }
  }

  static let declaration = NodeDeclaration<IsolatedFile>(
    "isolatedFile", role: .source, help: "A file that another process reads.", example: "")

  static let ports = SourcePorts<Video>(help: "The first stream.")

  var portDeclarations: [PortDeclaration] { tracks.map(\.declaration) }

  var traits: NodeTraits { NodeTraits(leavesFormatToRun: true, isEndless: input.loop == 0) }

  mutating func start(to outputs: NodeOutputs) throws {
    lanes = tracks.indices.filter { outputs.isWired($0) }.map { Lane(output: $0) }
  }

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    do throws(NodeError) {
      guard try fill(outputs) else { return true }
    } catch {
      outputs.fail(error)
      return false
    }
    // The earliest first, as what follows may join them.
    guard
      let index = lanes.indices.filter({ lanes[$0].next != nil })
        .min(by: { lanes[$0].time < lanes[$1].time })
    else {
      if let failure { outputs.fail(failure) }
      return false
    }
    return try send(index, to: outputs)
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
    let new = try IsolatedReader(input, ports: lanes.map { tracks[$0.output].port })
    reader = new
    return new
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
    try outputs.send(sample, on: lanes[index].output)
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

/// A stream of a file that another process decodes, as it leaves.
struct IsolatedTrack: Sendable {
  let port: String
  private let format: FormatConstraint

  /// A stream of a file by its port, played once or several times; `nil` for text.
  init?(_ port: String, _ stream: DiscoveredStream, isLooped: Bool) {
    guard let family = stream.format.family, family != "text" else { return nil }
    self.port = port
    if isLooped, let looped = LoopedTrack(port, stream) {
      format = looped.format
      return
    }
    let whole = stream.format.constraint(isVideo: family == "video")
    if stream.format.kind == .audio || stream.format.kind == .video, whole.otherCaps == nil {
      format = whole
    } else if family == "video" {
      var frames = FormatConstraint.video(
        width: whole.width, height: whole.height, frameRate: whole.frameRate)
      frames.rotation = stream.rotation
      format = frames
    } else {
      format = .audio(sampleRates: whole.sampleRates, channels: whole.channels)
    }
  }

  var declaration: PortDeclaration {
    PortDeclaration(
      port, .output, format, isRequired: false,
      help: "A stream of the file, decoded since a process of its own reads it.")
  }
}
