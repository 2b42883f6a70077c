import GraphKit

/// Changes the sample format, layout, rate or channels of PCM.
public struct AudioConvert: ElementNode {
  /// How samples are to be stored; `nil` to leave that.
  public var sampleFormat: SampleFormat?
  /// How channels are to lie in a block; `nil` to leave that.
  public var layout: ChannelLayout?
  /// Samples a second; `nil` to leave it.
  public var sampleRate: Int?
  /// The number of channels; `nil` to leave it.
  public var channels: Int?
  /// Whether samples that are stored anew get noise as loud as what is rounded away.
  public var dither = true

  /// A converter that changes nothing yet.
  public init() {}

  public static let declaration = NodeDeclaration<AudioConvert>(
    "audioConvert", role: .converter,
    help: "Changes the sample format, layout, rate or channels of PCM.",
    phrase: "converted",
    example: "microphone -> audioConvert -> encoder",
    parameters: [
      .choice("sampleFormat", \.sampleFormat, help: "How samples are to be stored."),
      .choice("layout", \.layout, help: "How channels are to lie in a block."),
      .integer(
        "sampleRate", \.sampleRate, in: 1...768_000, unit: "Hz", help: "The rate to resample to."),
      .integer(
        "channels", \.channels, in: 1...63, help: "The number of channels, mixed up or down."),
      .bool(
        "dither", \.dither,
        help: "Whether noise hides what is rounded away; without, equal samples stay equal."),
    ])

  public static let ports = EffectPorts<Audio>()

  public var portDeclarations: [PortDeclaration] {
    let input = PortDeclaration("in", .input, FormatConstraint(.audio), help: "Any PCM.")
    return [
      input,
      PortDeclaration("out", .output, format, follows: "in", help: "The converted audio."),
    ]
  }

  public func problem(formats: [String: FormatConstraint]) -> NodeError? {
    formats["in"]?.conversionProblem(to: format)
  }

  /// The resampler's filter, at the rate of the slower side of 8 kHz.
  public var latency: MediaTime { latency(formats: [:]) }

  public func latency(formats: [String: FormatConstraint]) -> MediaTime {
    resamples(formats) ? MediaTime(value: 1, timescale: 50) : .zero
  }

  private var format: FormatConstraint {
    .audio(
      sampleFormat.map { [$0] } ?? [], layouts: layout.map { [$0] } ?? [],
      sampleRates: sampleRate.map { [$0] } ?? [], channels: channels.map { [$0] } ?? [])
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var elements = ElementSpec.audioConversion
    if !resamples(formats) { elements.removeSubrange(1...) }
    if !dither {
      for index in elements.indices where elements[index].factory == "audioconvert" {
        elements[index].properties["dithering"] = "none"
      }
    }
    var made = format
    if sampleFormat == nil { made.sampleFormats = unsettled(\.sampleFormats, formats) }
    if layout == nil { made.layouts = unsettled(\.layouts, formats) }
    if sampleRate == nil { made.sampleRates = unsettled(\.sampleRates, formats) }
    if channels == nil { made.channels = unsettled(\.channels, formats) }
    if dither, isRounded(made), formats["in"]?.layouts != [.interleaved] {
      elements.insert(contentsOf: interleaving(before: elements), at: 1)
      if made.layouts.isEmpty { made.layouts = formats["in"]?.layouts ?? [] }
    }
    let targets = ChannelTargets(made.channels)
    if let channels, channels > 2, !Speakers.usual(channels).isEmpty {
      // Channels that are mixed are for the usual speakers; as many as are asked for stay what they are.
      let any = "audio/x-raw, channels=(int)\(channels)"
      let caps = "\(any), channel-mask=(bitmask)\(Speakers.usual(channels).capsText); \(any)"
      elements.insert(
        ElementSpec("capsfilter", plugin: "coreelements", ["caps": caps]), at: 1)
    }
    var filter = ElementSpec.filter(made)
    // What has its choice of rates and channels is an encoder, which keeps to the first.
    filter.keepsFirstFormat = made.sampleRates.count > 1 && made.channels.count > 1
    var chain = ElementChain(elements + [filter])
    chain.filters["in"] = [.limitedRate, .mixed(to: targets)]
    return [chain]
  }

  /// What has samples interleaved where they get noise: the converter (1.22) adds it to the first channel of
  /// planar audio alone.
  private func interleaving(before elements: [ElementSpec]) -> [ElementSpec] {
    let caps = "audio/x-raw, layout=(string)interleaved"
    let filter = ElementSpec("capsfilter", plugin: "coreelements", ["caps": caps])
    return elements.count > 1 ? [filter] : [filter, elements[0]]
  }

  /// Whether samples may be made of so few bits that they get noise.
  private func isRounded(_ made: FormatConstraint) -> Bool {
    made.sampleFormats.contains { $0.exactBits <= 16 }
  }

  private func resamples(_ formats: [String: FormatConstraint]) -> Bool {
    sampleRate != nil || !unsettled(\.sampleRates, formats).isEmpty
  }

  /// The values that the consumer accepts, where the input's isn't known yet. GStreamer's
  /// converters leave the input as it is where it is among them, and else take the nearest.
  private func unsettled<Value>(
    _ field: KeyPath<FormatConstraint, [Value]>, _ formats: [String: FormatConstraint]
  ) -> [Value] {
    guard formats["in"]?[keyPath: field].isEmpty ?? true else { return [] }
    return formats["out"]?[keyPath: field] ?? []
  }
}
