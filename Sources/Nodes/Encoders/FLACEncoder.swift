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

  /// The order in which the encoder of GStreamer 1.22 takes so many channels to write them in that of
  /// RFC 9639, 9.1.3: it swaps some of seven and eight (`channel_positions` of `flacenc`).
  private static let orders = [7: [0, 1, 4, 5, 2, 3, 6], 8: [0, 1, 4, 5, 2, 3, 6, 7]]

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
    let isSeven = formats["in"]?.channels == [7]
    var chain = ElementChain([isSeven ? .rearPlacer : .speakerPlacer, encoder])
    // The encoder knows it, and tells only what it can seek in.
    let sum = Monitor(MD5())
    chain.filters["in"] = [
      .samples { sample in sample.withBytes { bytes in sum.withLock { $0.add(bytes) } } },
      .channels(in: Self.orders.filter { $0.key != 7 || isSeven }),
    ]
    chain.digest = StreamDigest {
      sum.withLock { StreamDigest.Value($0.value, of: $0.byteCount) }
    }
    return [chain]
  }
}

extension ElementSpec {
  /// Has seven channels be for the speakers that the encoder knows of so many.
  fileprivate static let rearPlacer = ElementSpec(
    "capssetter", plugin: "debug", ["caps": "audio/x-raw,channel-mask=(bitmask)0x13f"])
}
