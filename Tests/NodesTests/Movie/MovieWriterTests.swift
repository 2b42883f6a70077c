import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers

/// What the writer of movies puts into a file, as others read it.
@Suite(.inTurn) struct MovieWriterTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func packets(_ path: String) throws -> [Substring] {
    let words = [
      "-v", "error", "-show_entries", "packet=stream_index,pts_time,dts_time,size,flags",
    ]
    let output = try tool("ffprobe", words + ["-of", "csv=p=0", path])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").sorted()
  }

  private func complaints(_ path: String, _ level: String = "warning") throws -> String {
    let process = try tool(
      "sh", ["-c", "ffmpeg -v \(level) -i '\(path)' -f null - 2>&1 || echo failed"])
    return String(decoding: process, as: UTF8.self)
  }

  @Test(arguments: [false, true], [false, true])
  func everySampleIsInTheMovieAsItCame(isFragmented: Bool, isQuickTime: Bool) async throws {
    let tracks = try await EncodedTracks()
    var settings = MovieWriter.Settings()
    (settings.isFragmented, settings.isQuickTime) = (isFragmented, isQuickTime)
    settings.brand = isQuickTime ? "qt  " : "isom"
    let log = WriteLog()
    var movie = try tracks.write(to: log, settings)
    try movie.finish()
    let path = try scratch.write(log.file, to: isQuickTime ? "a.mov" : "a.mp4")
    let checker = try BoxChecker(path)
    #expect(checker.faults == [])
    #expect(checker.outermost == ["ftyp", "free", "mdat", "moov"])
    for (track, samples) in zip(checker.tracks, [tracks.video, tracks.audio]) {
      #expect(track.extents.map { Array(log.file[$0]) } == samples.map(\.bytes))
    }
    #expect(try complaints(path) == "")
    #expect(checker.tracks.map(\.timescale) == [90_000, tracks.formats[1].sampleRate])
  }

  /// Four bytes of size are what every reader knows; a box of more needs eight.
  @Test func aBoxOfSamplesHasASizeOfEightBytesOnlyWhereItMust() {
    for size in [24, Int(UInt32.max) + 8] {
      let header = MovieBytes(bytes: BoxWriter.sampleHeader(of: size))
      #expect(header.bytes.count == 16)
      #expect(header.box(at: 0, limit: size).map { [$0.type: $0.end] } == ["free": 8])
      #expect(header.box(at: 8, limit: size).map { [$0.type: $0.end] } == ["mdat": size])
    }
    let size = Int(UInt32.max) + 9
    let header = MovieBytes(bytes: BoxWriter.sampleHeader(of: size))
    #expect(header.bytes.count == 16)
    #expect(header.box(at: 0, limit: size).map { [$0.type: $0.end] } == ["mdat": size])
  }

  @Test func timesAreThoseOfTheSamples() async throws {
    let tracks = try await EncodedTracks(bFrames: 3)
    let log = WriteLog()
    var movie = try tracks.write(to: log)
    try movie.finish()
    let path = try scratch.write(log.file, to: "a.mp4")
    let words = [
      "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts,dts", "-of", "csv=p=0",
    ]
    let found = String(decoding: try tool("ffprobe", words + [path]), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: ",").compactMap { Int($0) } }
    let start = try #require(tracks.video.map(\.known.presentation).min())
    let expected = tracks.video.map { sample in
      [sample.known.presentation, sample.known.decode].map {
        Int((Double($0 - start) * 90_000 / 1e9).rounded())
      }
    }
    #expect(found == expected)
  }

  /// Threads bring samples of several tracks in an order that is another one in each run.
  @Test(arguments: [nil, 0.5]) func theOrderAmongTracksMakesNoDifference(
    segment: Double?
  ) async throws {
    let tracks = try await EncodedTracks(seconds: 3)
    var settings = MovieWriter.Settings()
    (settings.fragmentDuration, settings.interleavesByTime) = (100_000_000, true)
    settings.segmentDuration = segment.map { Int64($0 * 1e9) }
    var files: [[UInt8]] = []
    for lead: Int64 in [0, 30_000_000, -170_000_000, 900_000_000, -4_000_000_000] {
      let log = WriteLog()
      var movie = MovieWriter(
        [MovieTrackOptions(), MovieTrackOptions()], settings: settings, to: log)
      for (track, format) in tracks.formats.enumerated() { movie.begin(track, format) }
      var left = [tracks.video.count, tracks.audio.count]
      for (track, sample) in tracks.interleaved(lead: lead) {
        try movie.append(sample.known, sample.bytes.span, to: track)
        left[track] -= 1
        if left[track] == 0 { try movie.end(track) }
      }
      try movie.finish()
      files.append(log.file)
    }
    #expect(files.dropFirst().allSatisfy { $0 == files[0] }, "\(files.map(\.count))")
  }

  /// A process may be killed at any byte: what was written is whole fragments and bytes that players
  /// pass over.
  @Test func aMovieThatIsCutOffAnywhereIsReadInSilence() async throws {
    let tracks = try await EncodedTracks()
    var settings = MovieWriter.Settings()
    settings.fragmentDuration = 100_000_000
    let log = WriteLog()
    var movie = try tracks.write(to: log, settings)
    let recorded = log.byteCount
    try movie.finish()
    // The head, and the first fragment: its samples, and what describes them.
    let starts = log.writes.prefix(5).reduce(0) { $0 + $1.bytes.count }
    // The last write is of 16 bytes, and no system tears such a one.
    let ends = log.byteCount - 16
    var counts: [Int] = []
    for part in 0...61 {
      let count = part < 61 ? starts + (ends - starts) * part / 60 : log.byteCount
      let path = try scratch.write(log.file(after: count), to: "cut.mp4")
      // Between the last two writes there are two whole indices, which ffmpeg warns of.
      let level = count == ends ? "error" : "warning"
      #expect(try complaints(path, level) == "", "cut at \(count) of \(log.byteCount)")
      let summary = try MovieReader.read(path)
      counts.append(summary.tracks.reduce(0) { $0 + $1.sampleCount })
      if count == log.byteCount { #expect(!summary.isFragmented) }
    }
    #expect(counts == counts.sorted())
    #expect(counts.last == tracks.video.count + tracks.audio.count)
    // At most two fragments' length isn't in the file yet.
    let half = try scratch.write(log.file(after: recorded), to: "half.mp4")
    #expect(try MovieReader.read(half).duration > 1.7)
  }

  /// Each fragment, with the head before the first, is a stream of its own.
  @Test func headAndFragmentsAreAddressable() async throws {
    let tracks = try await EncodedTracks()
    let log = WriteLog()
    var movie = try tracks.write(to: log)
    try movie.finish()
    let data = MovieBytes(bytes: log.file)
    let outer = data.boxes(of: MovieBox(type: "", start: 0, content: 0, end: data.bytes.count))
    let body = try #require(outer.first { $0.type == "mdat" })
    let inner = data.boxes(of: body)
    #expect(inner.prefix(3).map(\.type) == ["ftyp", "moov", "moof"])
    #expect(Set(inner.dropFirst(2).map(\.type)) == ["moof", "mdat"])
    let stream = try scratch.write(data.bytes[body.content..<body.end], to: "stream.mp4")
    #expect(try complaints(stream) == "")
    #expect(
      try MovieReader.read(stream).tracks.map(\.sampleCount)
        == [tracks.video.count, tracks.audio.count])
  }

  @Test func audioFromBeforeTheFirstFrameIsSkippedToTheSample() async throws {
    var tracks = try await EncodedTracks(bFrames: 0)
    for index in tracks.video.indices {
      tracks.video[index].known.presentation += 500_000_000
      tracks.video[index].known.decode += 500_000_000
    }
    let log = WriteLog()
    var options = [MovieTrackOptions(), MovieTrackOptions()]
    options[1].priming = 1_024
    var movie = try tracks.write(to: log, options: options)
    try movie.finish()
    let checker = try BoxChecker(try scratch.write(log.file, to: "a.mp4"))
    #expect(checker.faults == [])
    let rate = tracks.formats[1].sampleRate
    #expect(checker.tracks[0].edits.map { $0[1] } == [0])
    #expect(checker.tracks[1].edits.map { $0[1] } == [rate / 2 + 1_024])
  }

  @Test func aTrackThatBeginsLaterBeginsLater() async throws {
    var tracks = try await EncodedTracks(bFrames: 0)
    for index in tracks.audio.indices {
      tracks.audio[index].known.presentation += 700_000_000
      tracks.audio[index].known.decode += 700_000_000
    }
    for isFinished in [true, false] {
      let log = WriteLog()
      var movie = try tracks.write(to: log)
      if isFinished { try movie.finish() }
      let summary = try MovieReader.read(try scratch.write(log.file, to: "a.mp4"))
      #expect(abs(summary.tracks[1].start - 0.7) < 0.001, "finished: \(isFinished)")
    }
  }

  @Test func timesOfAHundredHoursAreExact() {
    for timescale in [24_000, 30_000, 44_100, 48_000, 90_000, 1_000_000] {
      let hours = Int64(1_000 * 3_600) * 1_000_000_000
      #expect(MovieTimeline.units(hours, timescale) == 1_000 * 3_600 * timescale)
      #expect(MovieTimeline.units(-hours, timescale) == -1_000 * 3_600 * timescale)
    }
    #expect(MovieTimeline.units(333_333_333, 90_000) == 30_000)
    #expect(MovieTimeline.scaled(.max, 1, 1_000_000) == Int.max / 4)
  }
}
