import Foundation
import GraphKit
import Testing

@testable import Nodes

extension FileTests {
  /// When packets are decoded that say only when they are presented.
  @Suite struct LiveDecodeTimesTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// What a packet says of itself.
    private struct Packet {
      let format: FormatDescription
      let presentationTime: MediaTime
      let decodeTime: MediaTime

      /// The same without contents, presented at a time and decoded at none that is known.
      func moved(to time: MediaTime, format: FormatDescription? = nil) -> SampleBuffer {
        var packet = SampleBuffer(bytes: [0], format: format ?? self.format)
        packet.presentationTime = time
        return packet
      }
    }

    private static let encoders = [
      "libx264 -bf 3 -b-pyramid normal -b_strategy 0",
      "libx264 -bf 2 -b-pyramid none -b_strategy 0",
      "libx264 -tune zerolatency", "libx264 -profile:v baseline",
      "libx265 -x265-params log-level=error:bframes=4:b-adapt=0",
    ]

    /// The packets of three seconds of video, of 25 frames a second.
    private func packets(_ encoder: String) async throws -> [Packet] {
      let movie = scratch.path("a.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=64x48:r=25:d=3 -pix_fmt yuv420p -g 25 -c:v \(encoder)", to: movie)
      var file = FileSource()
      file.path = movie
      var graph = GraphBuilder(catalog: .builtIn)
      let source = graph.add("file", file)
      let exit = graph.add("exit", AppOutput())
      graph.connect(source.port("video", as: EncodedVideo.self), to: exit.input)
      let pipeline = try Pipeline(
        Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment())
      let output = try pipeline.output("exit")
      pipeline.start()
      var packets: [Packet] = []
      while let packet = await output.next() {
        packets.append(
          Packet(
            format: packet.format, presentationTime: packet.presentationTime,
            decodeTime: packet.decodeTime))
      }
      #expect(packets.count == 75)
      return packets
    }

    private func milliseconds(_ time: MediaTime) -> Int {
      Int(((time.nanoseconds.map(Double.init) ?? .nan) / 1e6).rounded())
    }

    @Test("they are decoded as they were in their file", arguments: encoders)
    func known(encoder: String) async throws {
      var times = LiveDecodeTimes()
      var shifts: Set<Int> = []
      for packet in try await packets(encoder) {
        var untimed = packet.moved(to: packet.presentationTime)
        let found = times.next(&untimed)
        let time = try #require(found)
        let presentationTime = untimed.presentationTime
        #expect(presentationTime == packet.presentationTime)
        shifts.insert(milliseconds(MediaTime(nanoseconds: time) - packet.decodeTime))
      }
      #expect(shifts.count == 1, "\(shifts)")
    }

    /// As they come of the buffer for jitter in the first second.
    @Test("times that are somewhat off cost no packet", arguments: encoders)
    func moved(encoder: String) async throws {
      var (times, last) = (LiveDecodeTimes(), Int64.min)
      for (number, packet) in try await packets(encoder).enumerated() {
        let slip = MediaTime(value: Int64(number * 37 % 60), timescale: 1000)
        var moved = packet.moved(to: packet.presentationTime - slip)
        let found = times.next(&moved)
        let time = try #require(found)
        let presentationTime = try #require(moved.presentationTime.nanoseconds)
        #expect(time > last && presentationTime >= time)
        last = time
      }
    }

    @Test("an order that isn't stated is learnt", arguments: encoders.prefix(2))
    func learnt(encoder: String) async throws {
      let format = try FormatDescription(
        capsText: "video/x-h264, stream-format=(string)byte-stream, alignment=(string)au")
      var (times, last, lost) = (LiveDecodeTimes(), Int64.min, 0)
      for packet in try await packets(encoder) {
        var bare = packet.moved(to: packet.presentationTime, format: format)
        guard let time = times.next(&bare) else {
          lost += 1
          continue
        }
        let presentationTime = try #require(packet.presentationTime.nanoseconds)
        #expect(time > last && presentationTime >= time)
        last = time
      }
      #expect((1...4).contains(lost))
    }

    @Test("a clock that is set begins times anew") func set() async throws {
      var times = LiveDecodeTimes()
      let packets = try await packets(Self.encoders[0])
      for start in [3600, 20] {
        for packet in packets {
          var moved = packet.moved(
            to: packet.presentationTime + MediaTime(value: Int64(start), timescale: 1))
          let found = times.next(&moved)
          let time = try #require(found)
          #expect(abs(time - Int64(start) * 1_000_000_000) < 4_000_000_000)
        }
      }
    }
  }
}
