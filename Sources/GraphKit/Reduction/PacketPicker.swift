import GStreamer

/// Passes on those packets of video that frames at some times need, each group from its key frame
/// on, and leaves out all other groups, which are then never decoded.
///
/// It holds the packets of one group at a time; one that is too large is passed on as it comes.
struct PacketPicker: SwiftNode {
  /// Bytes of a group that are held.
  private static let limit = 64 << 20

  private let constraint: FormatConstraint
  private let times: FrameTimes
  private var group: [HeldPacket] = []
  private var bytes = 0
  /// The earliest that a packet of the group is presented; `nil` before the first group.
  private var first: MediaTime?
  /// When its key frame is presented; invalid before the first group.
  private var key = MediaTime.invalid
  /// How many times are over.
  private var count = 0
  /// What comes, and what it is called on its way out.
  private var entering: FormatDescription?
  private var format: FormatDescription?
  private var isMarked = false
  /// Whether a group was left out before this one.
  private var hasLeftOut = false
  /// Whether packets are passed on as they come.
  private var isOpen = true

  init() { self.init(FormatConstraint(.encodedVideo), .at([])) }

  /// A picker of what a wire carries.
  init(_ constraint: FormatConstraint, _ times: FrameTimes) {
    (self.constraint, self.times) = (constraint, times)
  }

  static let declaration = NodeDeclaration<PacketPicker>(
    "packetPicker", role: .general, help: "Passes on the packets that some frames need.",
    example: "")

  static let ports = EffectPorts<EncodedVideo>()

  var portDeclarations: [PortDeclaration] {
    [
      PortDeclaration("in", .input, constraint, help: "The packets."),
      PortDeclaration("out", .output, constraint, follows: "in", help: "Those needed."),
    ]
  }

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    try endGroup(before: nil, to: outputs)
    // What comes before the first key frame of a format is passed on.
    (isOpen, isMarked) = (true, false)
    (entering, self.format) = (format, format)
    try outputs.announce(format, on: 0)
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    let time = sample.presentationTime
    guard time.isNumeric else {
      try send(to: outputs)
      isOpen = true
      if let format { sample.format = format }
      return try outputs.send(sample)
    }
    // Headers of a codec may come as packets of their own, at the time of the frame after them.
    if sample.isSync, time != key { try beginGroup(at: time, to: outputs) }
    if let first { self.first = min(first, time) }
    if isOpen {
      if let format { sample.format = format }
      return try outputs.send(sample)
    }
    bytes += sample.byteCount
    group.append(HeldPacket(sample))
    if bytes > Self.limit {
      try send(to: outputs)
      isOpen = true
    }
  }

  mutating func finish(to outputs: NodeOutputs) throws {
    try endGroup(before: nil, to: outputs)
  }

  private mutating func beginGroup(at time: MediaTime, to outputs: NodeOutputs) throws {
    try endGroup(before: time, to: outputs)
    if first != nil, times.time(count) == nil { throw FlowStopped.enough }
    (isOpen, key) = (false, time)
    // All times before the first group are for its first frame.
    first = first == nil ? .negativeInfinity : time
  }

  /// Ends the group, which the next one's key frame follows at a time, or `nil` for none.
  ///
  /// Frames of the next group may be presented before its key frame, and are decoded with the help of
  /// this one: their times are before that key frame, so both groups are passed on.
  private mutating func endGroup(before end: MediaTime?, to outputs: NodeOutputs) throws {
    if let first { count = max(count, times.count(before: first)) }
    let isNeeded = times.time(count).map { time in end.map { time < $0 } ?? true } ?? false
    // What decoders have to know of the stream is at its beginning.
    let isBeginning = first.map(\.isInfinite) ?? true
    if !isNeeded {
      group = isBeginning ? group.filter { $0.sample.isHeader } : []
    }
    try send(to: outputs)
    if !isNeeded { hasLeftOut = true }
  }

  private mutating func send(to outputs: NodeOutputs) throws {
    if hasLeftOut, !group.isEmpty { try beginAnew(to: outputs) }
    for packet in group {
      var sample = packet.sample.share()
      if let format { sample.format = format }
      try outputs.send(sample)
    }
    group = []
    bytes = 0
  }
}

extension PacketPicker {
  /// Has the decoder forget what came before the packets that were left out. One of H.264 would make up
  /// frames for those that it misses, where a group begins with another frame than an IDR frame.
  private mutating func beginAnew(to outputs: NodeOutputs) throws {
    hasLeftOut = false
    guard let entering else { return }
    // The field isn't used; a decoder opens its codec once more for other caps.
    isMarked.toggle()
    let format =
      try isMarked
      ? FormatDescription(capsText: entering.capsText + ", picked=(boolean)true") : entering
    self.format = format
    try outputs.announce(format, on: 0)
  }
}

/// A packet that is kept until it is known whether it is needed.
private final class HeldPacket: Sendable {
  let sample: SampleBuffer
  init(_ sample: consuming SampleBuffer) { self.sample = sample }
}
