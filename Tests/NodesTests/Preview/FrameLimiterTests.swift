import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("Frames that come so often at most", .inTurn)
struct FrameLimiterTests {
  private func taken(_ limit: Double?, of frames: Int, at rate: Int) -> [Int] {
    var limiter = FrameLimiter(frameRate: limit)
    return (0..<frames).filter { frame in
      limiter.takes(MediaTime(nanoseconds: 1_000_000_000 * frame / rate))
    }
  }

  @Test func areEvenlyChosen() {
    #expect(taken(nil, of: 4, at: 30) == [0, 1, 2, 3])
    #expect(taken(60, of: 4, at: 30) == [0, 1, 2, 3])
    #expect(taken(10, of: 10, at: 30) == [0, 3, 6, 9])
    #expect(taken(25, of: 300, at: 30).count == 250)
    #expect(taken(0.5, of: 150, at: 30) == [0, 60, 120])
  }

  @Test func startAgainBehindAGapAndAfterAJumpBack() {
    var limiter = FrameLimiter(frameRate: 1)
    let times = [0.0, 0.5, 10, 10.5, 11, 0, 0.5, 1].map { seconds in
      MediaTime(seconds: seconds, preferredTimescale: 1000)
    }
    let taken = (times + [.invalid]).map { limiter.takes($0) }
    #expect(taken == [true, false, true, false, true, true, false, true, true])
  }

  @Test func areScaledWithinTheirLimits() async throws {
    let pool = try PixelBufferPool(VideoFormat(.i420, width: 641, height: 359))
    var sample = try pool.take()
    do {
      var frame = try sample.videoFrame()
      FrameNumber.draw(0x5a5a, in: &frame)
    }
    sample.presentationTime = MediaTime(value: 1, timescale: 2)
    let scaler = FrameScaler(.bgra, width: 320, height: 100)
    let frame = try scaler.frame(of: sample)
    guard case .video(let video) = frame.format.format else {
      Issue.record("\(frame.format)")
      return
    }
    #expect((video.width, video.height, video.pixelFormat) == (179, 100, .bgra))
    #expect(FrameNumber.read(frame) == 0x5a5a)
    #expect(frame.presentationTime == MediaTime(value: 1, timescale: 2))
    let same = try FrameScaler(.i420, width: 1000, height: nil).frame(of: sample)
    #expect(same.format === sample.format)
  }
}
