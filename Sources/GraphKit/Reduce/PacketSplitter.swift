import GStreamer

/// Hands runs of a stream's packets to several decoders in turn, each run with enough of what is
/// before it for the decoder to have the right state where the run begins.
///
/// Packets get new times, counted in frames: those of containers and parsers are rounded, and the
/// reducers behind the decoders must know exactly which frames they have.
struct PacketSplitter: SwiftNode {
  private let codec: Codec
  private let share: PieceShare
  private var rate = 0
  /// The frame at which the next packet begins.
  private var frame = 0
  private var run = -1
  /// Packets of the present run that went out so far; the first few go to the decoder before, too.
  private var packetsOfRun = 0
  private var history = PacketHistory()

  init() { self.init(.flac, length: 1, count: 1) }

  /// A splitter of a codec's packets into runs of so many frames for so many decoders.
  init(_ codec: Codec, length: Int, count: Int) {
    self.codec = codec
    share = PieceShare(length: length, index: 0, count: count)
  }

  static let declaration = NodeDeclaration<PacketSplitter>(
    "packetSplitter", role: .general, help: "Hands runs of packets to several decoders.",
    example: "")

  static let ports = SinkPorts<EncodedAudio>(help: "The packets.")

  var portDeclarations: [PortDeclaration] {
    [PortDeclaration("in", .input, .encoded(codec), help: "The packets.")]
      + (1...share.count).map {
        PortDeclaration("out.\($0)", .output, .encoded(codec), follows: "in", help: "Runs.")
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
      for output in 0..<outputs.count { try outputs.send(sample.share(), on: output) }
      return
    }
    var packet = sample
    let frames = packet.duration.frames(at: rate)
    packet.presentationTime = MediaTime(value: Int64(frame), timescale: Int32(clamping: rate))
    if frame / share.length != run { try beginRun(to: outputs) }
    frame += frames
    packetsOfRun += 1
    if run > 0, packetsOfRun <= codec.packetsOfTail {
      try outputs.send(packet.share(), on: (run - 1) % share.count)
    }
    packet.isDiscontinuity = packetsOfRun == 1 && codec.packetsOfLeadIn == 0
    if codec.packetsOfLeadIn > 0 { history.append(packet.share(), keeping: codec) }
    try outputs.send(packet, on: run % share.count)
  }

  private mutating func beginRun(to outputs: NodeOutputs) throws {
    run = frame / share.length
    packetsOfRun = 0
    guard run > 0 else { return }
    try history.send(to: outputs, on: run % share.count)
  }
}

extension Codec {
  /// Whether pieces of a stream that are decoded apart give what decoding it whole gives.
  ///
  /// So it is for FLAC, whose frames stand alone; for MP3, whose frames share their bits with at
  /// most 511 bytes before them and overlap by one frame; and, but for the noise that a decoder
  /// makes up itself, for AAC, whose frames overlap by one.
  var canBeDecodedInPieces: Bool { [.flac, .mp3, .aac].contains(self) }

  /// How many bytes of packets a decoder is given before a run: for MP3 enough for the reservoir of
  /// bits, even where frames are nearly empty.
  fileprivate var bytesOfLeadIn: Int {
    switch self {
    case .mp3: 2_048
    case .aac: 1
    default: 0
    }
  }

  /// How many packets at least: the last one before a run reaches into it.
  fileprivate var packetsOfLeadIn: Int { self == .flac ? 1 : 4 }

  /// How many packets of the next run a decoder is given, to give out what it holds back.
  fileprivate var packetsOfTail: Int { self == .flac ? 0 : 2 }
}

/// The latest packets of a stream, as many as a decoder needs before a run.
private struct PacketHistory {
  private var packets: [Packet] = []
  private var byteCount = 0

  /// A packet that an array can hold.
  private final class Packet: Sendable {
    let sample: SampleBuffer
    init(_ sample: consuming SampleBuffer) { self.sample = sample }
  }

  /// Takes a packet, and lets go of those that are no longer needed.
  mutating func append(_ sample: consuming SampleBuffer, keeping codec: Codec) {
    byteCount += sample.byteCount
    packets.append(Packet(sample))
    while let first = packets.first?.sample.byteCount, packets.count > codec.packetsOfLeadIn,
      byteCount - first >= codec.bytesOfLeadIn
    {
      byteCount -= first
      packets.removeFirst()
    }
  }

  /// Sends all of them, the first one as the start of something new.
  func send(to outputs: NodeOutputs, on output: Int) throws {
    for (index, packet) in packets.enumerated() {
      var sample = packet.sample.share()
      if index == 0 { sample.isDiscontinuity = true }
      try outputs.send(sample, on: output)
    }
  }
}
