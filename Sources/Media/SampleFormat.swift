/// How one PCM sample is stored, in the machine's own byte order (little-endian).
public enum SampleFormat: String, Hashable, Sendable, Codable, CaseIterable {
  case u8, s16, s24, s32, f32, f64

  /// Bytes of one sample of one channel.
  public var bytesPerSample: Int {
    switch self {
    case .u8: 1
    case .s16: 2
    case .s24: 3
    case .s32, .f32: 4
    case .f64: 8
    }
  }

  /// Whether samples are floating-point numbers.
  package var isFloat: Bool { self == .f32 || self == .f64 }

  /// The most bits of an integer that it holds exactly.
  package var exactBits: Int {
    switch self {
    case .u8: 8
    case .s16: 16
    case .s24, .f32: 24
    case .s32, .f64: 32
    }
  }

  /// The name in GStreamer's caps (`audio/x-raw, format=`).
  public var capsName: String {
    switch self {
    case .u8: "U8"
    case .s16: "S16LE"
    case .s24: "S24LE"
    case .s32: "S32LE"
    case .f32: "F32LE"
    case .f64: "F64LE"
    }
  }
}

/// How the samples of several channels lie in a block.
public enum ChannelLayout: String, Hashable, Sendable, Codable, CaseIterable {
  /// One frame after another: L R L R …
  case interleaved
  /// One channel after another: L L … R R …
  case planar

  /// The name in GStreamer's caps (`layout=`).
  public var capsName: String { self == .interleaved ? "interleaved" : "non-interleaved" }
}

/// How the pixels of a frame are stored.
public enum PixelFormat: String, Hashable, Sendable, Codable, CaseIterable {
  case i420, nv12, bgra, rgba, yuy2, gray8

  /// The name in GStreamer's caps (`video/x-raw, format=`).
  public var capsName: String {
    switch self {
    case .i420: "I420"
    case .nv12: "NV12"
    case .bgra: "BGRA"
    case .rgba: "RGBA"
    case .yuy2: "YUY2"
    case .gray8: "GRAY8"
    }
  }

  /// The number of planes of a frame.
  public var planeCount: Int {
    switch self {
    case .i420: 3
    case .nv12: 2
    case .bgra, .rgba, .yuy2, .gray8: 1
    }
  }
}

/// A coding format, with the name that graph files and listings use.
public enum Codec: String, Hashable, Sendable, Codable, CaseIterable {
  case h264, hevc, vp8, vp9, av1, mpeg4, mpeg2, jpeg, png, bmp, prores, dnxhd, theora, sorenson
  case aac, mp3, opus, vorbis, flac, alac, ac3, eac3, dts, mp2, alaw, mulaw, adpcm, wavpack

  /// Whether decoding doesn't give back every bit of audio, so that little is left of each.
  package var isLossy: Bool { self != .flac && self != .alac }

  /// Whether the codec carries audio or video.
  public var kind: MediaKind {
    switch self {
    case .h264, .hevc, .vp8, .vp9, .av1, .mpeg4, .mpeg2, .jpeg, .png, .bmp, .prores, .dnxhd,
      .theora, .sorenson:
      .encodedVideo
    case .aac, .mp3, .opus, .vorbis, .flac, .alac, .ac3, .eac3, .dts, .mp2, .alaw, .mulaw, .adpcm,
      .wavpack:
      .encodedAudio
    }
  }
}
