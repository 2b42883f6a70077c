import GStreamer

/// Hands runs of a stream's packets to several decoders in turn, each run with enough of what is
/// before it for the decoder to have the right state where the run begins.
///
/// Packets get new times, counted in frames: those of containers and parsers are rounded, and the
/// reducers behind the decoders must know exactly which frames they have. For FLAC, the one codec
/// that is decoded in pieces: it has no priming, so that the first packet's first frame is heard.
struct PacketSplitter: SwiftNode {
  private let share: PieceShare
  /// The frame behind the last one that anybody needs.
  private let end: Int?
  private var rate = 0
  /// The frame at which the next packet begins.
  private var frame = 0
  private var run = -1
  private var history = PacketHistory()
  /// What a decoder gets before its first run: one that got headers and no packet would complain.
  private var headers: [Packet] = []
  private var isHeaded: Set<Int> = []

  init() { self.init(length: 1, count: 1, end: nil) }

  /// A splitter of packets into runs of so many frames for so many decoders. It has reading end a
  /// second behind `end`, which leaves room for what decoders hold back.
  init(length: Int, count: Int, end: Int?) {
    self.end = end
    share = PieceShare(length: length, index: 0, count: count)
  }

  static let declaration = NodeDeclaration<PacketSplitter>(
    "packetSplitter", role: .general, help: "Hands runs of packets to several decoders.",
    example: "")

  static let ports = SinkPorts<EncodedAudio>(help: "The packets.")

  var portDeclarations: [PortDeclaration] {
    [PortDeclaration("in", .input, .encoded(.flac), help: "The packets.")]
      + (1...share.count).map {
        PortDeclaration("out.\($0)", .output, .encoded(.flac), follows: "in", help: "Runs.")
      }
  }

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .encoded(let encoded) = format.format, let rate = encoded.sampleRate else {
      throw NodeError(
        "\(format) doesn't say its sampling rate", remedy: "decode it on one core", key: "in")
    }
    self.rate = rate
    for output in 0..<outputs.count { try outputs.announce(format, on: output) }
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    if sample.buffer.isHeader {
      headers.append(Packet(sample))
      return
    }
    var packet = sample
    if let end, frame > end + rate { throw FlowStopped(flow: Flow.endOfStream.rawValue) }
    let count = packet.duration.isNumeric ? packet.duration.frames(at: rate) : 0
    packet.presentationTime = MediaTime(value: Int64(frame), timescale: Int32(clamping: rate))
    if frame / share.length != run { try beginRun(frame / share.length, to: outputs) }
    frame += count
    if count > 0 { history.append(packet.share()) }
    try outputs.send(packet, on: run % share.count)
  }

  private mutating func beginRun(_ number: Int, to outputs: NodeOutputs) throws {
    run = number
    if isHeaded.insert(run % share.count).inserted {
      for header in headers { try outputs.send(header.sample.share(), on: run % share.count) }
    }
    guard run > 0 else { return }
    try history.send(to: outputs, on: run % share.count)
  }
}
