import GStreamer

/// What a range needs to know of the caps of a stream.
extension Caps {
  /// Whether they are of packets that a decoder takes.
  var isEncoded: Bool { !mediaType.contains("/x-raw") }
  var isText: Bool { mediaType.hasPrefix("text/") }

  /// The rate of the samples that times of audio are counted in.
  var clockRate: Int? {
    let codec = Codec.allCases.first { mediaType == $0.mediaType }
    return codec?.decodedSampleRate ?? sampleRate
  }

  private var mediaType: Substring { description.prefix { $0 != "," } }
}
