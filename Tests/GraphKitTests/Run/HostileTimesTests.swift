import TestTools
import Testing

@testable import GStreamer
@testable import GraphKit

/// Times and lengths that only a damaged file says: nothing that counts with them may trap.
@Suite(.inTurn) struct HostileTimesTests {
  private static let century: Int64 = 3_155_760_000_000_000_000

  @Test func aBufferSaysNoTimeThatNoStreamReaches() {
    var buffer = Buffer(size: 0)
    for time in [UInt64.max - 1, 1 << 63, 1 << 61] {
      buffer.presentationTime = time
      buffer.decodeTime = time
      buffer.duration = time
      #expect(buffer.presentationTime == nil && buffer.decodeTime == nil && buffer.duration == nil)
      var queue = ItemQueue()
      queue.append(buffer.share())
      #expect(queue.firstTime == nil && queue.firstDuration == 0)
    }
    let last: UInt64 = 1 << 61 - 1
    buffer.presentationTime = last
    #expect(buffer.presentationTime == last)
  }

  @Test func picturesThatAreYearsApartAreDecodedInOrder() {
    var times = DecodeTimes()
    for _ in 0..<16 { times.add(1 << 60) }
    times.add(0)
    var decoded: [Int64] = []
    for offset in 0..<20 {
      decoded += [times.takeFirst()].compactMap(\.self)
      times.add(Int64(offset) << 56)
    }
    #expect(decoded == decoded.sorted())
  }

  @Test func lengthsOfSamplesWithoutTimesAddUpToNoMoreThanThereIs() {
    var readiness = Readiness([QueuePolicy.hostile, QueuePolicy.hostile])
    readiness.append(1, time: -Self.century, duration: 0, bytes: 1)
    for _ in 0..<20 { readiness.append(0, time: nil, duration: 1 << 60, bytes: 1) }
    #expect(readiness.cause(of: 0) == .fullOfTime)
    for _ in 0..<20 { readiness.take(0, time: nil, duration: 1 << 60, bytes: 1) }
    #expect(readiness.inputs[0].time == 0)
  }

  @Test func aSessionMayBeginAtAnyTime() {
    var limit = LimitClock(MediaTime(value: 4_000_000_000, timescale: 1).nanosecondsClamped)
    limit.begin(at: .max)
    #expect(!limit.isReached(by: -Self.century))
    #expect(!limit.isReached(by: .max / 2))
  }

  @Test func framesAreCountedAtAnyRate() {
    let year = MediaTime(value: 31_557_600, timescale: 1)
    #expect(year.frames(at: 48_000) == 1_514_764_800_000)
    #expect(MediaTime(value: .max, timescale: 1_000_000_000).frames(at: Int(Int32.max)) == 1 << 60)
    #expect(MediaTime(value: .min, timescale: 1_000_000_000).frames(at: Int(Int32.max)) == -1 << 60)
    #expect(Codec.flac.frames(of: year, at: 48_000) == 65_536)
  }

  @Test func capsMaySayNoFraction() {
    for text in ["\"/\"", "\"\"", "\"//\"", "/", "1/", "1/0", "1/2/3", "-1/2"] {
      let format = MediaFormat(
        capsText: "video/x-raw, format=I420, width=2, height=2, framerate=\(text)")
      if case .video(let video) = format { #expect(video.frameRate?.numerator ?? 1 == 1) }
    }
  }
}

extension QueuePolicy {
  fileprivate static var hostile: QueuePolicy {
    let second = MediaTime(value: 1, timescale: 1)
    return QueuePolicy(time: second, bytes: 1 << 20, samples: 100, interleavingWindow: second)
  }
}
