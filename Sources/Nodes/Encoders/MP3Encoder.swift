import GraphKit
import GraphKitSystem

/// Encodes audio as MP3, with LAME.
public struct MP3Encoder: ElementNode {
  /// Bits a second, the same for every packet; `nil` for 128,000 of stereo and 64,000 of mono.
  public var bitRate: Int?
  /// A quality in place of a bit rate, from 0 to 9: LAME's `-V`.
  public var quality: Double?

  /// An encoder for speech and music.
  public init() {}

  public static let declaration = NodeDeclaration<MP3Encoder>(
    "mp3Encoder", role: .encoder, help: "Encodes audio as MP3.",
    phrase: "encoded as MP3[ at {bitRate}]",
    example: "microphone -> mp3Encoder -> audioSink",
    parameters: [
      .integer(
        "bitRate", \.bitRate, in: 8_000...320_000, unit: "bit/s",
        help: "One that MP3 has; where not given, 128,000 of stereo and 64,000 of mono."),
      .number(
        "quality", \.quality, in: 0...9,
        help: "Variable bit rate, as `lame -V` has it: 0 is the best, 2 good, 9 the smallest."),
    ])

  public static let ports = TransformPorts<Audio, EncodedAudio>(
    .audio(
      [.s16], layouts: [.interleaved],
      sampleRates: [44_100, 48_000, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000],
      channels: [2, 1]), .encoded(.mp3))

  /// Frames that LAME puts before the first, with those by which a decoder is late.
  static let priming = 576 + 529

  public var problem: NodeError? {
    if bitRate != nil, quality != nil { return .bitRateAndQuality }
    guard let bitRate, !Self.lowRates.union(Self.highRates).contains(bitRate) else { return nil }
    return wrongRate(bitRate, of: Self.highRates, "MP3 has no bit rate of \(bitRate) bit/s")
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    if let problem = NodeError.tooManyChannels(in: formats["in"], most: 2) { return problem }
    guard let bitRate, let rate = formats["in"]?.sampleRates.first,
      formats["in"]?.sampleRates.count == 1
    else { return nil }
    let known = Self.bitRates(at: rate)
    guard !known.contains(bitRate) else { return nil }
    return wrongRate(bitRate, of: known, "at \(rate) Hz MP3 has no bit rate of \(bitRate) bit/s")
  }

  private func wrongRate(_ bitRate: Int, of known: Set<Int>, _ message: String) -> NodeError {
    let nearest = known.min { abs($0 - bitRate) < abs($1 - bitRate) } ?? 128_000
    return NodeError(message, remedy: "set `bitRate` to \(nearest)", key: "bitRate")
  }

  /// The bit rates of MPEG-1 and, below 32 kHz, of MPEG-2 (ISO/IEC 11172-3 and 13818-3, 2.4.2.3).
  private static let highRates = Set(
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320].map { $0 * 1_000 })
  private static let lowRates = Set(
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160].map { $0 * 1_000 })

  private static func bitRates(at rate: Int) -> Set<Int> { rate < 32_000 ? lowRates : highRates }

  public var latency: MediaTime { latency(formats: [:]) }

  /// Two packets and what the encoder looks ahead.
  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    FormatConstraint.length(of: 3 * 1_152, at: formats["in"])
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let format = formats["in"]
    let rate = format?.sampleRates.first ?? 44_100
    let mono = Self.bitRates(at: rate).contains(64_000) ? 64 : 32
    let bits = bitRate.map { $0 / 1_000 } ?? (format?.channels.first == 1 ? mono : 2 * mono)
    let properties: [String: String] =
      quality.map { ["target": "quality", "quality": "\($0)"] }
      ?? ["target": "bitrate", "cbr": "true", "bitrate": "\(bits)"]
    // Without a rate to keep, LAME chooses a lower one where it finds the bits few.
    var chain = ElementChain([
      .speakerPlacer, ElementSpec("lamemp3enc", plugin: "lame", properties),
      ElementSpec(
        "capsfilter", plugin: "coreelements", ["caps": "audio/mpeg, rate=(int)\(rate)"]),
    ])
    let count = Monitor(0)
    chain.priming = Self.priming
    chain.filters["in"] = [.steadyAudio, .counted(by: count)]
    chain.filters["out"] = [.mp3Packets(of: count, rate: rate)]
    return [chain]
  }
}
