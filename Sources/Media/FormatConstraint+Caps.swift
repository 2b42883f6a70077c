extension FormatConstraint {
  /// The constraint as the text of a caps filter; `ANY` where it says nothing that caps can say.
  ///
  /// Of encoded media only the codecs are named: what else an encoder writes into its caps
  /// differs, and a filter on it would refuse good samples.
  public var capsText: String {
    switch kind {
    case .any: "ANY"
    case .peaks: PeaksFormat.mediaType
    case .measurement: MediaFormat.measurementType
    case .audio: audioCaps
    case .video: videoCaps
    case .encodedAudio, .encodedVideo:
      codecs.isEmpty ? "ANY" : codecs.map(Self.filter).joined(separator: "; ")
    }
  }

  private var audioCaps: String {
    var caps = CapsText("audio/x-raw")
    caps.add("format", "string", anyOf: sampleFormats.map(\.capsName))
    caps.add("layout", "string", anyOf: layouts.map(\.capsName))
    caps.add("rate", "int", anyOf: sampleRates.map { "\($0)" })
    caps.add("channels", "int", anyOf: channels.map { "\($0)" })
    return caps.text
  }

  private var videoCaps: String {
    var caps = CapsText("video/x-raw")
    caps.add("format", "string", anyOf: pixelFormats.map(\.capsName))
    caps.add("width", width)
    caps.add("height", height)
    caps.add("framerate", frameRate)
    return caps.text
  }

  private static func filter(_ codec: Codec) -> String {
    var caps = CapsText(codec.mediaType)
    for field in codec.tellingFields { caps.add(field.name, field.type, anyOf: field.values) }
    return caps.text
  }
}
