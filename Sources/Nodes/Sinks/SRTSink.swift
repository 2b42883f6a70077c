import GraphKit

/// Sends video and audio as an MPEG transport stream over SRT, as time passes.
///
/// As a caller it connects to a listener, and again whenever the connection is lost; as a listener it
/// sends to each caller. While the network takes less than comes, the oldest of what waits is left out:
/// the rest of the graph goes on.
public struct SRTSink: ElementNode {
  /// The address: `srt://host:port`, with SRT's own parameters.
  public var uri = ""
  /// Bytes that wait for the network, at most.
  public var bufferSize = 4_194_304

  /// A sink whose receiver is to be named.
  public init() {}

  public static let declaration = NodeDeclaration<SRTSink>(
    "srtSink", role: .sink, help: "Sends an MPEG transport stream over SRT.",
    example: "encoder -> network.video",
    parameters: [
      .string(
        "uri", \.uri, required: true,
        help: "`srt://host:port`, or `srt://:port?mode=listener`; it may have a `passphrase`."),
      .integer(
        "bufferSize", \.bufferSize, in: 65_536...1_073_741_824, unit: "B",
        help: "What waits for the network at most; of more, the oldest is left out."),
    ])

  public static let ports = TransportPorts()

  public var problem: NodeError? { uri.isEmpty ? nil : NetworkAddress.problem(srt: uri) }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? { .turned(in: formats) }

  public var traits: NodeTraits { NodeTraits(needsUprightVideo: true, isBestEffort: true) }

  private var isListener: Bool { uri.contains("mode=listener") }

  /// The address with a limit of some weeks for connecting, unless it has another: after that, which is
  /// 3 s else, the element would end the run.
  private var address: String {
    guard !isListener, !uri.contains("conntimeo=") else { return uri }
    return uri + (uri.contains("?") ? "&" : "?") + "conntimeo=2000000000"
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var queue = ElementSpec(
      "queue", plugin: "coreelements",
      [
        "leaky": "downstream", "max-size-bytes": "\(bufferSize)", "max-size-buffers": "0",
        "max-size-time": "0",
      ])
    queue.leakyCapacity = bufferSize
    var sender = ElementSpec(
      "srtsink", plugin: "srt",
      [
        // A caller waits in its own thread for the listener, and connects again where it left.
        "uri": address, "wait-for-connection": "\(!isListener)", "sync": "false", "async": "false",
      ])
    sender.awaitsReceiver = true
    // What comes from files is sent as time passes, too.
    let pace = ElementSpec("clocksync", plugin: "coreelements")
    return [try TransportMuxer().chain(formats, ["alignment": "7"], to: [pace, queue, sender])]
  }
}
