import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite(.inTurn) struct PeaksZoomTests {
  private func zoomed(_ peaks: Peaks, _ configure: (inout PeaksZoom) -> Void) throws -> Peaks {
    var zoom = PeaksZoom()
    configure(&zoom)
    try #require(zoom.problem == nil)
    let harness = NodeHarness(zoom)
    try harness.push(SampleBuffer(peaks))
    try harness.finish()
    return try Points.collected(harness)
  }

  @Test func aStartBehindTheEndIsAWarning() throws {
    let peaks = Points.random(100)
    for (start, count) in [(peaks.duration.seconds + 1, 1), (peaks.duration.seconds / 2, 0)] {
      var zoom = PeaksZoom()
      zoom.startAt = start
      let harness = NodeHarness(zoom)
      try harness.push(SampleBuffer(peaks))
      try harness.finish()
      #expect(harness.warnings.count == count)
      #expect(harness.warnings.allSatisfy { $0.contains("before `startAt`") })
    }
  }

  /// What a waveform node makes of noise.
  private func reduced(
    _ samplesPerPixel: Int, frames: Int, _ channels: Waveform.Channels, _ reduction: PeakReduction
  ) throws -> Peaks {
    var waveform = Waveform()
    waveform.samplesPerPixel = samplesPerPixel
    (waveform.channels, waveform.reduce) = (channels, reduction)
    let harness = NodeHarness(waveform)
    var random = SeededNumbers(state: 3)
    let samples = (0..<frames * 2).map { _ in Int16.random(in: .min ... .max, using: &random) }
    try harness.push(samples, format: AudioFormat(.s16, sampleRate: 44_100, channels: 2))
    try harness.finish()
    return try Points.collected(harness)
  }

  @Test(arguments: [2, 3, 8], [10_000, 9_999, 8 * 512])
  func whereItDividesItIsTheDirectReduction(_ factor: Int, _ frames: Int) throws {
    for channels in [Waveform.Channels.mixed, .split] {
      for reduction in [PeakReduction.minMax, .peak] {
        let fine = try reduced(64, frames: frames, channels, reduction)
        let coarse = try reduced(64 * factor, frames: frames, channels, reduction)
        #expect(try zoomed(fine) { $0.samplesPerPixel = 64 * factor } == coarse)
      }
    }
  }

  @Test(arguments: [PeakReduction.rms, .mean])
  func sumsComeWithinOneOfTheDirectReduction(_ reduction: PeakReduction) throws {
    let fine = try reduced(64, frames: 64 * 512, .split, reduction)
    let coarse = try reduced(512, frames: 64 * 512, .split, reduction)
    let zoomed = try zoomed(fine) { $0.samplesPerPixel = 512 }
    #expect(zoomed.format == coarse.format && zoomed.count == coarse.count)
    #expect(zip(zoomed.values, coarse.values).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test func wherePointsDontDivideBordersAreRoundedDown() throws {
    // Points of 2 samples into points of 3: borders at 0, 1, 3, 4, 6, …
    let fine = Peaks(
      PeaksFormat(sampleRate: 10, samplesPerPixel: 2, channels: 1),
      values: [-1, 1, -9, 2, -3, 8, -4, 4, -5, 5])
    let coarse = try zoomed(fine) { $0.samplesPerPixel = 3 }
    #expect(coarse.values == [-1, 1, -9, 8, -4, 4, -5, 5])
    #expect(coarse.format.samplesPerPixel == 3)
  }

  @Test func theSameZoomChangesNothing() throws {
    #expect(try zoomed(Points.stereo) { $0.samplesPerPixel = 64 } == Points.stereo)
    #expect(try zoomed(Points.stereo) { _ in } == Points.stereo)
  }

  @Test func pointsCantBeMadeFiner() throws {
    let finer = #expect(throws: NodeError.self) {
      try zoomed(Points.stereo) { $0.samplesPerPixel = 63 }
    }
    #expect(finer?.key == "samplesPerPixel" && finer?.remedy.contains("64") == true)
    let more = #expect(throws: NodeError.self) { try zoomed(Points.mono) { $0.points = 4 } }
    #expect(more?.key == "points" && more?.remedy.contains("3") == true)
  }

  @Test(arguments: [1, 2, 3, 7, 99, 100])
  func soManyPointsAsAreWanted(_ points: Int) throws {
    let all = Points.random(100, channels: 2)
    let fewer = try zoomed(all) { $0.points = points }
    #expect(fewer.count == points)
    #expect(fewer.format.samplesPerPixel == 256 * 100 / points)
    for channel in 0..<2 {
      let (lows, highs) = (
        (0..<points).map { fewer.low($0, channel: channel) },
        (0..<points).map { fewer.high($0, channel: channel) }
      )
      #expect(lows.min() == (0..<100).map { all.low($0, channel: channel) }.min())
      #expect(highs.max() == (0..<100).map { all.high($0, channel: channel) }.max())
    }
  }

  @Test(
    arguments: [
      (0.0, 0.5, 0..<50), (0.5, 0.75, 50..<75), (0.29, 0.57, 29..<57), (0.295, 0.565, 29..<57),
      (0.99, 9, 99..<100), (1, 2, 100..<100), (1e9, nil, 100..<100), (0.1, nil, 10..<100),
    ] as [(Double, Double?, Range<Int>)])
  func cutsAtWholePoints(_ start: Double, _ end: Double?, _ points: Range<Int>) throws {
    var all = Points.random(100, samplesPerPixel: 80)
    all.format.sampleRate = 8_000
    let cut = try zoomed(all) { ($0.startAt, $0.endAt) = (start, end) }
    #expect(cut == all[points])
  }

  @Test func cutsBeforeItZooms() throws {
    var all = Points.random(100, samplesPerPixel: 80)
    all.format.sampleRate = 8_000
    let result = try zoomed(all) { ($0.startAt, $0.endAt, $0.points) = (0.25, 0.75, 5) }
    #expect(result == all[25..<75].reduced(toPoints: 5))
  }

  @Test func parametersThatContradictEachOtherAreProblems() {
    var zoom = PeaksZoom()
    (zoom.points, zoom.samplesPerPixel) = (5, 512)
    #expect(zoom.problem?.key == "points")
    zoom.points = nil
    (zoom.startAt, zoom.endAt) = (2, 2)
    #expect(zoom.problem?.key == "endAt")
  }
}
