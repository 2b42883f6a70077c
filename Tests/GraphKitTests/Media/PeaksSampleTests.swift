import GraphKit
import TestTools
import Testing

/// Points in a sample are the array that they came in, until somebody writes.
@Suite(.inTurn) struct PeaksSampleTests {
  private let peaks = Peaks(
    PeaksFormat(sampleRate: 8_000, samplesPerPixel: 80, channels: 1),
    values: (0..<2_000).map { Int16($0) })

  @Test func comeOutAsTheyWentIn() throws {
    let sample = try SampleBuffer(peaks, at: MediaTime(value: 1, timescale: 2))
    #expect(sample.peaks == peaks)
    #expect(sample.byteCount == 4_000)
    #expect(sample.presentationTime == MediaTime(value: 1, timescale: 2))
    #expect(sample.duration == MediaTime(value: 10, timescale: 1))
    let bytes = sample.withSamples(as: Int16.self) { span in span.indices.map { span[$0] } }
    #expect(bytes == peaks.values)
  }

  @Test func outliveTheirSample() throws {
    func taken() throws -> Peaks? { try SampleBuffer(peaks).peaks }
    var points = try #require(try taken())
    points.values[7] = -1
    #expect(points.values != peaks.values && points.values[8] == 8)
  }

  @Test(arguments: [true, false]) func areCopiedForWhoeverWrites(isShared: Bool) throws {
    var sample = try SampleBuffer(peaks)
    let other = isShared ? sample.share() : try SampleBuffer(peaks)
    sample.withMutableElements(as: Int16.self) { $0[3] = 99 }
    #expect(sample.peaks?.values.prefix(5) == [0, 1, 2, 99, 4])
    #expect(other.peaks == peaks)
    #expect(peaks.values[3] == 3)
  }

  @Test func mayBeNone() throws {
    let none = Peaks(peaks.format)
    #expect(try SampleBuffer(none).peaks == none)
  }
}
