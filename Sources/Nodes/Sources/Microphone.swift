import GraphKit

/// Audio from a microphone, through PulseAudio or ALSA; a live test tone where there is none.
public struct Microphone: ElementNode {
  /// `auto`, or a device such as `pulse`, `pulse:NAME` or `alsa:hw:0`.
  public var device = "auto"
  /// How samples are stored.
  public var sampleFormat = SampleFormat.f32
  /// Samples a second of each channel.
  public var sampleRate = 48_000
  /// The number of channels.
  public var channels = 2
  /// The device that was found; `nil` where a test tone is used instead.
  private var found: String?

  /// The default microphone.
  public init() {}

  public static let declaration = NodeDeclaration<Microphone>(
    "microphone", role: .source,
    help: "Audio from a microphone, or a test tone where there is none.",
    phrase: "captured by a microphone",
    example: "microphone -> audioEncoder",
    parameters: [
      .string(
        "device", \.device, help: "`auto`, `pulse`, `pulse:NAME` or an ALSA name, `alsa:hw:0`."),
      .choice("sampleFormat", \.sampleFormat, help: "How samples are stored."),
      .integer(
        "sampleRate", \.sampleRate, in: 8_000...192_000, unit: "Hz", help: "Samples a second."),
      .integer("channels", \.channels, in: 1...8, help: "The number of channels."),
    ])

  public static let ports = SourcePorts<Audio>(help: "The microphone's audio.")

  public var portDeclarations: [PortDeclaration] {
    [PortDeclaration("out", .output, format, help: "The microphone's audio.")]
  }

  public var traits: NodeTraits { NodeTraits(isLive: true) }

  private var format: FormatConstraint {
    .audio(
      [sampleFormat], layouts: [.interleaved], sampleRates: [sampleRate], channels: [channels])
  }

  public mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    // A source of PulseAudio by name, or a device of ALSA's configuration, isn't in any list.
    if device.hasPrefix("pulse:") || device.hasPrefix("alsa:") {
      found = device
      return []
    }
    found = try environment.captureDevice(.microphone, named: device)
    return found == nil
      ? ["no PulseAudio server and no ALSA capture device: using a live test tone"] : []
  }

  public func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    guard let found else { return try standIn.elements(in: environment, formats: formats) }
    return [
      ElementChain([source(found)] + ElementSpec.audioConversion + [.filter(format)], inputs: [:])
    ]
  }

  private func source(_ device: String) -> ElementSpec {
    let parts = device.split(separator: ":", maxSplits: 1)
    let name = parts.count > 1 ? ["device": String(parts[1])] : [:]
    return device.hasPrefix("alsa")
      ? ElementSpec("alsasrc", plugin: "alsa", name)
      : ElementSpec(
        "pulsesrc", plugin: "pulseaudio", name.merging(["client-name": "graphctl"]) { $1 })
  }

  private var standIn: TestAudio {
    var tone = TestAudio()
    (tone.sampleFormat, tone.sampleRate, tone.channels) = (sampleFormat, sampleRate, channels)
    tone.volume = 0.2
    tone.live = true
    return tone
  }
}
