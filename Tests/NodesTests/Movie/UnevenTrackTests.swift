import Foundation
import GraphKit
import Testing

@testable import Containers

/// Tracks that aren't there all the time, in movies that were finished and in those that were killed.
@Suite(.inTurn) struct UnevenTrackTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// Times of presentation by track, in milliseconds of the movie, as ffprobe reads them.
  private func times(_ path: String) throws -> [Int: [Int]] {
    let words = ["-v", "error", "-show_entries", "packet=stream_index,pts_time", "-of", "csv=p=0"]
    let output = String(decoding: try tool("ffprobe", words + [path]), as: UTF8.self)
    let rows = output.split(separator: "\n").map { $0.split(separator: ",") }
    return Dictionary(grouping: rows) { Int($0[0]) ?? -1 }.mapValues { rows in
      rows.map { Int(((Double($0[1]) ?? -1) * 1_000).rounded()) }.sorted()
    }
  }

  private func complaints(_ path: String) throws -> String {
    let command = "ffmpeg -v warning -i '\(path)' -f null - 2>&1 || echo failed"
    return String(decoding: try tool("sh", ["-c", command]), as: UTF8.self)
  }

  /// The movie as it is when killed after all samples, and when finished.
  private func movies(
    _ tracks: EncodedTracks, formats: Int = 2
  ) throws -> (killed: String, finished: String) {
    let log = WriteLog()
    var movie = MovieWriter([.init(), .init()], settings: .init(), to: log)
    for track in 0..<formats { movie.begin(track, tracks.formats[track]) }
    for (track, sample) in tracks.interleaved() {
      if track >= formats { movie.begin(track, tracks.formats[track]) }
      try movie.append(sample.known, sample.bytes.span, to: track)
    }
    let killed = try scratch.write(log.file, to: "killed.mp4")
    try movie.finish()
    let finished = try scratch.write(log.file, to: "finished.mp4")
    #expect(try BoxChecker(finished).faults == [])
    #expect(try movie.receipt.faults(of: finished) == [])
    return (killed, finished)
  }

  /// Every packet at its time from the movie's first frame on, to the rounding of milliseconds.
  private func expectTimes(
    _ found: [Int]?, _ samples: [EncodedSample], of tracks: EncodedTracks, priming: Int = 0,
    atLeast: Int? = nil
  ) throws {
    let start = try #require(tracks.video.map(\.known.presentation).min())
    let wanted = samples.map {
      Int((Double($0.known.presentation - start) / 1e6 - Double(priming) / 48).rounded())
    }.sorted()
    let found = found ?? []
    #expect(atLeast.map { found.count >= $0 } ?? (found.count == wanted.count), "\(found.count)")
    #expect(zip(found, wanted).allSatisfy { abs($0 - $1) <= 1 }, "\(found), \(wanted)")
  }

  @Test func aTrackThatEndsEarly() async throws {
    var tracks = try await EncodedTracks(seconds: 3, bFrames: 0)
    tracks.audio.removeAll { $0.known.decode > 1_000_000_000 }
    let (killed, finished) = try movies(tracks)
    #expect(try complaints(killed) == "" && complaints(finished) == "")
    for path in [killed, finished] {
      let found = try times(path)
      let isKilled = path == killed
      try expectTimes(
        found[1], tracks.audio, of: tracks, priming: 1_024, atLeast: isKilled ? 30 : nil)
      try expectTimes(found[0], tracks.video, of: tracks, atLeast: isKilled ? 70 : nil)
    }
    #expect(abs(try MovieReader.read(finished).duration - 3) < 0.05)
  }

  @Test func aTrackThatComesBackIsInTime() async throws {
    var tracks = try await EncodedTracks(seconds: 3, bFrames: 0)
    tracks.audio.removeAll { (1_000_000_000..<2_000_000_000).contains($0.known.decode) }
    let (killed, finished) = try movies(tracks)
    #expect(try complaints(killed) == "" && complaints(finished) == "")
    try expectTimes(try times(finished)[1], tracks.audio, of: tracks, priming: 1_024)
    let least = tracks.audio.count - 26
    try expectTimes(
      try times(killed)[1], tracks.audio, of: tracks, priming: 1_024, atLeast: least)
    try expectRepaired(killed, tracks, atLeast: [tracks.video.count - 20, least], priming: 1_024)
  }

  /// Frames are decoded ahead of a gap that are presented after it.
  @Test(arguments: 10...13) func aGapBetweenFramesMakesTheMovieNoLonger(before: Int) async throws {
    var tracks = try await EncodedTracks(bFrames: 3)
    let known = tracks.video.map(\.known)
    let (first, lag) = (known[0].presentation, known[0].presentation - known[0].decode)
    let resumed = known.map(\.presentation).sorted()[before]
    let moved = known.map { $0.presentation + ($0.presentation < resumed ? 0 : 5_000_000_000) }
    let order = moved.sorted()
    for index in known.indices {
      tracks.video[index].known.presentation = moved[index]
      tracks.video[index].known.decode = order[index] - lag
    }
    let movie = try MovieReader.read(movies(tracks).finished)
    let last = try #require(order.last)
    let length = Double(last - first + known[0].duration) / 1e9
    #expect(abs(movie.tracks[0].duration - length) < 0.002, "\(movie)")
  }

  /// A track without samples when the index in front was written counts its times from the movie's
  /// beginning.
  @Test func aTrackThatBeginsAfterTheFragments() async throws {
    var tracks = try await EncodedTracks(seconds: 9, bFrames: 0)
    tracks.audio.removeAll { $0.known.decode < 7_000_000_000 }
    let (killed, finished) = try movies(tracks)
    try expectTimes(try times(finished)[1], tracks.audio, of: tracks)
    let least = [tracks.video.count - 20, tracks.audio.count - 20]
    try expectTimes(try times(killed)[1], tracks.audio, of: tracks, atLeast: least[1])
    try expectRepaired(killed, tracks, atLeast: least)
  }

  /// In a stream the times themselves keep the tracks together.
  @Test func aStreamThatWasKilledIsRepairedInTime() async throws {
    var tracks = try await EncodedTracks(seconds: 3, bFrames: 2)
    for index in tracks.video.indices {
      tracks.video[index].known.presentation += 700_000_000
      tracks.video[index].known.decode += 700_000_000
    }
    var settings = MovieWriter.Settings()
    settings.segmentDuration = 1_000_000_000
    let log = WriteLog()
    _ = try tracks.write(to: log, settings)
    let killed = try scratch.write(log.file, to: "killed.mp4")
    _ = try MovieRepair.repair(killed)
    #expect(try complaints(killed) == "")
    let first = try #require(tracks.video.map(\.known.presentation).min())
    let audio = tracks.audio.map { Double($0.known.presentation - first) / 1e9 - 1_024.0 / 48_000 }
    let found = try #require(try times(killed)[1]?.first)
    // Of what is skipped ffprobe has some packets, with their times before zero.
    #expect(audio.contains { abs($0 * 1_000 - Double(found)) < 1.5 } && found < 0, "\(found)")
  }

  private func expectRepaired(
    _ path: String, _ tracks: EncodedTracks, atLeast counts: [Int], priming: Int = 0
  ) throws {
    #expect(try MovieRepair.repair(path).wasFragmented)
    #expect(try complaints(path) == "" && BoxChecker(path).faults == [])
    let found = try times(path)
    try expectTimes(found[0], tracks.video, of: tracks, atLeast: counts[0])
    try expectTimes(found[1], tracks.audio, of: tracks, priming: priming, atLeast: counts[1])
  }

  @Test(arguments: [1, 2]) func aTrackThatNeverBegins(formats: Int) async throws {
    var tracks = try await EncodedTracks(seconds: 8, bFrames: 0)
    let count = tracks.video.count
    tracks.audio = []
    let (killed, finished) = try movies(tracks, formats: formats)
    #expect(try complaints(finished) == "")
    #expect(try MovieReader.read(finished).tracks.map(\.sampleCount) == [count])
    let counts = try MovieReader.read(killed).tracks.map(\.sampleCount)
    #expect(counts.count == formats && counts[0] > count - 20, "\(counts)")
    #expect(counts.dropFirst().allSatisfy { $0 == 0 })
  }

  /// A track whose format was known too late for the index in front is in the movie once that is
  /// finished; the others are there however it ends.
  @Test func aTrackThatIsKnownTooLate() async throws {
    var tracks = try await EncodedTracks(seconds: 12, bFrames: 0)
    tracks.audio.removeAll { $0.known.decode < 7_000_000_000 }
    let (killed, finished) = try movies(tracks, formats: 1)
    #expect(try complaints(killed) == "" && complaints(finished) == "")
    let found = try times(finished)
    try expectTimes(found[0], tracks.video, of: tracks)
    try expectTimes(found[1], tracks.audio, of: tracks)
    let least = tracks.video.count - 20
    try expectTimes(try times(killed)[0], tracks.video, of: tracks, atLeast: least)
    _ = try MovieRepair.repair(killed)
    try expectTimes(try times(killed)[0], tracks.video, of: tracks, atLeast: least)
  }

  @Test func samplesFromBeforeTheLastAreLeftOutAndCounted() async throws {
    let tracks = try await EncodedTracks(seconds: 2, bFrames: 0)
    let log = WriteLog()
    var movie = MovieWriter([.init(), .init()], settings: .init(), to: log)
    for (track, format) in tracks.formats.enumerated() { movie.begin(track, format) }
    var number = 0
    for (track, sample) in tracks.interleaved() {
      try movie.append(sample.known, sample.bytes.span, to: track)
      number += track
      guard track == 1, number == 20 else { continue }
      for early in tracks.audio[10..<13] { try movie.append(early.known, early.bytes.span, to: 1) }
    }
    #expect(movie.lateCount(of: 1) == 3 && movie.lateCount(of: 0) == 0)
    try movie.finish()
    let path = try scratch.write(log.file, to: "a.mp4")
    try expectTimes(try times(path)[1], tracks.audio, of: tracks, priming: 1_024)
  }
}
