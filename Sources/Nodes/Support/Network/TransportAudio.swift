import Containers
import GraphKit

/// Has each frame of AAC in a transport stream leave when its last byte has come; other audio passes.
///
/// Senders put several frames in a packet. GStreamer's parser waits for as many bytes as the first frame
/// had before it gives another, which of silence are those of a second.
struct TransportAudio: SwiftNode {
  private var input: FormatDescription?
  /// Whether it is AAC that can be taken apart.
  private var isSplit = false
  private var frames = ADTSFrames()
  private var header: ADTSFrames.Header?
  private var format: FormatDescription?
  /// When the next frame is presented, where that is known.
  private var time = MediaTime.invalid

  init() {}

  static let declaration = NodeDeclaration<TransportAudio>(
    "transportAudio", role: .effect, help: "The frames of a transport stream's audio.",
    example: "demuxer.audio -> frames -> exit")

  static let ports = EffectPorts<AnyMedia>()

  var traits: NodeTraits { NodeTraits(leavesFormatToRun: true) }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    if self.input !== sample.format {
      self.input = sample.format
      isSplit = sample.format.capsText.contains("stream-format=(string)adts")
      (frames, header) = (ADTSFrames(), nil)
    }
    guard isSplit else { return try outputs.send(sample, on: 0) }
    if sample.isDiscontinuity { frames = ADTSFrames() }
    sample.withBytes { frames.append($0) }
    try split(from: sample.presentationTime, to: outputs)
    guard !isSplit else { return }
    // From here on the stream is left whole.
    var rest = SampleBuffer(bytes: frames.takeRest(), format: sample.format)
    rest.presentationTime = time
    try outputs.send(rest, on: 0)
  }

  /// Sends the frames that are whole; the first that begins in the last packet is heard at `start`.
  private mutating func split(from start: MediaTime, to outputs: NodeOutputs) throws {
    var start = start
    while let frame = frames.next() {
      if frame.beginsInLast, start.isNumeric { (time, start) = (start, .invalid) }
      guard let format = try format(of: frame.header) else {
        isSplit = false
        return
      }
      let duration = MediaTime(
        value: Int64(ADTSFrames.frameLength), timescale: Int32(frame.header.sampleRate))
      var packet = SampleBuffer(bytes: frame.bytes, format: format)
      (packet.presentationTime, packet.duration) = (time, duration)
      try outputs.send(packet, on: 0)
      if time.isNumeric { time = time + duration }
    }
  }

  /// The format of a frame; `nil` where only a parser of the whole stream can say it.
  private mutating func format(of new: ADTSFrames.Header) throws(NodeError) -> FormatDescription? {
    if header?.continues(new) != true {
      header = new
      format = nil
      if let configuration = new.configuration { format = try Self.format(new, configuration) }
    }
    return format
  }

  private static func format(
    _ header: ADTSFrames.Header, _ configuration: [UInt8]
  ) throws(NodeError) -> FormatDescription {
    let digits = configuration.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return try FormatDescription(
      capsText: "audio/mpeg, mpegversion=(int)4, framed=(boolean)true, "
        + "stream-format=(string)raw, rate=(int)\(header.sampleRate), "
        + "channels=(int)\(header.channels), codec_data=(buffer)\(digits)")
  }
}
