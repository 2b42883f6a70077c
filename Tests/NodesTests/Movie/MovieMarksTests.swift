import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers
@testable import Nodes

/// Moments that are marked while a movie is recorded, in files that were finished and in those of
/// processes that were killed.
@Suite(.inTurn) struct MovieMarksTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// Everything that ffmpeg and ffprobe say of a file without being asked; but that the latter can't
  /// decode a track of chapters, as it says of every one.
  private func complaints(_ path: String) throws -> String {
    let words = """
      ffmpeg -v warning -i '\(path)' -f null - 2>&1 || echo failed
      ffprobe -v warning -show_chapters -show_packets '\(path)' 2>&1 >'\(path).txt' || echo failed
      """
    return String(decoding: try tool("sh", ["-c", words]), as: UTF8.self)
      .split(separator: "\n").filter { !$0.contains("Unsupported codec with id 98314") }
      .joined(separator: "\n")
  }

  // MARK: The writer

  /// A kind of movie that marks are set in.
  struct Kind: CustomStringConvertible {
    var description: String
    var settings = MovieWriter.Settings()
    var hasVideo = true
    var delay: Int64 = 0

    static var all: [Kind] {
      var (quickTime, stream, late) = (Kind(description: "mov"), Kind(description: "m3u8"), late)
      (quickTime.settings.isQuickTime, quickTime.settings.brand) = (true, "qt  ")
      stream.settings.segmentDuration = 1_000_000_000
      late.delay = 500_000_000
      return [Kind(description: "mp4"), quickTime, stream, late, audio]
    }
    private static var late: Kind { Kind(description: "late video") }
    private static var audio: Kind {
      var kind = Kind(description: "m4a")
      (kind.hasVideo, kind.settings.brand) = (false, "M4A ")
      return kind
    }
  }

  /// A recording with a mark at every twentieth sample: the writes to its file, the marks with the
  /// bytes that were written before each, and the bytes after each fragment.
  private struct Recording {
    let log = WriteLog()
    var marks: [(mark: ChapterMark, before: Int)] = []
    var ends: [Int] = []
    var movie: MovieWriter
    var start: Int64

    init(_ kind: Kind) async throws {
      var tracks = try await EncodedTracks(seconds: 3)
      if !kind.hasVideo { tracks.video = [] }
      for index in tracks.video.indices {
        tracks.video[index].known.presentation += kind.delay
        tracks.video[index].known.decode += kind.delay
      }
      let times = (kind.hasVideo ? tracks.video : tracks.audio).map(\.known.presentation)
      start = try #require(times.min())
      movie = MovieWriter([.init(), .init()], settings: kind.settings, to: log)
      for track in (kind.hasVideo ? 0 : 1)...1 { movie.begin(track, tracks.formats[track]) }
      if !kind.hasVideo { try movie.end(0) }
      for (count, (track, sample)) in tracks.interleaved().enumerated() {
        let before = log.byteCount
        try movie.append(sample.known, sample.bytes.span, to: track)
        if log.byteCount > before { ends.append(log.byteCount) }
        guard count % 20 == 5 else { continue }
        let time = try #require(movie.newestTime)
        movie.mark("Größe 𝄞 \(count)", at: time)
        marks.append((.init(time: time, title: "Größe 𝄞 \(count)"), log.byteCount))
      }
    }

    /// The chapters that marks are to become that were set before a number of bytes was written.
    func chapters(before count: Int) -> [MovieChapter] {
      marks.filter { $0.before < count }.map { mark, _ in
        let start = max(0, Double(mark.time - start) / 1e6)
        return MovieChapter(start: Int(start.rounded()), title: mark.title)
      }
    }
  }

  @Test(arguments: Kind.all)
  func marksAreChaptersOfTheMovie(_ kind: Kind) async throws {
    var recording = try await Recording(kind)
    try recording.movie.finish()
    let path = try scratch.write(recording.log.file, to: "a.mp4")
    #expect(try complaints(path) == "")
    #expect(try BoxChecker(path).faults == [])
    #expect(try recording.movie.receipt.faults(of: path) == [])
    let wanted = recording.chapters(before: .max)
    #expect(wanted.count > 5)
    expect(try chapters(of: path), are: wanted)
    // And of players that know Nero's list alone.
    var bytes = recording.log.file
    while let name = bytes.firstRange(of: Array("chap".utf8)) {
      bytes.replaceSubrange(name, with: Array("free".utf8))
    }
    let index = try MovieFile(scratch.write(bytes, to: "list.mp4"), for: .reading).index()
    expect(index.listedChapters, are: wanted)
  }

  /// Wherever the process is killed, the file is read in silence, and has all that was marked before its
  /// last fragment.
  @Test(arguments: Kind.all)
  func marksSurviveAKill(_ kind: Kind) async throws {
    let recording = try await Recording(kind)
    let total = recording.log.byteCount
    for part in 2...8 {
      let count = total * part / 8
      let end = try #require(recording.ends.last { $0 <= count } ?? recording.ends.first)
      let path = try scratch.write(recording.log.file(after: max(count, end)), to: "cut.mp4")
      #expect(try complaints(path) == "", "\(part)")
      #expect(try MovieRepair.repair(path).wasFragmented)
      #expect(try complaints(path) == "", "\(part)")
      #expect(try BoxChecker(path).faults == [], "\(part)")
      let found = try chapters(of: path)
      let last = try MovieReader.read(path).duration * 1_000
      // What was marked after the last sample of the file is at its end.
      let wanted = recording.chapters(before: end).map {
        MovieChapter(start: min($0.start, Int(last) - 1), title: $0.title)
      }
      expect(found, are: wanted)
      #expect(part < 4 || wanted.count > 2, "\(part): \(wanted.count)")
    }
  }

  private func expect(
    _ found: [MovieChapter], are wanted: [MovieChapter],
    at place: SourceLocation = #_sourceLocation
  ) {
    #expect(found.map(\.title) == wanted.map(\.title), sourceLocation: place)
    #expect(
      zip(found, wanted).allSatisfy { abs($0.start - $1.start) <= 2 }, "\(found), \(wanted)",
      sourceLocation: place)
  }

  @Test func chaptersOfTheGraphAndMarksAreTogether() async throws {
    var kind = Kind(description: "both")
    kind.settings.chapters = [.init(start: 0, title: "Begin"), .init(start: 99_000, title: "Late")]
    var recording = try await Recording(kind)
    let cut = try scratch.write(recording.log.file, to: "cut.mp4")
    _ = try MovieRepair.repair(cut)
    try recording.movie.finish()
    let whole = try scratch.write(recording.log.file, to: "whole.mp4")
    let wanted = ["Begin"] + recording.marks.map(\.mark.title)
    #expect(try chapters(of: whole).map(\.title) == wanted)
    let count = recording.chapters(before: try #require(recording.ends.last)).count
    #expect(try chapters(of: cut).map(\.title) == Array(wanted.prefix(1 + count)))
  }

  /// What is no mark as the writer has them is passed over, and never traps.
  @Test func brokenMarksAreNoMarks() async throws {
    let bytes = try await Recording(Kind(description: "mp4")).log.file
    let places = bytes.indices.dropLast(40).filter {
      bytes[$0..<$0 + 4].elementsEqual("gkm1".utf8)
    }
    #expect(places.count > 2)
    var generator = SeededGenerator(state: 7)
    for _ in 0..<60 {
      var broken = bytes
      for place in places {
        broken[place + Int.random(in: 0..<40, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let path = try scratch.write(broken, to: "broken.mp4")
      guard (try? MovieRepair.repair(path)) != nil else { continue }
      _ = try chapters(of: path)
    }
  }

  @Test func aThousandMarksOfOneMoment() throws {
    let marks = (0..<1_000).map { MovieChapter(start: 500, title: "\($0)") }
    let chapters = [MovieChapter(start: 0, title: "a"), MovieChapter(start: 2_000, title: "b")]
      .joined(with: marks, before: 1_800)
    #expect(chapters.map(\.title) == ["a"] + marks.map(\.title))
    #expect(chapters.map(\.start) == [0] + Array(500..<1_500))
    let short = chapters.joined(with: marks, before: 1_000)
    #expect(short.count == 1_501 && short.last.map { $0.start < 1_000 } == true)
  }
}

/// The chapters of a file, as ffprobe reads them.
func chapters(of path: String) throws -> [MovieChapter] {
  struct Answer: Decodable {
    struct Chapter: Decodable {
      var start_time: String
      var tags: [String: String]?
    }
    var chapters: [Chapter]
  }
  let output = try tool("ffprobe", ["-v", "error", "-show_chapters", "-of", "json", path])
  return try JSONDecoder().decode(Answer.self, from: output).chapters.map {
    MovieChapter(
      start: Int(((Double($0.start_time) ?? -1) * 1_000).rounded()), title: $0.tags?["title"] ?? "")
  }
}
