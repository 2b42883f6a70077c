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

extension AudioFormat: Codable {
  private enum CodingKeys: String, CodingKey {
    case sampleFormat, sampleRate, channels, layout, speakers
  }

  /// Writes the fields; ``speakers`` as the number of their bits, and only where they are unusual.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(sampleFormat, forKey: .sampleFormat)
    try fields.encode(sampleRate, forKey: .sampleRate)
    try fields.encode(channels, forKey: .channels)
    try fields.encode(layout, forKey: .layout)
    let isUsual = speakers == .usual(channels)
    try fields.encodeIfPresent(isUsual ? nil : speakers.rawValue, forKey: .speakers)
  }

  /// Reads the fields.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    // In the order in which they are written, which the summaries of reducers go by.
    self.init(
      try fields.decode(SampleFormat.self, forKey: .sampleFormat),
      sampleRate: try fields.decode(Int.self, forKey: .sampleRate),
      channels: try fields.decode(Int.self, forKey: .channels),
      layout: try fields.decode(ChannelLayout.self, forKey: .layout),
      speakers: try fields.decodeIfPresent(UInt32.self, forKey: .speakers)
        .map { Speakers(rawValue: $0) })
  }
}
