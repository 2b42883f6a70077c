@testable import GraphKit

/// Stands in for the node that changes pictures.
struct FakeVideoConvert: ElementNode {
  var pixelFormat = ""
  var width: Int?
  var height: Int?
  var frameRate = Rational(0)

  static let ports = EffectPorts<Video>()
  static let declaration = NodeDeclaration<Self>(
    "videoConvert", role: .converter, help: "A fake.", example: "",
    parameters: [
      .string("pixelFormat", \.pixelFormat, help: ""),
      .integer("width", \.width, in: 1...32768, help: ""),
      .integer("height", \.height, in: 1...32768, help: ""),
      .rational("frameRate", \.frameRate, help: ""),
    ])
  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] { [] }
}

/// Stands in for the node that changes sound.
struct FakeAudioConvert: ElementNode {
  var sampleFormat = ""
  var layout = ""
  var sampleRate: Int?
  var channels: Int?

  static let ports = EffectPorts<Audio>()
  static let declaration = NodeDeclaration<Self>(
    "audioConvert", role: .converter, help: "A fake.", example: "",
    parameters: [
      .string("sampleFormat", \.sampleFormat, help: ""),
      .string("layout", \.layout, help: ""),
      .integer("sampleRate", \.sampleRate, in: 1...768_000, help: ""),
      .integer("channels", \.channels, in: 1...64, help: ""),
    ])
  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] { [] }
}

/// Stands in for the decoder of either kind.
struct FakeDecoder: ElementNode {
  var media = "audio"

  static let ports = NoPorts()
  static let declaration = NodeDeclaration<Self>(
    "decoder", role: .decoder, help: "A fake.", example: "",
    parameters: [.string("media", \.media, help: "")])
  var portDeclarations: [PortDeclaration] {
    let (encoded, raw): (MediaKind, MediaKind) =
      media == "audio" ? (.encodedAudio, .audio) : (.encodedVideo, .video)
    return [
      PortDeclaration("in", .input, FormatConstraint(encoded), help: ""),
      PortDeclaration("out", .output, FormatConstraint(raw), follows: "in", help: ""),
    ]
  }
  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] { [] }
}
