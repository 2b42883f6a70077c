import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

/// Sounds whose waveforms are known without reducing them.
@Suite(.inTurn) struct WaveformTests {
  private let mono = AudioFormat(.s16, sampleRate: 1_000, channels: 1)
  private let stereo = AudioFormat(.s16, sampleRate: 1_000, channels: 2)

  private func peaks(
    _ node: Waveform, _ samples: [Int16], _ format: AudioFormat, block: Int = 37,
    of output: String = "out"
  ) throws -> Peaks {
    let harness = NodeHarness(node)
    var start = 0
    while start < samples.count {
      let end = min(samples.count, start + block * format.channels)
      try harness.push(Array(samples[start..<end]), format: format)
      start = end
    }
    try harness.finish()
    let parts = try harness.samples(of: output).compactMap { $0.sample.peaks }
    var whole = try #require(parts.first)
    for part in parts.dropFirst() { whole.values += part.values }
    return whole
  }

  @Test func anImpulseIsSeenInItsPointAlone() throws {
    var samples = [Int16](repeating: 0, count: 1_000)
    samples[612] = 12_345
    var node = Waveform()
    node.samplesPerPixel = 100
    let peaks = try peaks(node, samples, mono)
    var expected = [Int16](repeating: 0, count: 20)
    expected[2 * 6 + 1] = 12_345
    #expect(peaks.values == expected)
    #expect(
      peaks.format == PeaksFormat(sampleRate: 1_000, samplesPerPixel: 100, channels: 1))
  }

  @Test func aRampRunsFromTheFirstToTheLastSampleOfEachPoint() throws {
    var node = Waveform()
    node.samplesPerPixel = 64
    let peaks = try peaks(node, (0..<1_000).map { Int16($0) - 500 }, mono)
    var expected: [Int16] = []
    for start in stride(from: 0, to: 1_000, by: 64) {
      expected += [Int16(start - 500), Int16(min(start + 63, 999) - 500)]
    }
    #expect(peaks.values == expected)
  }

  @Test func aMixIsTheMeanRoundedTowardsZero() throws {
    var node = Waveform()
    node.samplesPerPixel = 1
    let samples: [Int16] = [3, 4, -3, -4, 32_767, 32_767, -32_768, -32_768, 1, -2]
    #expect(
      try peaks(node, samples, stereo).values
        == [3, 3, -3, -3, 32_767, 32_767, -32_768, -32_768, 0, 0])
  }

  @Test(arguments: [1, 7, 256])
  func aMixOfFloatsIsTheSameHoweverTheChannelsLie(_ samplesPerPixel: Int) throws {
    var node = Waveform()
    node.samplesPerPixel = samplesPerPixel
    let left: [Float] = (0..<999).map { Float(($0 * 7919) % 4_001 - 2_000) / 1_800 } + [.nan]
    let right: [Float] =
      (0..<999).map { Float(($0 * 104_729) % 3_001 - 1_500) / 1_400 } + [.infinity]
    func narrow(_ value: Float) -> Int {
      value.isNaN ? 0 : Int(min(max(value * 32_767, -32_768), 32_767))
    }
    let mixed: [Int16] = zip(left, right).map { Int16((narrow($0) + narrow($1)) / 2) }
    var expected: [Int16] = []
    for start in stride(from: 0, to: mixed.count, by: samplesPerPixel) {
      let part = mixed[start...].prefix(samplesPerPixel)
      expected += [part.min() ?? 0, part.max() ?? 0]
    }
    for (layout, samples) in [
      (ChannelLayout.planar, left + right),
      (.interleaved, zip(left, right).flatMap { [$0, $1] }),
    ] {
      let harness = NodeHarness(node)
      let format = AudioFormat(.f32, sampleRate: 1_000, channels: 2, layout: layout)
      try harness.push(samples, format: format)
      try harness.finish()
      let values = try harness.samples(of: "out").compactMap { $0.sample.peaks?.values }
      #expect(values.flatMap { $0 } == expected, "\(layout)")
    }
  }

  @Test func channelsThatAreSplitLieSideBySide() throws {
    var node = Waveform()
    node.samplesPerPixel = 2
    node.channels = .split
    #expect(try peaks(node, [1, -5, 2, -6, 7, 0], stereo).values == [1, 2, -6, -5, 7, 7, 0, 0])
  }

  @Test func magnitudesFollowTheirFormulas() throws {
    var node = Waveform()
    node.samplesPerPixel = 4
    let samples: [Int16] = [3, -4, 3, -4, -32_768, -32_768, -32_768, -32_768]
    node.reduce = .peak
    #expect(try peaks(node, samples, mono).values == [-4, 4, -32_768, 32_767])
    node.reduce = .rms
    // The root of (9 + 16 + 9 + 16) / 4 is 3.54.
    #expect(try peaks(node, samples, mono).values == [-4, 4, -32_768, 32_767])
    node.reduce = .mean
    // 14 / 4 is 3.5.
    #expect(try peaks(node, samples, mono).values == [-4, 4, -32_768, 32_767])
  }

  @Test(arguments: [1, 3, 900], [1, 999, 300_000])
  func thereAreAsManyPointsAsAsked(points: Int, frames: Int) throws {
    var node = Waveform()
    node.points = points
    let peaks = try peaks(node, [Int16](repeating: 5, count: frames), mono, block: 10_007)
    #expect(peaks.count == points)
    #expect(peaks.values.allSatisfy { $0 == 5 })
  }

  @Test func aStepStandsInTheMiddleOfThePoints() throws {
    var node = Waveform()
    node.points = 900
    let samples = (0..<600_000).map { $0 < 300_000 ? Int16(-7) : 9 }
    let peaks = try peaks(node, samples, mono, block: 65_536)
    #expect((0..<450).allSatisfy { peaks.low($0) == -7 && peaks.high($0) == -7 })
    #expect((450..<900).allSatisfy { peaks.low($0) == 9 && peaks.high($0) == 9 })
  }

  @Test func partsAreCutToTheSample() throws {
    var node = Waveform()
    (node.startAt, node.endAt) = (0.25, 0.5)
    node.samplesPerPixel = 100
    let peaks = try peaks(node, (0..<1_000).map { Int16($0) }, mono)
    #expect(peaks.values == [250, 349, 350, 449, 450, 499])
  }

  @Test func aStartBehindTheEndIsAWarning() throws {
    var node = Waveform()
    node.startAt = 2
    let late = NodeHarness(node)
    try late.push([Int16](repeating: 1, count: 1_500), format: mono)
    try late.finish()
    #expect(try late.samples().map { $0.sample.peaks?.count } == [0])
    #expect(
      late.warnings == ["the audio ends at 1.5 s, before `startAt`: the waveform has no points"])

    node.startAt = 1.4
    let inTime = NodeHarness(node)
    try inTime.push([Int16](repeating: 1, count: 1_500), format: mono)
    try inTime.finish()
    #expect(inTime.warnings.isEmpty)
  }

  @Test func zoomLevelsAgreeWithWaveformsOfTheirOwn() throws {
    let samples = (0..<5_000).map { Int16(truncatingIfNeeded: $0 &* 7_919) }
    for reduce in PeakReduction.allCases {
      var node = Waveform()
      node.reduce = reduce
      node.samplesPerPixel = 10
      node.zoomLevels = 3
      var coarse = node
      (coarse.zoomLevels, coarse.samplesPerPixel) = (1, 40)
      #expect(try peaks(node, samples, mono, of: "out.3") == peaks(coarse, samples, mono))
    }
  }

  @Test func pointsThatAreSentWhileTheSoundGoesOnAreTheSame() throws {
    let samples = (0..<5_003).map { Int16(truncatingIfNeeded: $0 &* 7_919) }
    var node = Waveform()
    node.samplesPerPixel = 10
    node.zoomLevels = 2
    let whole = try ["out", "out.2"].map { try peaks(node, samples, mono, of: $0) }
    node.updateInterval = 0.5
    let harness = NodeHarness(node)
    try harness.push(Array(samples[..<2_500]), format: mono)
    #expect(try !harness.samples(of: "out").isEmpty)
    #expect(try ["out", "out.2"].map { try peaks(node, samples, mono, of: $0) } == whole)
  }

  @Test func soundMayBeginAnywhereInMemory() throws {
    var node = Waveform()
    node.samplesPerPixel = 2
    let samples: [Int16] = [99, 3, 5, -3, -5, 7, 9, 11, 13]
    let harness = NodeHarness(node)
    var sample = try SampleBuffer(
      bytes: samples.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      },
      format: FormatDescription(.audio(stereo)))
    // What is left begins between two frames as they would lie from the memory's first byte on.
    sample.trim(offset: 2, byteCount: 16)
    try harness.push(sample)
    try harness.finish()
    #expect(try harness.samples().compactMap { $0.sample.peaks?.values } == [[-4, 4, 8, 12]])
  }

  @Test func soundThatHoldsNothingGivesNoPoints() throws {
    let harness = NodeHarness(Waveform())
    try harness.push([] as [Int16], format: mono)
    try harness.finish()
    #expect(try harness.samples().compactMap { $0.sample.peaks?.count } == [0])
  }

  @Test func theLengthOfAPointIsGivenOnce() {
    var node = Waveform()
    (node.points, node.samplesPerPixel) = (9, 9)
    #expect(node.problem?.message == "the length of a point is given more than once")
  }
}
