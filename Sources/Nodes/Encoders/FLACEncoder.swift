import Containers
import GraphKit
import GraphKitSystem

/// Encodes audio as FLAC, without loss, with libFLAC.
///
/// Samples of 24 bits stay as they are, and so do those of 16; floating-point audio gets 16 bits,
/// unless an `audioConvert` before it makes it 24.
public struct FLACEncoder: ElementNode {
  /// How hard it works, from 0 to 8.
  public var compression = 5

  /// An encoder as `flac` is without options.
  public init() {}

  public static let declaration = NodeDeclaration<FLACEncoder>(
    "flacEncoder", role: .encoder, help: "Encodes audio as FLAC, without loss.",
    phrase: "encoded as FLAC",
    example: "file.audio -> flacEncoder -> audioSink",
    parameters: [
      .integer(
        "compression", \.compression, in: 0...8,
        help: "How hard it works: 0 is the fastest, 8 makes the smallest files.")
    ])

  public static let ports = TransformPorts<Audio, EncodedAudio>(
    .audio([.s16, .s24], layouts: [.interleaved], channels: [2, 1, 3, 4, 5, 6, 7, 8]),
    .encoded(.flac))

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    .tooManyChannels(in: formats["in"], most: 8) ?? rateProblem(formats["in"])
  }

  /// The stream's header has 20 bits for the rate (RFC 9639, 8.2), and frames multiples of ten above
  /// 65,535.
  private func rateProblem(_ format: FormatConstraint?) -> NodeError? {
    guard let rate = format?.sampleRates.first, rate > 655_350 || rate > 65_535 && rate % 10 != 0
    else { return nil }
    return NodeError(
      "\(rate) Hz enter, and FLAC has no such rate",
      remedy: "put a `resample` before it whose `rate` is 96000 or 48000")
  }

  /// The speakers that the encoder of GStreamer 1.22 knows of so many channels. It has no others, but the
  /// order of the channels is all that the format has, too.
  private static var targets: ChannelTargets {
    let layouts = [3, 4, 5, 6, 8].map(Speakers.usual) + [[.fiveOne, .backCenter]]
    var targets = ChannelTargets(layouts)
    targets.keepsSamples = true
    // To write them in that of RFC 9639, 9.1.3: it swaps some (`channel_positions` of `flacenc`).
    targets.orders = [7: [0, 1, 4, 5, 2, 3, 6], 8: [0, 1, 4, 5, 2, 3, 6, 7]]
    return targets
  }

  public var latency: MediaTime { latency(formats: [:]) }

  /// A block, and one sample by which the encoder knows that it isn't the last.
  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    FormatConstraint.length(of: 4_608 + 1, at: formats["in"])
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var encoder = ElementSpec("flacenc", plugin: "flac", ["quality": "\(compression)"])
    // Of audio that is shorter than a block, it says where it begins before what it is.
    encoder.groundlessComplaints = [
      "Sticky event misordering, got 'segment' before 'caps'"
    ]
    var chain = ElementChain(encoder, placing: Self.targets)
    // The encoder knows it, and tells only what it can seek in.
    let sum = Monitor(MD5())
    chain.filters["in", default: []].append(
      .samples { sample in sample.withBytes { bytes in sum.withLock { $0.add(bytes) } } })
    chain.keepPicturesFromHeader()
    chain.digest = StreamDigest {
      sum.withLock { StreamDigest.Value($0.value, of: $0.byteCount) }
    }
    return [chain]
  }
}
