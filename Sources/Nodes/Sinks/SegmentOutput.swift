import Containers
import GraphKit
import GraphKitSystem

/// Hands a movie to a Swift program in segments, while it is written: fragmented MP4, as players of HLS
/// and DASH take it.
///
/// With one track the segments are CMAF's (ISO/IEC 23000-19), with several each holds all of them.
public struct SegmentOutput: ElementNode {
  /// What takes the segments: a program's to set.
  public var receiver: SegmentReceiver?
  /// The length of a segment, in seconds; 0 for such as end only where the receiver asks for it.
  public var segmentDuration = 6.0
  /// The languages of tracks by their ports, as BCP 47 has them.
  public var languages: [String: JSONValue] = [:]

  /// Whether what comes is live: what is made of files says nothing of when.
  private var isLive = true

  /// An output whose receiver is to be set.
  public init() {}

  /// An output to a receiver.
  public init(to receiver: SegmentReceiver, segmentDuration: Double = 6) {
    (self.receiver, self.segmentDuration) = (receiver, segmentDuration)
  }

  public static let declaration = NodeDeclaration<SegmentOutput>(
    "segmentOutput", role: .sink, help: "Hands a movie to a Swift program, in segments.",
    example: "encoder -> segmentOutput.video",
    parameters: [
      .number(
        "segmentDuration", \.segmentDuration, in: 0...3_600, unit: "s",
        help: "The length of segments; encoders are asked for key frames there. "
          + "0 for such as end where the program asks for it."),
      .object(
        "languages", \.languages, help: "Of tracks by their ports: { \"audio\": \"de\" }."),
    ])

  /// The inputs of a stream.
  public struct Ports: PortSet {
    /// Video, a track each.
    public let video = InputPort<EncodedVideo>(
      "video", .encoded(.h264, .hevc, .av1, .vp9), isRepeatable: true, isRequired: false,
      help: "Video; a track each, the second as `video.2`.")
    /// Audio, a track each.
    public let audio = InputPort<EncodedAudio>(
      "audio", .encoded(.aac, .mp3, .alac, .opus, .ac3, .eac3, .flac), isRepeatable: true,
      isRequired: false,
      help: "Audio; a track each, the second as `audio.2`.")
  }

  public static let ports = Ports()

  public var problem: NodeError? { TrackLanguages(languages).problem }

  public mutating func settle(isLive: Bool) { self.isLive = isLive }

  public func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    if receiver == nil { throw Self.noReceiver }
    return []
  }

  private static let noReceiver = NodeError(
    "no program takes its segments",
    remedy: "set its `receiver` in Swift, or take `hlsSink` or `mp4Sink` in a graph file")

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    guard !formats.isEmpty else {
      throw NodeError(
        "nothing is wired to the output", remedy: "wire encoded video or audio to it")
    }
    guard let receiver else { throw Self.noReceiver }
    var chain = ElementChain([], inputs: [:], outputs: [:])
    chain.output = SegmentedMovie(
      settings(trackCount: formats.count),
      interval: segmentDuration > 0
        ? MediaTime(seconds: segmentDuration, preferredTimescale: 1_000_000) : nil,
      languages: TrackLanguages(languages).tags, to: receiver)
    for (port, format) in formats { chain.inputElements[port] = format.codecs.first?.parsers ?? [] }
    return [chain]
  }

  private func settings(trackCount: Int) -> MovieWriter.Settings {
    var settings = MovieWriter.Settings()
    (settings.isStream, settings.interleavesByTime) = (true, true)
    // A segment is one fragment, as long as it isn't too large to be held.
    settings.fragmentDuration = 3_600_000_000_000
    settings.segmentDuration = segmentDuration > 0 ? Int64(segmentDuration * 1e9) : 1 << 60
    settings.brand = trackCount == 1 ? "cmf2" : "iso6"
    settings.creationTime = isLive ? ProcessTime.secondsSince1970 : nil
    return settings
  }
}
