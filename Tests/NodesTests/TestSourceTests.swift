import GraphKit
import TestTools
import Testing

@testable import Nodes

@Suite(.inTurn) struct TestSourceTests {
  @Test(arguments: [
    (480_000, 2), (48_000, 2), (1, 2), (7, 2), (44_100 * 3, 1), (48_001, 2), (1_000_003, 1),
    (999_983, 2), (65_537, 1), (441_000, 8),
  ])
  func blocksMakeUpTheExactLength(_ frames: Int, _ channels: Int) {
    var audio = TestAudio()
    audio.frames = frames
    audio.channels = channels
    #expect(audio.blocks.count * audio.blocks.size == frames)
    #expect(audio.blocks.size <= 65_536)
  }

  @Test func usualLengthsComeInUsualBlocks() {
    for seconds in [0.5, 1, 3, 10, 60, 3600] {
      for rate in [8_000, 44_100, 48_000, 96_000] {
        var audio = TestAudio()
        (audio.seconds, audio.sampleRate) = (seconds, rate)
        #expect((100...2048).contains(audio.blocks.size), "\(seconds) s at \(rate)")
      }
    }
  }

  @Test func withoutALengthThereIsNoEnd() throws {
    #expect(TestAudio().blocks.count == -1)
    #expect(try TestVideo().properties(of: "videotestsrc")["num-buffers"] == "-1")
    var video = TestVideo()
    video.seconds = 0
    #expect(video.bufferCount == -1)
  }

  @Test func secondsBecomeFrames() {
    var video = TestVideo()
    video.seconds = 10
    #expect(video.bufferCount == 300)
    video.frameRate = Rational(30000, over: 1001) ?? Rational(30)
    #expect(video.bufferCount == 300)
  }

  @Test func twoLengthsAreAProblem() {
    var video = TestVideo()
    (video.seconds, video.frames) = (1, 2)
    #expect(video.problem?.key == "frames")
    var audio = TestAudio()
    (audio.seconds, audio.frames) = (1, 2)
    #expect(audio.problem?.key == "frames")
  }

  @Test func portsSayExactlyWhatComes() {
    var audio = TestAudio()
    (audio.sampleFormat, audio.layout, audio.channels) = (.s16, .planar, 6)
    #expect(
      audio.portDeclarations[0].format
        == .audio([.s16], layouts: [.planar], sampleRates: [48_000], channels: [6]))
    var video = TestVideo()
    video.pixelFormat = .nv12
    #expect(
      video.portDeclarations[0].format
        == .video([.nv12], width: 640, height: 480, frameRate: Rational(30)))
  }
}
