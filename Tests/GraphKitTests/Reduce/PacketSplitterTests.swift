import GraphTesting
import TestTools
import Testing

@testable import GraphKit

/// What decoders are given before their runs of MP3.
@Suite(.inTurn) struct PacketSplitterTests {
  private static let rate = 44_100
  private static let packetFrames = 1_152

  /// A packet of MPEG-1 mono, with bytes of main data, that holds its own number.
  private func packet(
    _ number: Int, mainData: Int = 100, borrows: Int = 0, frames: Int = packetFrames
  ) throws -> SampleBuffer {
    var bytes = [0xff, 0xfb, 0x90, 0xc0] + [UInt8](repeating: 0, count: 17 + mainData)
    (bytes[4], bytes[5], bytes[6]) = (UInt8(borrows >> 1), UInt8(borrows & 1) << 7 | 5, 7)
    (bytes[21], bytes[22]) = (UInt8(number / 256), UInt8(number % 256))
    var format = EncodedFormat(.mp3)
    format.sampleRate = Self.rate
    var sample = SampleBuffer(bytes: bytes, format: try FormatDescription(.encoded(format)))
    sample.presentationTime = MediaTime(frames: number * Self.packetFrames, at: Self.rate)
    sample.duration = MediaTime(frames: frames, at: Self.rate)
    return sample
  }

  /// The numbers of the packets that an output got, cut where a decoder begins anew.
  private func starts(_ harness: NodeHarness<PacketSplitter>, _ output: String) throws -> [[Int]] {
    try harness.samples(of: output).reduce(into: [[]]) { runs, collected in
      let bytes = collected.bytes
      if collected.sample.isDiscontinuity, runs.last?.isEmpty == false { runs.append([]) }
      runs[runs.count - 1].append(Int(bytes[21]) * 256 + Int(bytes[22]))
    }
  }

  private func splitter(packets: Int) -> NodeHarness<PacketSplitter> {
    NodeHarness(
      PacketSplitter(.mp3, length: packets * Self.packetFrames, count: 2, end: nil))
  }

  @Test("a run is led by whole rounds of mpg123's window, and by 16 packets or more")
  func alignment() throws {
    for packets in [16, 50, 64, 75] {
      let harness = splitter(packets: packets)
      for number in 0..<300 { try harness.push(packet(number)) }
      let decoders = try ["out.1", "out.2"].map { try starts(harness, $0) }
      for run in 1..<300 / packets {
        let border = run * packets
        let first = try #require(
          decoders[run % 2].first { $0.contains(border) && $0.contains(border - 1) }?.first)
        #expect(first % 16 == 0 && (16..<32).contains(border - first), "\(first) for \(border)")
      }
    }
  }

  @Test("a lead-in has the 511 bytes that the first whole packets may borrow")
  func reservoir() throws {
    let harness = splitter(packets: 400)
    for number in 0..<500 { try harness.push(packet(number, mainData: 3)) }
    let first = try #require(starts(harness, "out.2").first?.first)
    #expect(first % 16 == 0 && (400 - 4 - first) * 3 >= 511 && (400 - 4 - first - 16) * 3 < 511)
  }

  @Test("what borrows from before the lead-in is silence that borrows what there is")
  func silence() throws {
    let harness = splitter(packets: 50)
    for number in 0..<60 { try harness.push(packet(number, mainData: 100, borrows: 250)) }
    let led = try harness.samples(of: "out.2").prefix(5).map { Array($0.bytes[4..<8]) }
    let whole: [UInt8] = [125, 5, 7, 0]
    #expect(led == [[0, 0, 0, 0], [50, 0, 0, 0], [100, 0, 0, 0], whole, whole])
    // The decoder of the whole does with the first packet as it does.
    let first = try #require(harness.samples(of: "out.1").first)
    #expect(Array(first.bytes[4..<8]) == whole)
  }

  @Test("a piece has its runs alone, and one decoder of all of them is led in once")
  func piece() throws {
    let harness = NodeHarness(
      PacketSplitter(.mp3, length: 32 * Self.packetFrames, count: 1, end: nil, runs: 2..<4))
    for number in 0..<200 { try harness.push(packet(number)) }
    #expect(try starts(harness, "out.1") == [Array(48..<128)])
  }

  @Test("a header in a packet of its own is none of those that are counted")
  func header() throws {
    let harness = splitter(packets: 50)
    try harness.push(packet(999, frames: 0))
    for number in 0..<100 { try harness.push(packet(number)) }
    #expect(try starts(harness, "out.2").first?.first == 32)
    #expect(try starts(harness, "out.1") == [[999] + Array(0..<50)])
  }

  @Test("the last packet of a stream goes to both decoders where it lies across a border")
  func lastPacket() throws {
    for (packets, second) in [(50, [Int]()), (51, Array(32...50))] {
      let harness = splitter(packets: 50)
      for number in 0..<packets {
        var packet = try packet(number)
        // Priming of 100 samples: the border is as far within packet 50.
        let time = packet.presentationTime - MediaTime(frames: 100, at: Self.rate)
        packet.presentationTime = time
        try harness.push(packet)
      }
      #expect(try starts(harness, "out.1") == [Array(0..<packets)])
      #expect(try starts(harness, "out.2") == [second])
    }
  }

  @Test("where something is missing decoders begin anew, and so does the count")
  func discontinuity() throws {
    let harness = splitter(packets: 50)
    for number in 0..<100 {
      var packet = try packet(number)
      packet.isDiscontinuity = number == 7 || number == 45
      try harness.push(packet)
    }
    #expect(try starts(harness, "out.1") == [Array(0..<7), Array(7..<45), Array(45..<50)])
    #expect(try starts(harness, "out.2") == [Array(45..<100)])
  }

  @Test("AAC whose frames depend on all before them goes whole to each decoder")
  func wholeStreams() throws {
    for (profile, second) in [("main", Array(0..<200)), ("lc", Array(98..<200))] {
      let format = try FormatDescription(
        capsText: "audio/mpeg, mpegversion=(int)4, stream-format=(string)raw, rate=(int)44100, "
          + "channels=(int)1, profile=(string)\(profile)")
      let harness = NodeHarness(PacketSplitter(.aac, length: 100 * 1_024, count: 2, end: nil))
      for number in 0..<200 {
        // Matroska gives packets no duration.
        var sample = SampleBuffer(bytes: [UInt8(number)], format: format)
        sample.presentationTime = MediaTime(frames: number * 1_024, at: 44_100)
        try harness.push(sample)
      }
      #expect(try harness.samples(of: "out.2").map { Int($0.bytes[0]) } == second)
      let first = try harness.samples(of: "out.1")
      #expect(first.count == (profile == "lc" ? 100 : 200))
      let time = MediaTime(frames: (first.count - 1) * 1_024, at: 44_100)
      #expect(first.last?.presentationTime.nanoseconds == time.nanoseconds)
    }
  }
}
