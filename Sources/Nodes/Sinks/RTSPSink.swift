import GraphKit
import GraphKitSystem

/// Publishes video and audio to a server of RTSP that records, as time passes.
///
/// A connection that is lost is opened anew, and begins with a key frame. What the network doesn't take, and
/// what comes while there is no connection, is left out: the rest of the graph goes on.
public struct RTSPSink: TransmissionNode {
  /// How the streams go.
  public enum Transport: String, CaseIterable, Sendable { case tcp, udp }

  /// The address: `rtsp://host/path`, or `rtsps://…`.
  public var uri = ""
  /// How the streams go.
  public var transport = Transport.tcp
  /// Bytes that wait for the network, at most.
  public var bufferSize = 4_194_304
  var transmission: Monitor<Transmission>?
  var environment: (any Environment)?

  /// A sink whose server is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<RTSPSink>(
    "rtspSink", role: .sink, help: "Publishes video and audio to a server of RTSP.",
    example: "encoder -> network.video",
    parameters: [
      .string(
        "uri", \.uri, required: true,
        help: "`rtsp://host/path`, or `rtsps://…`, with user and password."),
      .choice("transport", \.transport, help: "Over the connection, or in datagrams."),
      .integer(
        "bufferSize", \.bufferSize, in: 65_536...1_073_741_824, unit: "B",
        help: "What waits for the network at most; of more, the oldest is left out."),
    ])

  /// The inputs of a stream.
  public struct Ports: PortSet {
    /// Video.
    public let video = InputPort<EncodedVideo>(
      "video", .encoded(.h264, .hevc), isRequired: false, help: "H.264 or HEVC.")
    /// Audio.
    public let audio = InputPort<EncodedAudio>(
      "audio", .encoded(.aac, .opus), isRequired: false, help: "AAC or Opus.")
  }

  public static let ports = Ports()

  public var problem: NodeError? {
    guard !uri.isEmpty else { return nil }
    guard ["rtsp", "rtsps"].contains(LiveAddress(uri: uri).scheme) else {
      return NodeError(
        "`\(place)` is no address of RTSP", remedy: "write it as rtsp://example.org/path",
        key: "uri")
    }
    return LiveAddress.problem(uri, inDatagrams: transport == .udp)
  }

  var place: String { LiveAddress.place(of: uri) }

  var receiver: TransmissionElements {
    let sender = ElementSpec(
      "rtspclientsink", plugin: nil,
      ["location": uri.propertyText, "protocols": transport.rawValue])
    return TransmissionElements(
      elements: [sender], pads: ["video": .request("sink_%u"), "audio": .request("sink_%u")])
  }
}
