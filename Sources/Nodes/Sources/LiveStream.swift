import GraphKit
import GraphKitSystem

/// Audio and video that come over a network as time passes: what another program, a server or a network
/// camera sends.
///
/// Nothing is known of it before it comes, so what leaves is decoded, or encoded with the codec that its
/// parameters name. A connection that ends or stalls is opened anew, after waits that grow. What of time has
/// nothing, since nothing came, is filled with silence and the last frame, kept as a gap, or closed.
public struct LiveStream: SourceNode {
  /// How the streams of an RTSP server come.
  public enum Transport: String, CaseIterable, Sendable {
    /// In datagrams, or over the connection where those don't come.
    case auto
    case tcp, udp
  }

  /// What becomes of time in which nothing came.
  public enum Gaps: String, CaseIterable, Sendable {
    /// Audio is silent, and video shows the last frame.
    case fill
    /// Nothing leaves, and what comes after it keeps its time.
    case keep
    /// What comes after it follows at once.
    case close
  }

  /// What the end of a connection means.
  public enum End: String, CaseIterable, Sendable {
    /// It is opened anew.
    case reconnect
    /// The stream has ended.
    case finish
  }

  /// The codecs of video that may leave encoded.
  public enum VideoCodec: String, CaseIterable, Sendable { case h264, hevc, mpeg2 }

  /// The codecs of audio that may leave encoded.
  public enum AudioCodec: String, CaseIterable, Sendable { case aac, mp3, mp2, ac3, opus }

  /// Where the stream comes from.
  public var uri = ""
  /// How the streams of an RTSP server come.
  public var transport = Transport.auto
  /// The codec of the video, which then leaves encoded; `nil` to decode it.
  public var videoCodec: VideoCodec?
  /// The codec of the audio, which then leaves encoded; `nil` to decode it.
  public var audioCodec: AudioCodec?
  /// What becomes of time in which nothing came.
  public var gaps = Gaps.fill
  /// What the end of a connection means.
  public var onEnd = End.reconnect
  /// How late samples may come, in seconds.
  public var jitter = 0.5
  /// For how long the first sample is waited for, in seconds.
  public var startTimeout = 30.0
  /// How long nothing comes over a connection that isn't lost, in seconds.
  public var stallTimeout = 5.0
  /// For how long a connection that was lost is tried anew, in seconds.
  public var reconnectTimeout = 60.0

  private var environment: (any Environment)?
  private var reception: Monitor<Reception>?

  /// A stream to be named.
  public init() {}

  public static let declaration = NodeDeclaration<LiveStream>(
    "liveStream", role: .source,
    help: "Audio and video that come over a network: UDP, SRT, RTSP, RTMP, HLS.",
    phrase: "received over the network",
    example: "stream.video -> encoder",
    parameters: addressParameters + timeParameters)

  private static let addressParameters: [Parameter<LiveStream>] = [
    .string(
      "uri", \.uri, required: true,
      help: "`udp://:5004`, `srt://host:port`, `rtsp://…`, `rtmp://…`, or that of an HLS playlist."),
    .choice("transport", \.transport, help: "How the streams of an RTSP server come."),
    .choice(
      "videoCodec", \.videoCodec,
      help: "The codec of the video, which then leaves encoded; left out, it is decoded."),
    .choice(
      "audioCodec", \.audioCodec,
      help: "The codec of the audio, which then leaves encoded; left out, it is decoded."),
  ]

  private static let timeParameters: [Parameter<LiveStream>] = [
    .choice(
      "gaps", \.gaps,
      help: "Time in which nothing came is filled with silence and the last frame, kept, or closed."
    ),
    .choice(
      "onEnd", \.onEnd, help: "Whether a connection that ends is opened anew or ends the stream."),
    .number("jitter", \.jitter, in: 0.05...10, unit: "s", help: "How late samples may come."),
    .number(
      "startTimeout", \.startTimeout, in: 0.1...1_000_000, unit: "s",
      help: "For how long the first sample is waited for."),
    .number(
      "stallTimeout", \.stallTimeout, in: 0.1...1_000_000, unit: "s",
      help: "A connection over which nothing comes for so long is lost."),
    .number(
      "reconnectTimeout", \.reconnectTimeout, in: 0...1_000_000, unit: "s",
      help: "For how long a connection that was lost is tried anew."),
  ]

  /// The ports of a stream.
  public struct Ports: PortSet {
    /// The video.
    public let video = OutputPort<AnyMedia>("video", isRequired: false, help: "The video.")
    /// The audio.
    public let audio = OutputPort<AnyMedia>("audio", isRequired: false, help: "The audio.")
  }

  public static let ports = Ports()

  public var portDeclarations: [PortDeclaration] { tracks.map { $0.output(of: $0.format) } }

  /// Its two tracks.
  var tracks: [LiveTrack] {
    let (video, audio) = (videoCodec?.rawValue, audioCodec?.rawValue)
    return [
      LiveTrack(isVideo: true, codec: video.flatMap { Codec(rawValue: $0) }),
      LiveTrack(isVideo: false, codec: audio.flatMap { Codec(rawValue: $0) }),
    ]
  }

  public var traits: NodeTraits {
    var traits = NodeTraits(isLive: true, leavesFormatToRun: true)
    traits.needsAllPlugins = true
    return traits
  }

  public var latency: MediaTime { .seconds(jitter) }

  public var problem: NodeError? {
    uri.isEmpty ? nil : LiveAddress.problem(uri, inDatagrams: transport == .udp)
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    self.environment = environment
    if LiveAddress(uri: uri).isSecure { try environment.prepareSecureConnections() }
    return []
  }

  public mutating func start(to outputs: NodeOutputs) throws {
    guard let environment else { return }
    let wired = tracks.indices.filter { outputs.isWired($0) }
    reception = Monitor(Reception(self, wired, environment))
  }

  public mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    try reception?.withLock { try $0.step(outputs) } ?? false
  }
}
