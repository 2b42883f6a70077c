import TestTools
import Testing

@testable import GraphKit
@testable import Nodes

/// Summaries of damaged files are refused, or at least may be merged and looked at.
@Suite(.inTurn) struct DamagedSummaryTests {
  private static let format = AudioFormat(.s16, sampleRate: 8_000, channels: 1)

  /// Every third byte of the first fields, and of the last ones, changed in two ways.
  private func damaged<Summary: AssociativeReducer>(_ summary: Summary) throws -> [Summary] {
    let bytes = try SummaryEncoder.bytes(of: summary)
    let places = (Array(bytes.indices.prefix(160)) + Array(bytes.indices.suffix(40)))
      .enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    return places.flatMap { place in
      [0x7f, 0xff].compactMap { (value: UInt8) -> Summary? in
        var other = bytes
        other[place] = value
        return try? SummaryDecoder.value(Summary.self, of: other)
      }
    }
  }

  private func merge<Summary: AssociativeReducer>(
    _ summary: Summary, _ look: (Summary) throws -> Void
  ) throws {
    for other in try damaged(summary) {
      try look(other)
      guard other.continues(summary) else { continue }
      var whole = summary
      whole.merge(other)
      try look(whole)
    }
  }

  @Test func loudness() throws {
    try merge(LoudnessSummary(of: Self.format, measuresTruePeak: false)) { summary in
      // A damaged flag makes it one that failed.
      if let values = try? summary.values() { #expect(values.range >= 0) }
    }
  }

  @Test func silence() throws {
    let summary = SilenceSummary(of: Self.format, threshold: 0.1, minimum: 1, from: 0)
    try merge(summary) { #expect($0.all.allSatisfy { $0.count > 0 }) }
  }

  @Test func waveform() throws {
    for points in [nil, 7] {
      var node = Waveform()
      node.points = points
      let summary = try node.makeSummary(of: Self.format, from: 0)
      try merge(summary) { #expect($0.peaks(level: 0).count >= 0) }
    }
  }

  @Test func failedLoudnessIsNoSilence() throws {
    let summary = try LoudnessSummary(of: Self.format, measuresTruePeak: false)
    let bytes = try SummaryEncoder.bytes(of: summary)
    #expect(throws: Never.self) { try SummaryDecoder.value(LoudnessSummary.self, of: bytes) }
    // The last byte says that the measurement failed.
    let failed = Array(bytes.dropLast()) + [1]
    let read = try SummaryDecoder.value(LoudnessSummary.self, of: failed)
    #expect(throws: NodeError.self) { try read.values() }
    var whole = summary
    whole.merge(read)
    #expect(throws: NodeError.self) { try whole.values() }
  }

  /// Summaries of other settings, and of frames before, don't continue one.
  @Test func otherSettingsAreRefused() throws {
    let first = try LoudnessSummary(of: Self.format, measuresTruePeak: false)
    #expect(try LoudnessSummary(of: Self.format, measuresTruePeak: false, from: 9).continues(first))
    #expect(
      try !LoudnessSummary(of: Self.format, measuresTruePeak: true, from: 9).continues(first))
    let late = try LoudnessSummary(of: Self.format, measuresTruePeak: false, from: 9)
    #expect(!first.continues(late))
  }
}
