@testable import GraphKit

/// Graphs to draw, from small to large.
enum Pictures {
  private static let camera = FormatConstraint.video(
    [.yuy2], width: 1280, height: 720, frameRate: Rational(30))
  private static let microphone = FormatConstraint.audio(
    [.s16], sampleRates: [48_000], channels: [2])
  private static let encoded = [
    input(.video([.i420, .nv12])), output(.encoded(.h264), follows: "in"),
  ]
  private static let packed = [input(.audio([.f32])), output(.encoded(.aac), follows: "in")]
  private static let movie = [
    input(.encoded(.h264, .hevc), "video"), input(.encoded(.aac), "audio"),
  ]

  /// A camera and a microphone into a movie.
  static var record: Sketch {
    var sketch = Sketch()
    sketch.add("camera", FakeElement<SourceTag>.self, [output(camera)], isLive: true)
    sketch.add("microphone", FakeElement<SourceTag>.self, [output(microphone)], isLive: true)
    sketch.add("look", FakeSwift<EffectTag>.self, through(.video()))
    sketch.add("video", FakeElement<EncoderTag>.self, encoded, latency: 1.5)
    sketch.add("audio", FakeElement<EncoderTag>.self, packed)
    sketch.add("movie", FakeElement<SinkTag>.self, movie, parameters: ["path": .string("a.mp4")])
    sketch.wire("camera -> look -> video -> movie.video", "microphone -> audio -> movie.audio")
    return sketch
  }

  /// One file into a movie, a preview and a listing.
  static var fanOut: Sketch {
    var sketch = Sketch()
    sketch.add(
      "file", FakeElement<SourceTag>.self,
      [output(.encoded(.h264), "video"), output(.encoded(.aac), "audio")])
    sketch.add("decode", FakeElement<DecoderTag>.self, [input(.encoded(.h264)), output(camera)])
    sketch.add("mask", FakeSwift<EffectTag>.self, through(.video([.bgra])))
    sketch.add("flip", FakeSwift<EffectTag>.self, through(.video([.bgra])))
    sketch.add("histogram", FakeSwift<SinkTag>.self, [input(.video([.bgra]))])
    sketch.add("video", FakeElement<EncoderTag>.self, encoded, latency: 2)
    sketch.add("preview", FakeElement<SinkTag>.self, [input(.video([.bgra]))])
    sketch.add("movie", FakeElement<SinkTag>.self, movie)
    sketch.wire(
      "file.video -> decode -> mask -> flip -> video -> movie.video", "flip -> histogram",
      "mask -> preview", "file.audio -> movie.audio")
    return sketch
  }

  /// Three cameras and two microphones, mixed, recorded and streamed.
  static var studio: Sketch {
    var sketch = fanOutOfSources
    sketch.add(
      "switcher", FakeSwift<EffectTag>.self,
      ["left", "middle", "right"].map { input(.video([.i420]), $0) }
        + [output(.video([.i420]), follows: "left")])
    sketch.add(
      "mixer", FakeSwift<EffectTag>.self,
      ["voice", "room"].map { input(.audio([.f32]), $0) } + [
        output(.audio([.f32]), follows: "voice")
      ])
    for name in ["titles", "grade"] {
      sketch.add(name, FakeSwift<EffectTag>.self, through(.video([.i420, .bgra])))
    }
    for name in ["compressor", "limiter"] {
      sketch.add(name, FakeSwift<EffectTag>.self, through(.audio([.f32])))
    }
    sketch.add("high", FakeElement<EncoderTag>.self, encoded, latency: 1.5)
    sketch.add("low", FakeElement<EncoderTag>.self, encoded)
    sketch.add("sound", FakeElement<EncoderTag>.self, packed)
    sketch.add("archive", FakeElement<SinkTag>.self, movie)
    sketch.add("stream", FakeElement<SinkTag>.self, movie)
    sketch.add("loudness", FakeSwift<SinkTag>.self, [input(.audio([.f32]))])
    sketch.add("waveform", FakeSwift<SinkTag>.self, [input(.audio([.f32]))])
    sketch.wire(
      "camera1 -> switcher.left", "camera2 -> stabiliser -> switcher.middle",
      "camera3 -> switcher.right", "switcher -> titles -> grade -> high -> archive.video",
      "grade -> low -> stream.video", "voice -> gate -> mixer.voice", "room -> mixer.room",
      "mixer -> compressor -> limiter -> sound -> archive.audio", "sound -> stream.audio",
      "limiter -> loudness", "limiter -> waveform")
    return sketch
  }

  private static var fanOutOfSources: Sketch {
    var sketch = Sketch()
    for number in 1...3 {
      sketch.add("camera\(number)", FakeElement<SourceTag>.self, [output(camera)], isLive: true)
    }
    for name in ["voice", "room"] {
      sketch.add(name, FakeElement<SourceTag>.self, [output(microphone)], isLive: true)
    }
    sketch.add("stabiliser", FakeElement<EffectTag>.self, through(.video([.i420])), latency: 0.5)
    sketch.add("gate", FakeSwift<EffectTag>.self, through(.audio([.f32])))
    return sketch
  }
}
