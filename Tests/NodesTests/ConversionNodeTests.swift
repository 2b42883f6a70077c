import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct ConversionNodeTests {
  private let environment = FakeEnvironment()

  @Test(arguments: Codec.allCases)
  func everyCodecHasADecoder(_ codec: Codec) throws {
    var decoder = Decoder()
    decoder.media = codec.kind == .encodedAudio ? .audio : .video
    let chains = try decoder.elements(in: environment, formats: ["in": .encoded(codec)])
    #expect(!chains.isEmpty && chains.allSatisfy { $0.elements[0].plugin != nil })
    #expect(decoder.portDeclarations.map(\.format.kind) == [codec.kind, codec.kind.decoded])
  }

  @Test func anUnknownCodecIsAnError() {
    #expect(throws: NodeError.self) {
      try Decoder().elements(in: environment, formats: ["in": FormatConstraint(.encodedAudio)])
    }
  }

  @Test func convertersHoldOnlyWhatIsNeeded() throws {
    var video = VideoConvert()
    video.pixelFormat = .bgra
    #expect(try video.factories() == ["videoconvert", "capsfilter"])
    (video.width, video.frameRate) = (320, Rational(25))
    #expect(try video.factories() == ["videorate", "videoscale", "videoconvert", "capsfilter"])
    var audio = AudioConvert()
    audio.sampleFormat = .s32
    #expect(try audio.factories() == ["audioconvert", "capsfilter"])
    // Where the layout isn't known, samples are interleaved before they get noise.
    audio.sampleFormat = .s16
    let twice = ["audioconvert", "capsfilter", "audioconvert", "capsfilter"]
    #expect(try audio.factories() == twice)
    audio.dither = false
    #expect(try audio.factories() == ["audioconvert", "capsfilter"])
    audio.sampleRate = 44_100
    #expect(try audio.factories().contains("audioresample"))
  }

  @Test(arguments: [
    (320, 240, 320 * 240 * 4), (640, 480, 640 * 480 * 10), (1280, 720, 1280 * 720 * 10),
  ])
  func bitRateFollowsTheSize(_ width: Int, _ height: Int, _ expected: Int) throws {
    let format = FormatConstraint.video(width: width, height: height)
    let properties = try H264Encoder().properties(of: "x264enc", ["in": format])
    #expect(properties["bitrate"] == "\(expected / 1000)" && properties["vbv-buf-capacity"] == "0")
  }

  @Test func qualityTakesThePlaceOfTheBitRate() throws {
    var encoder = H264Encoder()
    encoder.quality = 20
    #expect(try encoder.properties(of: "x264enc")["pass"] == "qual")
    encoder.bitRate = 1_000_000
    #expect(encoder.problem?.key == "quality")
  }

  /// x264 writes into the stream what it was set to.
  @Test(arguments: [1, 18, 50]) func qualityIsMetToTheLetter(_ quality: Int) async throws {
    let folder = try TestFolder()
    let path = folder.path("a.mp4")
    let run = try pipeline(
      """
      { "nodes": {
          "picture": { "type": "testVideo", "frames": 3, "width": 64, "height": 48 },
          "video": { "type": "h264Encoder", "quality": \(quality), "preset": "ultrafast" },
          "movie": { "type": "mp4Sink", "path": "\(path)" } },
        "wires": ["picture -> video -> movie.video"] }
      """)
    _ = try await run.run()
    let bytes = try Data(contentsOf: URL(filePath: path))
    let words = Data("rc=crf mbtree=0 crf=\(quality).0 ".utf8)
    #expect(bytes.firstRange(of: words) != nil, "\(quality)")
  }

  @Test func qualityIsAWholeNumber() {
    var encoder = H264Encoder()
    encoder.quality = 22.5
    #expect(encoder.problem?.key == "quality")
    #expect(encoder.problem?.remedy == "write a whole number, from 1 to 50")
  }

  @Test func baselineHasNoBFrames() throws {
    var encoder = H264Encoder()
    encoder.profile = .baseline
    #expect(try encoder.properties(of: "x264enc")["bframes"] == "0" && encoder.problem == nil)
    encoder.bFrames = 1
    #expect(encoder.problem?.key == "bFrames")
  }

  /// What is live is to come out soon; what is a file's may be looked at long before.
  @Test(arguments: [true, false]) func lookaheadGoesByTheSource(_ isLive: Bool) throws {
    let planned = try plan(
      """
      { "nodes": {
          "picture": { "type": "testVideo", "live": \(isLive) },
          "video": { "type": "h264Encoder", "preset": "medium", "threads": 3 },
          "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": ["picture -> video -> movie.video"] }
      """)
    let encoder = try #require(planned["video"]?.node as? H264Encoder)
    let properties = try encoder.properties(of: "x264enc")
    let names = ["rc-lookahead", "sync-lookahead", "bframes"]
    #expect(names.map { properties[$0] } == (isLive ? ["5", "0", "2"] : ["40", "-1", "3"]))
    // One more than `x264_encoder_maximum_delayed_frames` says.
    let delay = encoder.latency(formats: ["in": .video(frameRate: Rational(1))])
    #expect(delay == MediaTime(value: isLive ? 8 : 47, timescale: 1))
    #expect(Int(try H264Encoder().properties(of: "x264enc")["threads"] ?? "") == 4)
  }

  @Test func latencyCountsFramesAtTheirRate() {
    var encoder = H264Encoder()
    let slow = encoder.latency(formats: ["in": .video(frameRate: Rational(5))])
    let fast = encoder.latency(formats: ["in": .video(frameRate: Rational(50))])
    #expect(abs(slow.seconds - fast.seconds * 10) < 1e-9 && fast.seconds > 0.1)
    encoder.lowLatency = true
    #expect(encoder.latency == .zero)
  }

  @Test func aacFallsBackToAnotherEncoder() throws {
    let chains = try AACEncoder().elements(
      in: environment, formats: ["in": .audio(channels: [1])])
    #expect(chains.map { $0.elements.last?.factory } == ["avenc_aac", "voaacenc"])
    #expect(chains[0].elements.last?.properties == ["bitrate": "64000", "aac-ms": "false"])
  }

  @Test func entryFormatsAreExact() {
    var input = AppInput()
    (input.media, input.codec) = (.video, .h264)
    #expect(input.problem == nil)
    #expect(input.portDeclarations[0].format.codecs == [.h264])
    input.media = .audio
    #expect(input.problem?.key == "codec")
  }
}
