import GStreamer

/// Hands runs of a stream's packets to several decoders in turn, each run with enough of what is
/// before it for the decoder to have the right state where the run begins.
///
/// Packets get new times, counted in frames: those of containers and parsers are rounded, and the
/// reducers after the decoders must know exactly which frames they have.
struct PacketSplitter: SwiftNode {
  private let codec: Codec
  private let share: PieceShare
  /// The frame after the last one that anybody needs.
  private let end: Int?
  private var format: FormatDescription?
  /// Whether each decoder gets the whole stream, as pieces of it wouldn't do.
  private var isWhole = false
  private var rate = 0
  /// The frame at which the next packet begins, counted from the first packet.
  private var frame = 0
  /// Where the first packet begins in the stream's own time, and the first frame that is presented,
  /// counted from there: what is before it is an encoder's priming.
  private var start: (nanoseconds: Int64, priming: Int)?
  private var run = -1
  private var history: PacketHistory
  /// What a decoder gets before its first run: one that got headers and no packet would complain.
  private var headers: [Packet] = []
  private var isHeaded: Set<Int> = []
  private var gap = SoundGap()

  init() { self.init(.flac, length: 1, count: 1, end: nil) }

  /// A splitter of a codec's packets into runs of so many frames for so many decoders. It has
  /// reading end a second after `end`, which leaves room for what decoders hold back. No decoder
  /// gets another run than one of `runs`.
  init(
    _ codec: Codec, length: Int, count: Int, end: Int?, runs: Range<Int> = 0..<Int.max
  ) {
    self.codec = codec
    self.end = end
    history = PacketHistory(codec.leadIn ?? LeadIn(packets: 0))
    share = PieceShare(length: length, index: 0, count: count, runs: runs)
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
    (self.format, self.rate) = (format, rate)
    isWhole = codec == .aac && !format.isLowComplexity
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
    let start = start ?? presentation(of: packet)
    self.start = start
    let position = max(0, frame - start.priming)
    if let end, position > end + rate { throw FlowStopped.enough }
    let count = codec.frames(of: packet, at: rate)
    warnOfGap(before: packet, count, in: position / share.length, outputs)
    let length = MediaTime(frames: frame, at: rate).nanoseconds ?? 0
    packet.presentationTime = MediaTime(nanoseconds: start.nanoseconds + length)
    if !isWhole, position / share.length != run {
      try beginRun(position / share.length, to: outputs)
    }
    frame += count
    if count > 0 { history.append(packet.share()) }
    guard isWhole else {
      if share.runs.contains(run) { try outputs.send(packet, on: run % share.count) }
      return try followBorder(start.priming, to: outputs)
    }
    for output in 0..<share.count { try outputs.send(packet.share(), on: output) }
  }

  /// Says where packets are missing: they get times one after the other, so that nothing behind tells.
  private mutating func warnOfGap(
    before packet: borrowing SampleBuffer, _ count: Int, in run: Int, _ outputs: NodeOutputs
  ) {
    let length = MediaTime(frames: count, at: rate).clock ?? 0
    guard count > 0, let message = gap.add(packet.presentationTime.clock, length) else { return }
    // Of a file in pieces, all of which read what is before them, one says it.
    if share.runs.contains(run) { outputs.warn(message) }
  }

  /// Begins the next run where the last packet reaches into it: there may be no further packet.
  private mutating func followBorder(_ priming: Int, to outputs: NodeOutputs) throws {
    let next = (frame - priming - 1) / share.length
    if frame > priming, next > run { try beginRun(next, to: outputs) }
  }

  /// Where the first packet begins, and how much of it isn't presented.
  private func presentation(of first: borrowing SampleBuffer) -> (nanoseconds: Int64, priming: Int)
  {
    guard let start = first.presentationTime.nanoseconds, start < 0 else { return (0, 0) }
    return (start, MediaTime(nanoseconds: -start).frames(at: rate))
  }

  private mutating func beginRun(_ number: Int, to outputs: NodeOutputs) throws {
    run = number
    guard share.runs.contains(run) else { return }
    if isHeaded.insert(run % share.count).inserted {
      for header in headers { try outputs.send(header.sample.share(), on: run % share.count) }
    }
    // A decoder that has every run goes on.
    guard run > 0, share.count > 1 || run == share.runs.lowerBound else { return }
    if codec.leadIn?.restarts == true, let format {
      try outputs.announce(format.restarting(run), on: run % share.count)
    }
    try history.send(to: outputs, on: run % share.count)
  }
}

extension FormatDescription {
  /// Whether it is AAC whose frames depend on no more than the one before (ISO/IEC 14496-3, AAC LC).
  fileprivate var isLowComplexity: Bool {
    CapsStructure.all(in: capsText)?.first?.text("profile") == "lc"
  }

  /// The same, for a decoder other than the last one: it opens its codec anew.
  fileprivate func restarting(_ run: Int) throws(NodeError) -> FormatDescription {
    try FormatDescription(capsText: "\(capsText), graphkit-run=(int)\(run)")
  }
}
