import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct FormatConstraintTemplateTests {
  @Test(
    arguments: [
      ("ANY", FormatConstraint(.any)),
      // Formats that GraphKit doesn't know are passed over, and ranges of all sizes left open.
      (
        "video/x-raw, format=(string){ AYUV, NV12, I420 }, width=(int)[ 1, 2147483647 ], "
          + "framerate=(fraction)[ 0/1, 2147483647/1 ]",
        .video([.nv12, .i420])
      ),
      (
        "video/x-raw, format=(string){ (string)I420, (string)NV12, (string)I420 }",
        .video([.i420, .nv12])
      ),
      ("video/x-raw, format=(string)P010_10LE", .video()),
      (
        "video/x-raw, width=(int)320, framerate=(fraction)25/1",
        .video(width: 320, frameRate: Rational(25))
      ),
      (
        "audio/x-raw, format=(string)S16LE, layout=(string)interleaved, "
          + "rate=(int){ 8000, 16000 }, channels=(int)[ 1, 2 ]",
        .audio([.s16], layouts: [.interleaved], sampleRates: [8000, 16_000], channels: [1, 2])
      ),
      ("audio/x-raw, rate=(int)[ 4000, 96000 ], channels=(int)[ 2, 10, 2 ]", .audio()),
      (
        "audio/x-raw, rate=(int){ 8000, [ 16000, 16002 ] }",
        .audio(sampleRates: [8000, 16_000, 16_001, 16_002])
      ),
      // Structures of one kind are joined; a field that one of them leaves open is open.
      (
        "audio/x-raw, format=(string)S16LE, channels=(int)1; "
          + "audio/x-raw, format=(string){ F32LE, S16LE }, rate=(int)48000",
        .audio([.s16, .f32])
      ),
      ("video/x-raw, width=(int)320; video/x-raw, width=(int)640", .video()),
      (
        "video/x-h264, stream-format=(string)avc, alignment=(string)au; "
          + "video/x-h264, stream-format=(string)byte-stream",
        .encoded(.h264)
      ),
      (
        "audio/mpeg, mpegversion=(int)1, layer=(int)[ 1, 3 ]; audio/mpeg, mpegversion=(int){ 2, 4 }",
        .encoded(.mp3, .mp2, .aac)
      ),
      ("audio/mpeg, mpegversion=(int)4, rate=(int){ 48000 }", .encoded(.aac)),
      ("audio/mpeg", .encoded(.aac, .mp3, .mp2)),
      ("video/mpeg, mpegversion=(int)[ 1, 2 ], systemstream=(boolean)false", .encoded(.mpeg2)),
      // Kinds that differ, types that GraphKit doesn't know, and containers.
      ("video/x-raw; video/x-h264", FormatConstraint(.any)),
      ("audio/x-raw; video/x-raw", FormatConstraint(.any)),
      ("video/x-h264; video/x-dirac", FormatConstraint(.any)),
      ("video/quicktime, variant=(string)iso", FormatConstraint(.any)),
      ("video/mpeg, systemstream=(boolean)true", FormatConstraint(.any)),
      // What lies in another memory can't be read, unless ordinary memory is offered too.
      ("video/x-raw(memory:GLMemory), format=(string)RGBA", FormatConstraint(.any)),
      (
        "video/x-raw(memory:DMABuf), format=(string)BGRA; video/x-raw, format=(string)I420",
        .video([.i420])
      ),
      (
        "video/x-raw(memory:SystemMemory, meta:GstVideoOverlayComposition), format=(string)I420",
        .video([.i420])
      ),
    ] as [(String, FormatConstraint)])
  func readsPadTemplates(template: String, wanted: FormatConstraint) {
    #expect(FormatConstraint(capsTemplate: template) == wanted)
  }

  @Test(arguments: ["", " ", "EMPTY", "NONE", "video/x-raw, format", "video/x-raw, format={ I420"])
  func refusesWhatNothingCanPass(template: String) {
    #expect(FormatConstraint(capsTemplate: template) == nil)
  }
}
