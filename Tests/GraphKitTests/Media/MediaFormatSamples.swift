@testable import GraphKit

/// Formats of every sort, for tests that ask the same of each.
enum MediaFormatSamples {
  static let all: [MediaFormat] = audio + video + encoded + others

  static let others: [MediaFormat] = [
    .other(caps: "text/x-raw, format=(string)utf8"), .other(caps: "application/x-rtp"),
  ]

  static let audio: [MediaFormat] = SampleFormat.allCases.flatMap { format in
    ChannelLayout.allCases.map {
      .audio(AudioFormat(format, sampleRate: 44_100, channels: $0 == .planar ? 6 : 1, layout: $0))
    }
  }

  static let video: [MediaFormat] =
    PixelFormat.allCases.map {
      .video(
        VideoFormat(
          $0, width: 1280, height: 719, frameRate: Rational(30_000, over: 1001),
          colorimetry: "bt709"))
    } + [.video(VideoFormat(.i420, width: 16, height: 16, colorimetry: "1:4:7:1"))]

  static let encoded: [MediaFormat] = Codec.allCases.flatMap { codec -> [MediaFormat] in
    var full = EncodedFormat(codec)
    if codec.kind == .encodedAudio {
      (full.sampleRate, full.channels) = (48_000, 2)
    } else {
      (full.width, full.height, full.frameRate) = (1920, 1080, Rational(25))
    }
    return [.encoded(EncodedFormat(codec)), .encoded(full)]
  }

  /// Whether one of two formats of the same codec leaves open what the other states.
  static func differOnlyInOpenFields(_ a: MediaFormat, _ b: MediaFormat) -> Bool {
    if b.kind == .any { return true }
    guard case .encoded(let a) = a, case .encoded(let b) = b else { return false }
    return a.codec == b.codec
  }
}
