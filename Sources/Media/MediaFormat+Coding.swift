extension MediaFormat: Codable {
  private enum Key: String, CodingKey { case kind, caps }
  private enum Kind: String, Codable { case audio, video, encoded, peaks, measurement, other }

  /// Writes the fields of the format beside its `kind`: `{"kind": "video", "width": 1280, …}`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .audio(let audio):
      try container.encode(Kind.audio, forKey: .kind)
      try audio.encode(to: encoder)
    case .video(let video):
      try container.encode(Kind.video, forKey: .kind)
      try video.encode(to: encoder)
    case .encoded(let encoded):
      try container.encode(Kind.encoded, forKey: .kind)
      try encoded.encode(to: encoder)
    case .peaks(let peaks):
      try container.encode(Kind.peaks, forKey: .kind)
      try peaks.encode(to: encoder)
    case .measurement:
      try container.encode(Kind.measurement, forKey: .kind)
    case .other(let caps):
      try container.encode(Kind.other, forKey: .kind)
      try container.encode(caps, forKey: .caps)
    }
  }

  /// Reads the fields that the `kind` asks for.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .kind) {
    case .audio: self = .audio(try AudioFormat(from: decoder))
    case .video: self = .video(try VideoFormat(from: decoder))
    case .encoded: self = .encoded(try EncodedFormat(from: decoder))
    case .peaks: self = .peaks(try PeaksFormat(from: decoder))
    case .measurement: self = .measurement
    case .other: self = .other(caps: try container.decode(String.self, forKey: .caps))
    }
  }
}
