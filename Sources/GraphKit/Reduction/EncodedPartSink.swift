import GraphKitSystem

/// Writes what a graph's encoders have made of a piece of its video to one file.
struct EncodedPartSink: SwiftNode {
  /// The file.
  var path = ""
  private let tracks: [String]
  private let frames: Range<Int64>
  private var file: File?
  private var offset = 0
  private var pending: [UInt8] = []
  private var packetCount: Int64 = 0

  /// Bytes that are written at once.
  private static let blockSize = 1 << 20

  init() { self.init(path: "", tracks: [], frames: 0..<0) }

  /// A sink of what encoders make, by their names, of the frames of a piece.
  init(path: String, tracks: [String], frames: Range<Int64>) {
    (self.path, self.tracks, self.frames) = (path, tracks, frames)
  }

  static let declaration = NodeDeclaration<EncodedPartSink>(
    "encodedPartSink", role: .sink, help: "Writes a part's packets.", example: "",
    parameters: [.path("path", \.path, help: "The file.")])

  static let ports = SinkPorts<EncodedVideo>(help: "Packets.")

  var portDeclarations: [PortDeclaration] {
    tracks.indices.map {
      PortDeclaration(
        "in.\($0 + 1)", .input, FormatConstraint(.encodedVideo), help: "Packets of an encoder.")
    }
  }

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    let caps = Array(format.capsText.utf8)
    try write(EncodedPart.Head(.format, track: input, byteCount: caps.count))
    pending += caps
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    let times = [sample.presentationTime, sample.decodeTime, sample.duration]
    try write(
      EncodedPart.Head(
        sample.isSync ? .keyPacket : .packet, track: input, byteCount: sample.byteCount,
        times.map { $0.nanoseconds ?? .min }))
    sample.withBytes { pending.append(copying: $0) }
    packetCount += 1
  }

  mutating func finish(to outputs: NodeOutputs) throws {
    try write(EncodedPart.Head(.end, [packetCount]))
    try flush()
    file = nil
  }

  private mutating func write(_ head: EncodedPart.Head) throws {
    if file == nil {
      file = try perform { () throws(File.Failure) in try File(path, for: .creating) }
      pending += EncodedPart.beginning
      pending += EncodedPart.Head(.piece, [frames.lowerBound, frames.upperBound]).bytes
    }
    if pending.count >= Self.blockSize { try flush() }
    pending += head.bytes
  }

  private mutating func flush() throws {
    let (bytes, start) = (pending, offset)
    try perform { () throws(File.Failure) in try file?.write(bytes, at: start) }
    offset += bytes.count
    pending.removeAll(keepingCapacity: true)
  }

  private func perform<Result>(
    _ body: () throws(File.Failure) -> Result
  ) throws(NodeError) -> Result {
    do throws(File.Failure) { return try body() } catch { throw WholeFile.error(path, error) }
  }
}
