import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct MediaFormatCapsTests {
  @Test(arguments: MediaFormatSamples.all)
  func readsBackWhatItWrites(format: MediaFormat) {
    #expect(MediaFormat(capsText: format.capsText) == format)
  }

  @Test func readsBackRandomFormats() {
    var random = MediaRandom(seed: 11)
    for _ in 0..<2000 {
      let side = 1...Int(Int32.max)
      var video = VideoFormat(
        PixelFormat.allCases.randomElement(using: &random)!,
        width: Int.random(in: side, using: &random), height: Int.random(in: side, using: &random))
      video.frameRate = Rational(
        Int.random(in: side, using: &random), over: Int.random(in: side, using: &random))
      video.colorimetry = ["", "bt601", "2:3:5:1", "a b,\"c\";\\"].randomElement(using: &random)!
      #expect(MediaFormat(capsText: MediaFormat.video(video).capsText) == .video(video))
      let audio = AudioFormat(
        SampleFormat.allCases.randomElement(using: &random)!,
        sampleRate: Int.random(in: side, using: &random),
        channels: Int.random(in: side, using: &random),
        layout: ChannelLayout.allCases.randomElement(using: &random)!)
      #expect(MediaFormat(capsText: MediaFormat.audio(audio).capsText) == .audio(audio))
    }
  }

  @Test(arguments: [
    (
      MediaFormat.audio(AudioFormat(.s16, sampleRate: 44_100, channels: 1)),
      "audio/x-raw, format=(string)S16LE, layout=(string)interleaved, rate=(int)44100, "
        + "channels=(int)1"
    ),
    // GStreamer takes more than two channels only with a mask of their speakers.
    (
      .audio(AudioFormat(.f32, sampleRate: 48_000, channels: 6, layout: .planar)),
      "audio/x-raw, format=(string)F32LE, layout=(string)non-interleaved, rate=(int)48000, "
        + "channels=(int)6, channel-mask=(bitmask)0x000000000000003f"
    ),
    (
      .video(VideoFormat(.nv12, width: 640, height: 480)),
      "video/x-raw, format=(string)NV12, width=(int)640, height=(int)480, framerate=(fraction)0/1"
    ),
    (.encoded(EncodedFormat(.mp3)), "audio/mpeg, mpegversion=(int)1, layer=(int)3"),
    (.encoded(EncodedFormat(.aac)), "audio/mpeg, mpegversion=(int)4"),
    (.encoded(EncodedFormat(.jpeg)), "image/jpeg"),
  ])
  func writesFixedCaps(format: MediaFormat, caps: String) {
    #expect(format.capsText == caps)
  }

  @Test(arguments: [
    (
      "video/x-h264, stream-format=(string)avc, alignment=(string)au, level=(string)3.1, "
        + "codec_data=(buffer)0142c01fffe1, width=(int)1280, height=(int)720, "
        + "framerate=(fraction)30/1, pixel-aspect-ratio=(fraction)1/1",
      "H.264 1280x720 at 30/s"
    ),
    (
      "audio/mpeg, mpegversion=(int)2, framed=(boolean)true, rate=(int)48000, channels=(int)2",
      "AAC 48 kHz stereo"
    ),
    (
      "audio/mpeg, mpegversion=(int)1, mpegaudioversion=(int)2, layer=(int)3, rate=(int)22050, "
        + "channels=(int)1, parsed=(boolean)true",
      "MP3 22.05 kHz mono"
    ),
    ("video/mpeg, mpegversion=(int)4, systemstream=(boolean)false", "MPEG-4 video"),
    ("video/mpeg, mpegversion=(int)2, width=(int)720, height=(int)576", "MPEG-2 video 720x576"),
    (
      "audio/x-opus, rate=(int)48000, channels=(int)2, streamheader=(buffer)< 4f70, 4f71 >",
      "Opus 48 kHz stereo"
    ),
    (
      "audio/x-ac3, framed=(boolean)true, channels=(int)6, rate=(int)48000",
      "AC-3 48 kHz 6 channels"
    ),
    (
      "video/x-raw(memory:SystemMemory), format=(string)I420, width=(int)1280, height=(int)720, "
        + "interlace-mode=(string)progressive, multiview-flags=(GstVideoMultiviewFlagsSet)"
        + "0:ffffffff:/right-view-first, framerate=(fraction)30000/1001",
      "I420 video 1280x720 at 29.97/s"
    ),
    (
      "audio/x-raw, format=(string)S16LE, rate=(int)44100, channels=(int)1",
      "PCM s16 interleaved 44.1 kHz mono"
    ),
    ("image/jpeg, width=(int)640, height=(int)480, framerate=(fraction)0/1", "JPEG 640x480"),
    (
      "video/x-raw, format=(string)YUY2, width=(int)6, height=(int)4",
      "YUY2 video 6x4 at a varying rate"
    ),
  ])
  func readsCapsOfRealStreams(caps: String, spoken: String) {
    #expect(MediaFormat(capsText: caps).description == spoken)
  }

  @Test(arguments: [
    ("text/x-raw, format=(string)utf8", "text/x-raw"),
    ("audio/x-wma, wmaversion=(int)2", "audio/x-wma"), ("audio/mpeg", "audio/mpeg"),
    ("video/mpeg, mpegversion=(int)2, systemstream=(boolean)true", "video/mpeg"),
    (
      "video/x-raw(memory:GLMemory), format=(string)RGBA, width=(int)2, height=(int)2",
      "video/x-raw"
    ),
    ("video/x-raw, format=(string)P010_10LE, width=(int)2, height=(int)2", "video/x-raw"),
    ("video/x-raw, format=(string)I420, width=(int)0, height=(int)2", "video/x-raw"),
    ("video/x-raw, format=(string)I420, width=(int)[ 1, 2 ], height=(int)2", "video/x-raw"),
    ("audio/x-raw, format=(string)S16BE, rate=(int)48000, channels=(int)2", "audio/x-raw"),
    ("audio/x-raw, format=(string)S16LE, rate=(int)-1, channels=(int)2", "audio/x-raw"),
    ("no caps, at all", "no caps, at all"), ("", ""),
  ])
  func keepsWhatItHasNoWordsFor(caps: String, spoken: String) {
    #expect(MediaFormat(capsText: caps) == .other(caps: caps))
    #expect(MediaFormat.other(caps: caps).description == spoken)
    #expect(MediaFormat.other(caps: caps).capsText == caps)
  }
}
