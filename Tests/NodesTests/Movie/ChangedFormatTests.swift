import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers

/// Movies whose video becomes something else on the way: it has a description of its own for each.
@Suite(.inTurn) struct ChangedFormatTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// A second of one size, one of another, and one of the first again, with audio beside them.
  private func record(_ settings: MovieWriter.Settings, to log: WriteLog) async throws
    -> (writer: MovieWriter, samples: [[UInt8]], counts: [Int])
  {
    let (sound, small) = (try await EncodedTracks(seconds: 3), try await EncodedTracks(seconds: 1))
    let large = try await EncodedTracks(seconds: 1, width: 240)
    let parts = [small, large, small]
    var all = sound.audio.map { (track: 1, part: 0, sample: $0) }
    for (index, part) in parts.enumerated() {
      for var sample in part.video {
        sample.known.presentation += Int64(index) * 1_000_000_000
        sample.known.decode += Int64(index) * 1_000_000_000
        all.append((0, index, sample))
      }
    }
    all.sort { ($0.sample.known.decode, $0.part) < ($1.sample.known.decode, $1.part) }
    var movie = MovieWriter([.init(), .init()], settings: settings, to: log)
    movie.begin(0, small.formats[0])
    movie.begin(1, sound.formats[1])
    var current = 0
    for (track, part, sample) in all {
      if track == 0, part != current {
        movie.change(0, to: parts[part].formats[0])
        current = part
      }
      try movie.append(sample.known, sample.bytes.span, to: track)
    }
    return (movie, parts.flatMap(\.video).map(\.bytes), parts.map(\.video.count))
  }

  private func expectAll(_ path: String, _ samples: [[UInt8]], _ counts: [Int]) throws {
    let checker = try BoxChecker(path)
    #expect(checker.faults == [])
    let video = try #require(checker.tracks.first)
    #expect(
      video.descriptions
        == zip(counts, [1, 2, 1]).flatMap { Array(repeating: $1, count: $0) })
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(video.extents.map { Array(bytes[$0]) } == samples)
    try expectFrames(path, counts)
  }

  /// All frames are decoded, each in its size.
  private func expectFrames(_ path: String, _ counts: [Int]) throws {
    #expect(try decodeComplaints(path) == "")
    let words = ["-v", "error", "-select_streams", "v", "-show_entries", "frame=width"]
    let widths = String(
      decoding: try tool("ffprobe", words + ["-of", "csv=p=0", path], inSilence: true),
      as: UTF8.self
    ).split(whereSeparator: { !$0.isNumber })
    #expect(
      widths == zip(counts, ["160", "240", "160"]).flatMap { Array(repeating: $1, count: $0) })
  }

  @Test(arguments: [false, true], [false, true])
  func aFinishedMovieHasADescriptionForEach(isFragmented: Bool, byTime: Bool) async throws {
    var settings = MovieWriter.Settings()
    (settings.isFragmented, settings.interleavesByTime) = (isFragmented, byTime)
    let log = WriteLog()
    var (movie, samples, counts) = try await record(settings, to: log)
    try movie.finish()
    try expectAll(try scratch.write(log.file, to: "a.mp4"), samples, counts)
  }

  /// What is killed is in fragments, which name the description; repair keeps that.
  @Test func aMovieThatIsKilledIsRepairedWithAllDescriptions() async throws {
    let log = WriteLog()
    var (movie, samples, counts) = try await record(.init(), to: log)
    try movie.finish()
    // The last write is what makes it a movie without fragments.
    let written = log.file(afterWrites: log.writes.count - 1)
    let path = try scratch.write(written, to: "killed.mp4")
    #expect(try MovieReader.read(path).isFragmented)
    try expectFrames(path, counts)
    _ = try MovieRepair.repair(path)
    try expectAll(path, samples, counts)
  }

  /// A thousand changes don't fit into the index in front; the last one has them all.
  @Test func moreDescriptionsThanThereIsRoomForAreInTheLastIndex() async throws {
    let tracks = try await EncodedTracks(bFrames: 0)
    let log = WriteLog()
    var movie = MovieWriter([.init()], settings: .init(), to: log)
    movie.begin(0, tracks.formats[0])
    for (index, sample) in tracks.video.enumerated() {
      if index > 0 {
        var format = tracks.formats[0]
        format.width += index
        movie.change(0, to: format)
      }
      try movie.append(sample.known, sample.bytes.span, to: 0)
    }
    let killed = try scratch.write(log.file, to: "killed.mp4")
    #expect(try MovieReader.read(killed).tracks.count == 1)
    try movie.finish()
    let checker = try BoxChecker(try scratch.write(log.file, to: "a.mp4"))
    #expect(checker.faults == [])
    #expect(checker.tracks.first?.descriptions == Array(1...tracks.video.count))
    #expect(checker.tracks.first?.extents.map { Array(log.file[$0]) } == tracks.video.map(\.bytes))
  }
}
