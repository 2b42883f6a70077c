import TestTools
import Testing

@testable import Containers
@testable import GraphKit

/// The index in front of the fragments, on its way to the file.
@Suite(.inTurn) struct MovieStartTests {
  /// An index of tracks at 30 and 48,000 units a second, of which the last has no samples' format.
  private func index(isFragmented: Bool = true) -> MovieBytes {
    var writer = BoxWriter()
    writer.box("moov") { writer in
      writer.fullBox("mvhd") { Self.zeros(8, then: 1000, 80, to: &$0) }
      for (number, timescale) in [30, 48_000, 48_000].enumerated() {
        writer.box("trak") { writer in
          writer.fullBox("tkhd") { Self.zeros(8, then: number + 1, 68, to: &$0) }
          writer.box("mdia") { writer in
            writer.fullBox("mdhd") { Self.zeros(8, then: timescale, 8, to: &$0) }
            writer.box("minf") { $0.box("stbl") { Self.formats(number < 2 ? 1 : 0, to: &$0) } }
          }
        }
      }
      if isFragmented { writer.box("mvex") { _ in } }
    }
    return MovieBytes(bytes: writer.bytes)
  }

  private static func zeros(
    _ before: Int, then value: Int, _ after: Int, to writer: inout BoxWriter
  ) {
    for _ in 0..<before { writer.write(0, bytes: 1) }
    writer.write(value, bytes: 4)
    for _ in 0..<after { writer.write(0, bytes: 1) }
  }

  private static func formats(_ count: Int, to writer: inout BoxWriter) {
    writer.fullBox("stsd") { writer in
      writer.write(count, bytes: 4)
      if count > 0 { writer.box("avc1") { _ in } }
    }
  }

  @Test func tracksBeginWhenTheirFirstSamplesDo() throws {
    let picture = TrackStart(presentation: 1_000_000_000, decode: 900_000_000)
    let sound = TrackStart(presentation: 1_500_000_000, decode: 1_500_000_000)
    let bytes = try #require(index().startingTracks([picture, sound, nil]))
    let changed = try #require(MovieIndex(MovieBytes(bytes: bytes)))
    #expect(changed.data.bytes.count == changed.movie.size)
    #expect(changed.tracks.map(\.identifier) == [1, 2], "the third has no samples")
    #expect(changed.tracks[0].edits.map(\.mediaTime) == [3])
    #expect(changed.tracks[1].edits.map(\.mediaTime) == [-1, 0])
    #expect(changed.tracks[1].edits.map(\.duration) == [500, 0])
  }

  @Test("times that no stream has are counted as none")
  func hostileTimes() throws {
    let starts = [
      TrackStart(presentation: .max, decode: .min), TrackStart(presentation: .min, decode: .max),
    ]
    let bytes = try #require(index().startingTracks(starts))
    let changed = try #require(MovieIndex(MovieBytes(bytes: bytes)))
    #expect(changed.tracks.map(\.identifier) == [1, 2])
  }

  @Test func otherBytesAreLeftAlone() {
    #expect(index(isFragmented: false).startingTracks([]) == nil)
    #expect(MovieBytes(bytes: Array("moof".utf8)).startingTracks([]) == nil)
    for count in 0..<index().bytes.count {
      #expect(MovieBytes(bytes: Array(index().bytes.prefix(count))).startingTracks([]) == nil)
    }
  }

  @Test func longTimesTakeWideFields() throws {
    let plain = try #require(MovieIndex(index()))
    var table = SampleTable()
    table.beginChunk(at: 5 << 30, samples: 2)
    for _ in 0..<2 { table.append(.init(duration: 3 << 30, size: 7, flags: 0, offset: 0)) }
    let changed = try #require(MovieIndex(MovieBytes(bytes: plain.joined(with: [2: table]))))
    #expect(changed.tracks[1].duration == 6 << 30)
    #expect(changed.tracks[1].timescale == 48_000)
    #expect(changed.tracks[1].sampleCount == 2)
    #expect(changed.firstSample(of: changed.tracks[1])?.offset == 5 << 30)
    #expect(changed.data.first("mvex", in: changed.movie) == nil)
  }
}
