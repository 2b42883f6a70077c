import GraphKit
import GraphKitSystem

/// Publishes H.264 and AAC to a server of RTMP, as time passes.
///
/// A connection that is lost is opened anew, and begins with a key frame. What the network doesn't take, and
/// what comes while there is no connection, is left out: the rest of the graph goes on.
public struct RTMPSink: TransmissionNode {
  /// The address: `rtmp://host/application/key`.
  public var uri = ""
  /// Bytes that wait for the network, at most.
  public var bufferSize = 4_194_304
  var transmission: Monitor<Transmission>?
  var environment: (any Environment)?

  /// A sink whose server is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<RTMPSink>(
    "rtmpSink", role: .sink, help: "Publishes video and audio to a server of RTMP.",
    example: "encoder -> network.video",
    parameters: [
      .string(
        "uri", \.uri, required: true,
        help: "`rtmp://host/application/key`, or `rtmps://…`; messages leave out the key."),
      .integer(
        "bufferSize", \.bufferSize, in: 65_536...1_073_741_824, unit: "B",
        help: "What waits for the network at most; of more, the oldest is left out."),
    ])

  /// The inputs of a stream.
  public struct Ports: PortSet {
    /// Video.
    public let video = InputPort<EncodedVideo>(
      "video", .encoded(.h264), isRequired: false, help: "H.264.")
    /// Audio.
    public let audio = InputPort<EncodedAudio>(
      "audio", .encoded(.aac), isRequired: false, help: "AAC.")
  }

  public static let ports = Ports()

  public var problem: NodeError? {
    guard !uri.isEmpty, uri.wholeMatch(of: /rtmps?:\/\/[^\s\/?"]+(\/[^\s\/]+)+\/?/) == nil else {
      return nil
    }
    return NodeError(
      "`\(place)` is no address of RTMP to publish to",
      remedy: "write it as rtmp://example.org/application/key", key: "uri")
  }

  /// The address without the key.
  var place: String {
    let shown = LiveAddress.place(of: uri)
    let parts = shown.split(separator: "/", omittingEmptySubsequences: true)
    return parts.count > 3 ? "\(parts[0])//\(parts[1...2].joined(separator: "/"))/…" : shown
  }

  var receiver: TransmissionElements {
    let muxer = ElementSpec("flvmux", plugin: "flv", ["streamable": "true"])
    let sender = ElementSpec(
      "rtmp2sink", plugin: "rtmp2",
      ["location": uri.propertyText, "sync": "false", "async": "false"])
    return TransmissionElements(
      elements: [muxer, sender], pads: ["video": .request("video"), "audio": .request("audio")])
  }
}
