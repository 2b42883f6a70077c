import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct FormatConstraintCapsTests {
  @Test(
    arguments: [
      (
        .video([.i420, .nv12], width: 1280, frameRate: Rational(30)),
        "raw video I420 or NV12, 1280 wide at 30/s",
        "video/x-raw, format=(string){ I420, NV12 }, width=(int)1280, framerate=(fraction)30/1"
      ),
      (
        .video([.i420, .nv12], width: 1280, height: 720, frameRate: Rational(30)),
        "raw video I420 or NV12, 1280x720 at 30/s",
        "video/x-raw, format=(string){ I420, NV12 }, width=(int)1280, height=(int)720, "
          + "framerate=(fraction)30/1"
      ),
      (
        .audio([.f32], layouts: [.planar], sampleRates: [48_000], channels: [2]),
        "raw audio f32 planar, 48 kHz, stereo",
        "audio/x-raw, format=(string)F32LE, layout=(string)non-interleaved, rate=(int)48000, "
          + "channels=(int)2"
      ),
      (
        .audio(sampleRates: [44_100, 48_000], channels: [1, 2, 6]),
        "raw audio, 44.1 kHz or 48 kHz, mono, stereo or 6 channels",
        "audio/x-raw, rate=(int){ 44100, 48000 }, channels=(int){ 1, 2, 6 }"
      ),
      (.video(), "raw video", "video/x-raw"), (.audio(), "raw audio", "audio/x-raw"),
      (
        .video(frameRate: Rational(30_000, over: 1001)), "raw video, 29.97/s",
        "video/x-raw, framerate=(fraction)30000/1001"
      ),
      (.video(height: 480), "raw video, 480 high", "video/x-raw, height=(int)480"),
      (.encoded(.h264), "H.264", "video/x-h264"),
      (.encoded(.hevc, .h264), "HEVC or H.264", "video/x-h265; video/x-h264"),
      (.encoded(.aac), "AAC", "audio/mpeg, mpegversion=(int){ 4, 2 }"),
      (.encoded(.mp3), "MP3", "audio/mpeg, mpegversion=(int)1, layer=(int)3"),
      (
        .encoded(.mpeg2), "MPEG-2 video",
        "video/mpeg, mpegversion=(int){ 2, 1 }, systemstream=(boolean)false"
      ),
      (FormatConstraint(.encodedAudio), "encoded audio", "ANY"),
      (FormatConstraint(.any), "any media", "ANY"),
    ] as [(FormatConstraint, String, String)])
  func saysAndWritesItself(constraint: FormatConstraint, spoken: String, caps: String) {
    #expect(constraint.description == spoken)
    #expect(constraint.capsText == caps)
  }

  @Test(arguments: MediaFormatSamples.all)
  func readsItsOwnCapsBackAsATemplate(format: MediaFormat) {
    var constraint = FormatConstraint(format)
    if case .encoded(let encoded) = format { constraint = .encoded(encoded.codec) }
    #expect(FormatConstraint(capsTemplate: constraint.capsText) == constraint)
  }
}
