import TestTools
import Testing

@testable import GraphKit

@Suite("Times of frames and of seconds", .inTurn)
struct MediaTimeFrameTests {
  @Test("a frame begins after those before it, exactly")
  func frames() throws {
    let ntsc = try #require(Rational(30_000, over: 1_001))
    let slow = try #require(Rational(1, over: 2))
    #expect(MediaTime(frame: 0, at: Rational(30)) == .zero)
    #expect(
      MediaTime(frame: 30_000, at: ntsc)
        == MediaTime(value: 1_001, timescale: 1))
    #expect(MediaTime(frame: -3, at: Rational(25)) == MediaTime(value: -3, timescale: 25))
    #expect(!MediaTime(frame: .max, at: slow).isValid)
    #expect(!MediaTime(frame: 1, at: Rational(1 << 40)).isValid)
    #expect(!MediaTime(frame: 1, at: Rational(0)).isValid)
  }

  @Test("seconds are held to the nanosecond")
  func seconds() {
    #expect(MediaTime.seconds(1.5) == MediaTime(value: 3, timescale: 2))
    #expect(MediaTime.seconds(1e-9).seconds == 1e-9)
    #expect(!MediaTime.seconds(.nan).isNumeric)
  }
}
