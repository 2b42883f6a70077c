import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

/// Points for tests, and ways in and out of files.
enum Points {
  /// Three points of one channel.
  static let mono = Peaks(
    PeaksFormat(sampleRate: 44_100, samplesPerPixel: 256, channels: 1),
    values: [-1, 2, -32_768, 32_767, -300, 511])

  /// Two points of two channels.
  static let stereo = Peaks(
    PeaksFormat(sampleRate: 48_000, samplesPerPixel: 64, channels: 2),
    values: [-1, 1, -2, 2, -513, 512, -256, 255])

  /// Random points that are pairs of a low and a high value.
  static func random(
    _ count: Int, samplesPerPixel: Int = 256, channels: Int = 1, seed: UInt64 = 1
  ) -> Peaks {
    var random = SeededNumbers(state: seed)
    let format = PeaksFormat(
      sampleRate: 44_100, samplesPerPixel: samplesPerPixel, channels: channels)
    return Peaks(
      format,
      values: (0..<count * channels).flatMap { _ in
        [
          Int16.random(in: -32_768...0, using: &random),
          Int16.random(in: 0...32_767, using: &random),
        ]
      })
  }

  /// The bytes of a file that a sink writes.
  static func written(
    _ peaks: Peaks..., name: String = "a.dat", _ configure: (inout PeaksSink) -> Void = { _ in }
  ) throws -> [UInt8] {
    let folder = try TestFolder()
    var sink = PeaksSink()
    sink.path = folder.path(name)
    configure(&sink)
    let harness = NodeHarness(sink)
    var time = MediaTime.zero
    for part in peaks {
      try harness.push(SampleBuffer(part, at: time))
      time = time + part.duration
    }
    try harness.finish()
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path(name))))
  }

  /// What a source makes of a file's bytes.
  static func read(_ bytes: some Collection<UInt8>) throws -> Peaks {
    let folder = try TestFolder()
    var source = PeaksSource()
    source.path = try folder.write(bytes, to: "a")
    _ = try source.resolve(in: FakeEnvironment())
    let harness = NodeHarness(source)
    try harness.run()
    return try collected(harness)
  }

  /// All that left a node, put together.
  static func collected<N: Node>(_ harness: NodeHarness<N>) throws -> Peaks {
    var collector = PeaksCollector()
    for format in try harness.formats() { try collector.begin(FormatDescription(format)) }
    for sample in try harness.samples() { try collector.add(sample.sample) }
    return try #require(collector.peaks)
  }
}
