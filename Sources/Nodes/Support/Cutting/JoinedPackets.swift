import Containers
import GraphKit

/// Joins the parts of a range of H.264 or HEVC that is cut exactly: what was encoded anew before and
/// after, and what is copied.
///
/// What is encoded at the end comes first and is held, so that the parameter sets of all parts are known
/// before the first packet leaves: they have different numbers, and the stream has one configuration
/// with all of them.
struct JoinedPackets: SwiftNode {
  /// A part of the range.
  enum Part: Sendable {
    /// Packets that were encoded anew, in the order of their presentation, the first of them for a time
    /// of the range, and the number that their parameter sets are to have; those of the end come before
    /// all others.
    case encoded(MediaTime, number: Int, isEnd: Bool)
    /// Packets of the file, for a part of the range.
    case copied(MediaTimeRange)
  }

  private let constraint: FormatConstraint
  private let stream: FileStream
  private let parts: [Part]
  private let configuration: VideoConfiguration?
  /// Bytes of the first packet that is copied.
  private let firstSize: Int
  /// How long before it is presented a frame is decoded.
  private let lead: MediaTime
  /// Which colours the file says that it has.
  private let colors: String?

  /// The formats of the parts that have begun.
  private var formats: [FormatDescription?]
  private var held: [HeldPacket] = []
  private var format: FormatDescription?
  private var newestDecode = MediaTime.negativeInfinity

  init() {
    self.init([], of: FileStream(), FormatConstraint(.encodedVideo), cut: nil, colors: nil)
  }

  /// The parts, the one at the end first; and the stream that they are of.
  init(
    _ parts: [Part], of stream: FileStream, _ constraint: FormatConstraint, cut: MovieCut?,
    colors: String?
  ) {
    (self.parts, self.stream, self.constraint) = (parts, stream, constraint)
    self.colors = colors
    (configuration, firstSize) = (cut?.configuration, cut?.firstSize ?? 0)
    lead = MediaTime(value: cut?.lead ?? 0, timescale: 1_000_000_000)
    formats = parts.map { _ in nil }
  }

  static let declaration = NodeDeclaration<JoinedPackets>(
    "joinedPackets", role: .general, help: "Joins parts of a stream that is cut exactly.",
    example: "")

  struct Ports: PortSet {
    let input = InputPort<EncodedVideo>(
      "in", isRepeatable: true, help: "The parts, the one at the end first.")
    let output = OutputPort<EncodedVideo>("out", help: "The whole.")
  }

  static let ports = Ports()

  private var codec: Codec { configuration?.codec ?? .h264 }

  var portDeclarations: [PortDeclaration] {
    let inputs = parts.indices.map { index in
      PortDeclaration(
        index == 0 ? "in" : "in.\(index + 1)", .input, .encoded(codec), isRepeatable: true,
        help: "A part.")
    }
    return inputs + [PortDeclaration("out", .output, constraint, help: "The whole.")]
  }

  /// It has the file's packets copied with what decoding them begins with, of which there is nothing
  /// here.
  var traits: NodeTraits { NodeTraits(copiesRanges: true, takesInputsInTurn: true) }

  var fileStreams: [String: FileStream]? { ["out": stream] }

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    formats[input] = format
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    if case .encoded(_, _, isEnd: true) = parts[input] {
      return held.append(HeldPacket(sample, of: input, 0, 0))
    }
    try send(sample, of: input, to: outputs)
  }

  mutating func finish(to outputs: NodeOutputs) throws {
    for packet in held { try send(packet.sample.share(), of: packet.track, to: outputs) }
    held = []
  }

  private mutating func send(
    _ packet: consuming SampleBuffer, of input: Int, to outputs: NodeOutputs
  ) throws {
    var sample = packet
    let time = sample.presentationTime
    switch parts[input] {
    case .copied(let range):
      let moved = time - FileStream.rangeStart
      guard moved + Self.margin >= .zero, moved + Self.margin < range.duration else { return }
      try place(copy: &sample, in: range, isFirst: moved < Self.margin)
    case .encoded(let start, let number, _):
      if sample.isSync || codec == .hevc {
        try change(&sample) { $0.encoded($1, number: number) }
      }
      sample.presentationTime = FileStream.rangeStart + start + time
      sample.decodeTime = max(
        sample.presentationTime - lead, min(newestDecode + Self.step, sample.presentationTime))
    }
    newestDecode = sample.decodeTime
    let format = try format ?? announced(to: outputs)
    sample.format = format
    try outputs.send(sample)
  }

  /// Makes a packet of the file what it is in the whole. The first one takes the place in the order of
  /// decoding of those after it that are left out.
  private func place(
    copy sample: inout SampleBuffer, in range: MediaTimeRange, isFirst: Bool
  ) throws {
    // A parser puts the file's parameter sets into the first packet that it sees.
    if isFirst, sample.byteCount > firstSize || codec == .hevc {
      try change(&sample) { $0.beginning($1) }
    } else if sample.isSync, codec == .hevc {
      try change(&sample) { $0.copied($1) }
    }
    shift(&sample, by: range.start)
    if isFirst, codec == .hevc { sample.decodeTime = sample.presentationTime - lead }
  }

  /// So far off are times that were rounded.
  private static let margin = MediaTime(value: 1, timescale: 100_000)
  private static let step = MediaTime(value: 1, timescale: 1_000_000)

  /// Gives a packet other bytes. Throws where they can't be had.
  private func change(
    _ packet: inout SampleBuffer, _ change: (VideoConfiguration, [UInt8]) -> [UInt8]?
  ) throws {
    guard let configuration else { return }
    let bytes = packet.withBytes { span in span.indices.map { span[$0] } }
    guard let found = change(configuration, bytes) else { throw Self.unjoined }
    packet = packet.replacing(bytes: found)
  }

  private func shift(_ sample: inout SampleBuffer, by time: MediaTime) {
    let decode = sample.decodeTime
    sample.presentationTime = sample.presentationTime + time
    sample.decodeTime = decode.isNumeric ? decode + time : sample.presentationTime
  }
}

extension JoinedPackets {
  /// Says what the whole is: what the file's packets are, or those that were encoded like them, with all
  /// parameter sets.
  private mutating func announced(to outputs: NodeOutputs) throws -> FormatDescription {
    guard let first = formats.lazy.compactMap({ $0 }).first else { throw Self.unjoined }
    let copies = parts.contains { if case .copied = $0 { true } else { false } }
    var joined = copies ? configuration : nil
    var isEncoded = false
    for (part, format) in zip(parts, formats) {
      guard case .encoded(_, let number, _) = part, let format else { continue }
      isEncoded = true
      joined = try join(joined, with: format, number)
    }
    guard let joined else { throw Self.unjoined }
    let caps = isEncoded ? first.capsText.stating(joined, colors: colors) : first.capsText
    let whole = try FormatDescription(capsText: caps)
    format = whole
    try outputs.announce(whole, on: 0)
    return whole
  }

  private func join(
    _ known: VideoConfiguration?, with format: FormatDescription, _ number: Int
  ) throws -> VideoConfiguration {
    let data = CapsStructure.all(in: format.capsText)?.first?.text("codec_data") ?? ""
    let own = VideoConfiguration(MovieTrackFormat.bytes(data), of: codec)
    guard let own = own?.numbered(number, hasColors: colors != nil),
      let joined = known.map({ $0.joined(with: own) }) ?? own
    else { throw Self.unjoined }
    return joined
  }

  private static let unjoined = NodeError(
    "what was encoded at the ends of the range doesn't fit the file's frames",
    remedy: "leave out `exact`, or decode and encode all of the range")
}

extension String {
  /// Caps with another configuration, and with the colours that a file says, or none.
  fileprivate func stating(_ configuration: VideoConfiguration, colors: String?) -> String {
    let digits = configuration.bytes.map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    var fields = split(separator: ", ").map(String.init)
    fields.removeAll { $0.hasPrefix("codec_data=") || $0.hasPrefix("colorimetry=") }
    fields.append("codec_data=(buffer)\(digits.joined())")
    if let colors { fields.append("colorimetry=(string)\(colors)") }
    return fields.joined(separator: ", ")
  }
}
