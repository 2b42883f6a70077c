import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

/// Every reducer in the catalog that says it may be made in pieces is held to it, and to being what it
/// was when it is read from a file.
@Suite(.inTurn) struct ReducerLawTests {
  private static let settings: [String: [[String: JSONValue]]] = [
    "waveform": ["minMax", "peak", "rms", "mean"].flatMap { reduce in
      [
        ["samplesPerPixel": .number(64)], ["points": .number(7)], ["pixelsPerSecond": .number(99)],
        ["startAt": .number(0.01), "endAt": .number(0.1), "channels": .string("split")],
        ["zoomLevels": .number(3), "channels": .string("split")],
      ].map { $0.merging(["reduce": .string(reduce)]) { $1 } }
    },
    "silence": [["minimum": .number(0.001), "threshold": .number(-3)], ["threshold": .number(0)]],
    "loudness": [["truePeak": .bool(true)], ["truePeak": .bool(false)]],
  ]

  /// Frames of noise and how often they are cut, where a few hundred frames don't show what is worth
  /// looking at: loudness is measured in runs of 4 s.
  private static let lengths = ["loudness": (frames: 50_000...80_000, cuts: 1)]

  @Test(arguments: [SampleFormat.s16, .f32, .u8, .s24], [1, 2, 5])
  func anyCutGivesTheSame(format: SampleFormat, channels: Int) throws {
    var random = SeededNumbers(state: UInt64(channels) &* 977 &+ UInt64(format.bytesPerSample))
    let types = Catalog.builtIn.all.filter { $0.make() is any AssociativeReducerNode }
    try #require(!types.isEmpty)
    for type in types {
      let input = try #require(type.ports.first { $0.direction == .input })
      guard input.format.sampleFormats.contains(format) else { continue }
      for settings in Self.settings[type.name] ?? [[:]] {
        var node = type.make()
        for (name, value) in settings {
          #expect(type.set(name, to: value, of: &node), "\(name)")
        }
        let reducer = try #require(node as? any AssociativeReducerNode)
        try check(
          reducer, AudioFormat(format, sampleRate: 8_000, channels: channels),
          Self.lengths[type.name] ?? (300...600, 3), &random)
      }
    }
  }

  private func check<N: AssociativeReducerNode>(
    _ node: N, _ format: AudioFormat, _ lengths: (frames: ClosedRange<Int>, cuts: Int),
    _ random: inout SeededNumbers
  ) throws {
    let frames = Int.random(in: lengths.frames, using: &random)
    let sample = try noise(format, frames: frames, &random)
    let whole = try ReducerLaw.summary(of: node, sample, cutAt: [])
    for _ in 0..<lengths.cuts {
      let count = Int.random(in: 1...9, using: &random)
      let cuts = (0..<count).map { _ in Int.random(in: 0...frames, using: &random) }.sorted()
      for fromRight in [false, true] {
        let merged = try ReducerLaw.summary(of: node, sample, cutAt: cuts, fromRight: fromRight)
        #expect(merged == whole, "\(N.self) cut at \(cuts)")
        #expect(try sent(node, merged) == sent(node, whole))
      }
    }
  }

  @Test(arguments: [[50, 10], [-5, 10], [10, 101]])
  func cutsOutOfOrderAreRefused(cuts: [Int]) throws {
    var random = SeededNumbers(state: 1)
    let sample = try noise(
      AudioFormat(.f32, sampleRate: 8_000, channels: 1), frames: 100, &random)
    do {
      _ = try ReducerLaw.summary(of: Waveform(), sample, cutAt: cuts)
      Issue.record("\(cuts) were taken")
    } catch {
      #expect(error.message.contains("100 frames") && error.remedy.contains("in order"))
    }
    #expect(try ReducerLaw.summary(of: Waveform(), sample, cutAt: [0, 10, 10, 100]) != nil)
  }

  /// What the node sends of a summary.
  private func sent<N: AssociativeReducerNode>(
    _ node: N, _ summary: N.Summary?
  ) throws -> [[UInt8]] {
    var node = node
    node.summary = summary
    let harness = NodeHarness(node)
    try harness.finish()
    return try node.portDeclarations.filter { $0.direction == .output }.flatMap { port in
      try harness.samples(of: port.name).map(\.bytes)
    }
  }

  private func noise(
    _ format: AudioFormat, frames: Int, _ random: inout SeededNumbers
  ) throws -> SampleBuffer {
    let count = frames * format.channels
    var sample = SampleBuffer(
      byteCount: frames * format.bytesPerFrame, format: try FormatDescription(.audio(format)))
    if format.sampleFormat == .f32 {
      sample.withMutableElements(as: Float.self) { span in
        for index in 0..<count { span[index] = Float.random(in: -1.1...1.1, using: &random) }
      }
    } else {
      sample.withMutableBytes { span in
        for index in span.indices { span[index] = UInt8.random(in: 0...255, using: &random) }
      }
    }
    return sample
  }
}
