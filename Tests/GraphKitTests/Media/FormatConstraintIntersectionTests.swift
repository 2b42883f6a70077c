import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct FormatConstraintIntersectionTests {
  @Test func keepsTheReceiversOrderOfPreference() throws {
    let offered = FormatConstraint.video([.nv12, .i420, .bgra], width: 1280)
    let wanted = FormatConstraint.video([.bgra, .nv12], height: 720, frameRate: Rational(30))
    let common = try offered.intersection(wanted)
    #expect(common == .video([.nv12, .bgra], width: 1280, height: 720, frameRate: Rational(30)))
    #expect(try wanted.intersection(offered).pixelFormats == [.bgra, .nv12])
  }

  @Test func anyKindMeetsEveryKind() throws {
    let any = FormatConstraint(.any)
    for kind in MediaKind.allCases {
      #expect(try any.intersection(FormatConstraint(kind)).kind == kind)
      #expect(try FormatConstraint(kind).intersection(any).kind == kind)
    }
  }

  @Test func openFieldsTakeTheOthersValues() throws {
    let tight = FormatConstraint.audio(
      [.s16, .f32], layouts: [.planar], sampleRates: [48_000, 44_100], channels: [2, 1])
    #expect(try FormatConstraint(.audio).intersection(tight) == tight)
    #expect(try tight.intersection(FormatConstraint(.audio)) == tight)
    #expect(try tight.intersection(tight) == tight)
  }

  @Test(
    arguments: [
      (.audio(), .video(), "kind", "raw audio", "raw video"),
      (.encoded(.h264, .hevc), .encoded(.vp8), "codec", "H.264 or HEVC", "VP8"),
      (.audio([.s16, .s24, .f32]), .audio([.u8]), "sampleFormat", "s16, s24 or f32", "u8"),
      (
        .audio(layouts: [.planar]), .audio(layouts: [.interleaved]), "layout", "planar",
        "interleaved"
      ),
      (
        .audio(sampleRates: [48_000]), .audio(sampleRates: [44_100]), "sampleRate", "48 kHz",
        "44.1 kHz"
      ),
      (
        .audio(channels: [1, 2]), .audio(channels: [6]), "channels", "mono or stereo", "6 channels"
      ),
      (.video([.i420]), .video([.bgra, .rgba]), "pixelFormat", "I420", "BGRA or RGBA"),
      (.video(width: 1280), .video(width: 640), "width", "1280", "640"),
      (.video(height: 720), .video(height: 480), "height", "720", "480"),
      (
        .video(frameRate: Rational(30)), .video(frameRate: Rational(30_000, over: 1001)),
        "frameRate",
        "30/s", "29.97/s"
      ),
    ] as [(FormatConstraint, FormatConstraint, String, String, String)])
  func namesTheFieldThatConflicts(
    a: FormatConstraint, b: FormatConstraint, field: String, first: String, second: String
  ) {
    #expect(throws: FormatConflict(field: field, first: first, second: second)) {
      try a.intersection(b)
    }
    #expect(throws: FormatConflict(field: field, first: second, second: first)) {
      try b.intersection(a)
    }
  }

  @Test func acceptsFormatsThatMeetEveryField() {
    let s16 = MediaFormat.audio(AudioFormat(.s16, sampleRate: 48_000, channels: 2))
    #expect(FormatConstraint.audio([.f32, .s16], channels: [1, 2]).accepts(s16))
    #expect(!FormatConstraint.audio([.f32]).accepts(s16))
    #expect(!FormatConstraint.audio(layouts: [.planar]).accepts(s16))
    #expect(!FormatConstraint(.video).accepts(s16) && FormatConstraint(.any).accepts(s16))
    var aac = EncodedFormat(.aac)
    #expect(FormatConstraint.encoded(.mp3, .aac).accepts(.encoded(aac)))
    #expect(FormatConstraint(.encodedAudio).accepts(.encoded(aac)))
    #expect(!FormatConstraint(.audio).accepts(.encoded(aac)))
    var rates = FormatConstraint.encoded(.aac)
    rates.sampleRates = [44_100]
    #expect(rates.accepts(.encoded(aac)))
    aac.sampleRate = 48_000
    #expect(!rates.accepts(.encoded(aac)))
  }

  @Test func acceptsAVaryingFrameRateOnlyWhereAnyWillDo() {
    let varying = MediaFormat.video(VideoFormat(.i420, width: 2, height: 2))
    #expect(FormatConstraint.video([.i420], width: 2, height: 2).accepts(varying))
    #expect(!FormatConstraint.video(frameRate: Rational(30)).accepts(varying))
  }

  @Test func acceptsWhatItHasNoWordsForOnlyAsAnyMedia() {
    let other = MediaFormat.other(caps: "application/x-rtp, media=(string)video")
    for kind in MediaKind.allCases {
      #expect(FormatConstraint(kind).accepts(other) == (kind == .any))
    }
  }

  @Test func acceptsTimedTextAsSuchAndAsAnyMedia() {
    let text = MediaFormat.other(caps: "text/x-raw, format=(string)utf8")
    for kind in MediaKind.allCases {
      #expect(FormatConstraint(kind).accepts(text) == [.any, .text].contains(kind))
    }
  }

  @Test(arguments: MediaFormatSamples.all)
  func theConstraintOfAFormatAcceptsIt(format: MediaFormat) {
    let constraint = FormatConstraint(format)
    #expect(constraint.accepts(format))
    #expect(constraint.kind == format.kind)
    let others = MediaFormatSamples.all.filter { $0 != format && constraint.accepts($0) }
    #expect(others.allSatisfy { MediaFormatSamples.differOnlyInOpenFields($0, format) })
  }
}
