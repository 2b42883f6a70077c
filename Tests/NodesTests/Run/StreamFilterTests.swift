import GraphKit
import GraphTesting
import Testing

@testable import Nodes

/// An element whose node filters what enters: only by public names, as a plug-in's would.
private struct Filtered: ElementNode {
  var most = 100
  init() {}

  static let declaration = NodeDeclaration<Filtered>(
    "filtered", role: .effect, help: "Passes every second frame.", example: "camera -> filtered",
    parameters: [.integer("most", \.most, in: 0...100, help: "Frames before it fails.")])
  static let ports = EffectPorts<Video>(.video([.i420]))

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain([ElementSpec("identity", plugin: "coreelements")])
    chain.filters["in"] = [.stream { [most] in EverySecond(most: most) }]
    return [chain]
  }
}

/// An element whose node takes frames up to a width alone.
private struct Narrow: ElementNode {
  var width = 100
  init() {}

  static let declaration = NodeDeclaration<Narrow>(
    "narrow", role: .effect, help: "Passes narrow frames.", example: "camera -> narrow",
    parameters: [.integer("width", \.width, in: 0...100, help: "The most.")])
  static let ports = EffectPorts<Video>(.video([.i420]))

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    var chain = ElementChain([ElementSpec("identity", plugin: "coreelements")])
    chain.filters["in"] = [
      .checked { [width] format in
        guard case .video(let video) = format, video.width > width else { return nil }
        return NodeError("frames are \(video.width) wide", remedy: "make them narrower")
      }
    ]
    return [chain]
  }
}

private struct EverySecond: StreamFilter {
  let most: Int
  private var count = 0

  init(most: Int) { self.most = most }

  mutating func pass(_ sample: inout SampleBuffer) throws(NodeError) -> Bool {
    count += 1
    guard count <= most else { throw NodeError("frame \(count) came", remedy: "send fewer") }
    return count % 2 == 1
  }
}

extension RunTests {
  @Suite struct StreamFilterTests {
    private func frames(most: Int) async throws -> (numbers: [Int], report: Report) {
      var catalog = Catalog.builtIn.withTesting()
      let isNew = catalog.add(NodeType(Filtered.self))
      #expect(isNew)
      let run = try pipeline(
        """
        { "nodes": {
            "count": { "type": "counterFrames", "frames": 10 },
            "half": { "type": "filtered", "most": \(most) }, "out": { "type": "appOutput" } },
          "wires": ["count -> half -> out"] }
        """, catalog: catalog)
      let output = try run.output("out")
      run.start()
      var numbers: [Int] = []
      while let sample = await output.next() { numbers.append(FrameNumber.read(sample) ?? -1) }
      return (numbers, await run.report())
    }

    @Test func aNodesFilterLeavesOutSamplesByThoseBeforeThem() async throws {
      let (numbers, report) = try await frames(most: 10)
      #expect(numbers == [0, 2, 4, 6, 8])
      #expect(report.state == .completed && report.unbalanced == [])
    }

    @Test(arguments: [(100, true), (10, false)])
    func aFormatIsCheckedBeforeTheFirstSample(width: Int, isTaken: Bool) async throws {
      var catalog = Catalog.builtIn.withTesting()
      let isNew = catalog.add(NodeType(Narrow.self))
      #expect(isNew)
      let run = try pipeline(
        """
        { "nodes": {
            "count": { "type": "counterFrames", "frames": 10 },
            "narrow": { "type": "narrow", "width": \(width) }, "out": { "type": "nullSink" } },
          "wires": ["count -> narrow -> out"] }
        """, catalog: catalog)
      run.start()
      let report = await run.report()
      #expect((report.state == .completed) == isTaken)
      #expect(report.failure?.node == (isTaken ? nil : "narrow"))
      #expect(report.failure?.message.hasPrefix("frames are") == (isTaken ? nil : true))
    }

    @Test func anErrorOfAFilterEndsTheRunInTheNameOfItsNode() async throws {
      let failure = try #require(try await frames(most: 3).report.failure)
      #expect(failure.node == "half" && failure.message == "frame 4 came")
      #expect(failure.remedy == "send fewer")
    }
  }

  /// The filters of packets, without a file.
  @Suite struct PacketFilterTests {
    private func packet(_ bytes: [UInt8], at nanoseconds: Int? = nil) throws -> SampleBuffer {
      var packet = SampleBuffer(bytes: bytes, format: try FormatDescription(capsText: "audio/x-a"))
      if let nanoseconds { packet.presentationTime = MediaTime(nanoseconds: nanoseconds) }
      return packet
    }

    @Test func packetsOfOpusWithoutTimesFollowEachOther() throws {
      var timer = OpusTimer()
      // Frames of 20 ms: one of them, then two.
      var first = try packet([0x08], at: 1_000)
      var second = try packet([0x09])
      let passes = [timer.pass(&first), timer.pass(&second)]
      #expect(passes == [true, true])
      let lengths = [first.duration, second.duration].map(\.nanoseconds)
      #expect(lengths == [20_000_000, 40_000_000])
      let times = [second.presentationTime, second.decodeTime].map(\.nanoseconds)
      #expect(times == [20_001_000, 20_001_000])
    }

    @Test func packetsOfMP3AreCountedAndNotAddedUp() throws {
      var counter = MP3Counter(frames: 1_152, sampleRate: 44_100)
      for number in 0..<1_000 {
        var packet = try packet([0xff, 0xfb, 0x90, 0], at: number * 26_122_449)
        let passes = counter.pass(&packet)
        #expect(passes)
        let time = MediaTime(value: Int64(number * 1_152), timescale: 44_100)
        let counted = packet.presentationTime
        #expect(counted.nanoseconds == time.nanoseconds)
      }
    }
  }
}
