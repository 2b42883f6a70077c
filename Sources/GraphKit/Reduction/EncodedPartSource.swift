/// Sends the packets of the parts of an encoder's stream, one part after the other.
struct EncodedPartSource: SourceNode {
  private var reader: EncodedPartReader
  private let port: String
  private let format: FormatConstraint
  private var description: FormatDescription?

  init() { self.init([], track: 0, port: "out", format: FormatConstraint(.encodedVideo)) }

  /// A source in place of an encoder, whose output it has.
  init(_ paths: [String], track: Int, port: String, format: FormatConstraint) {
    reader = EncodedPartReader(paths, track: track)
    (self.port, self.format) = (port, format)
  }

  static let declaration = NodeDeclaration<EncodedPartSource>(
    "encodedParts", role: .source, help: "Sends the packets of parts.", example: "")

  static let ports = SourcePorts<EncodedVideo>(help: "The packets.")

  var portDeclarations: [PortDeclaration] {
    [PortDeclaration(port, .output, format, help: "The packets.")]
  }

  mutating func start(to outputs: NodeOutputs) throws {}

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard let item = try reader.next() else { return false }
    switch item {
    case .format(let caps):
      let announced = try FormatDescription(capsText: caps)
      try outputs.announce(announced, on: 0)
      description = announced
    case .packet(let head, let bytes):
      guard let description else { return true }
      var sample = SampleBuffer(bytes: bytes, format: description)
      sample.presentationTime = MediaTime(nanoseconds: head.times[0])
      sample.decodeTime = MediaTime(nanoseconds: head.times[1])
      if head.times[2] != .min { sample.duration = MediaTime(nanoseconds: head.times[2]) }
      sample.isSync = head.kind == .keyPacket
      try outputs.send(sample)
    }
    return true
  }
}
