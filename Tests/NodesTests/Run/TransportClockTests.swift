import GraphKit
import Testing

@testable import Nodes

/// The clock of a transport stream that is received, without a stream.
@Suite(.inTurn) struct TransportClockTests {
  private let second: Int64 = 1_000_000_000
  private let millisecond: Int64 = 1_000_000

  private func clock(seconds: Double) -> TransportTime {
    TransportTime(ticks: Int64((seconds * 27_000_000).rounded()) % ((1 << 33) * 300))
  }

  /// Two packets, the second of which has a clock: base, extension.
  private func packets(base: UInt64, extra: UInt16, in identifier: UInt16 = 0x100) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xff, count: 376)
    bytes.replaceSubrange(0..<4, with: [0x47, 0x00, 0x11, 0x10])
    let (high, low) = (UInt8(identifier >> 8), UInt8(identifier & 0xff))
    bytes.replaceSubrange(188..<194, with: [0x47, high, low, 0x30, 7, 0x10])
    let field = base << 15 | 0x7e00 | UInt64(extra)
    for index in 0..<6 { bytes[194 + index] = UInt8(truncatingIfNeeded: field >> (40 - 8 * index)) }
    return bytes
  }

  @Test func itIsReadFromPackets() {
    let bytes = packets(base: 0x1_2345_6789, extra: 299)
    let found = TransportTime.all(in: bytes.span)
    #expect(found.map(\.time.ticks) == [0x1_2345_6789 * 300 + 299])
    #expect(found.map(\.identifier) == [0x100] && found.map(\.place) == [188])
    let shifted = Array(bytes.dropFirst())
    #expect(TransportTime.all(in: shifted.span).isEmpty)
  }

  /// The demuxer goes by each, and takes all of a buffer to have come at the same time.
  @Test func oneIsLeftInABuffer() throws {
    let bytes =
      packets(base: 90_000, extra: 0) + packets(base: 93_000, extra: 0)
    var sample = SampleBuffer(
      bytes: bytes + packets(base: 5, extra: 0, in: 0x101),
      format: try FormatDescription(capsText: "video/mpegts, systemstream=(boolean)true"))
    sample.presentationTime = MediaTime(value: 7, timescale: 1)
    var transport = TransportClock()
    let passes = transport.pass(&sample)
    #expect(passes)
    #expect(sample.presentationTime == MediaTime(value: 7, timescale: 1))
    let left = sample.withBytes { TransportTime.all(in: $0) }
    #expect(left.map(\.identifier) == [0x100, 0x101] && left.map(\.place) == [188, 940])
    #expect(left[0].time.ticks == 90_000 * 300)
    // What the packets are is as it was.
    let changed = sample.withBytes { span in bytes.indices.filter { span[$0] != bytes[$0] } }
    #expect(changed == [188 * 3 + 5])
  }

  /// What the sender says after it has set its clock is of that.
  @Test func aClockThatIsSetWithinABufferIsKept() throws {
    let bytes = packets(base: 900_000, extra: 0) + packets(base: 90_000, extra: 0)
    var sample = SampleBuffer(
      bytes: bytes + packets(base: 93_000, extra: 0),
      format: try FormatDescription(capsText: "video/mpegts, systemstream=(boolean)true"))
    sample.presentationTime = MediaTime(value: 7, timescale: 1)
    var transport = TransportClock()
    let passes = transport.pass(&sample)
    let left = sample.withBytes { TransportTime.all(in: $0) }
    #expect(passes && left.map(\.time.ticks) == [90_000 * 300])
  }

  /// It would take those for the time at which enough had come for it to look at them.
  @Test func noneIsLeftBeforeTheDemuxerLooks() throws {
    var transport = TransportClock()
    var times: [Double] = []
    let format = try FormatDescription(capsText: "video/mpegts, systemstream=(boolean)true")
    for index in 0..<5 {
      let bytes = packets(base: UInt64(90_000 + index * 3_000), extra: 0)
      var sample = SampleBuffer(bytes: bytes, format: format)
      sample.presentationTime = .seconds(7 + Double(index) / 1_000)
      let passes = transport.pass(&sample)
      #expect(passes)
      times.append(sample.presentationTime.seconds)
      let left = sample.withBytes { TransportTime.all(in: $0) }
      #expect(left.count == (index < 2 ? 0 : 1))
    }
    for (time, expected) in zip(times, [7, 7.001, 7.002, 7.002 + 1 / 30, 7.002 + 2 / 30]) {
      #expect(abs(time - expected) < 1e-6)
    }
  }

  @Test func packetsComeWhenTheSenderSays() {
    var transport = TransportClock()
    for (index, jitter) in [0, 7, 3, 30, 1].map({ Int64($0) }).enumerated() {
      let sent = Int64(index) * 40 * millisecond
      let time = transport.time(
        of: clock(seconds: 5 + Double(index) / 25), arrivedAt: second + sent + jitter * millisecond)
      #expect(abs(time - second - sent) <= 1, "\(index)")
    }
  }

  @Test func theClockWraps() {
    var transport = TransportClock()
    let last = Double((1 << 33) - 900) / 90_000
    _ = transport.time(of: clock(seconds: last), arrivedAt: second)
    let time = transport.time(of: clock(seconds: last + 0.04), arrivedAt: 2 * second)
    #expect(abs(time - second - 40 * millisecond) <= 1)
  }

  @Test(arguments: [2.0, 100]) func aClockThatIsSetBeginsWhenItComes(_ set: Double) {
    var transport = TransportClock()
    _ = transport.time(of: clock(seconds: 5), arrivedAt: second)
    #expect(transport.time(of: clock(seconds: set), arrivedAt: 3 * second) == 3 * second)
  }

  /// A sender whose clock is wrong by 100 millionths, for an hour, over a network that holds packets up.
  @Test(arguments: [-0.0001, 0.0001]) func itFollowsTheSendersDrift(_ drift: Double) {
    var transport = TransportClock()
    var (last, farthest): (Int64?, Int64) = (nil, 0)
    for index in 0..<90_000 {
      let arrival = Int64(index) * 40 * millisecond + Int64(index * 7919 % 20) * millisecond
      let sent = clock(seconds: Double(index) / 25 * (1 + drift))
      let time = transport.time(of: sent, arrivedAt: arrival)
      farthest = max(farthest, abs(arrival - time))
      if let last { #expect(abs(time - last - 40 * millisecond) < 6 * millisecond) }
      last = time
    }
    #expect(farthest < 50 * millisecond)
  }
}
