import Foundation
@testable import GraphKit
import GraphKitSystem
import Testing

@testable import Containers
@testable import Nodes

extension FileTests {
  /// Movies that are copied by the index of their file, in pieces.
  @Suite struct PieceCopyTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let video = "-f lavfi -i testsrc2=s=160x120:r=25:d=12"
    private static let audio = "-f lavfi -i sine=r=48000:d=12"

    private func copy(
      _ input: String, _ ports: [String] = ["video", "audio"], to name: String = "out.mp4",
      _ options: String = ""
    ) async throws -> Report {
      let wires = ports.map { "\"in.\($0) -> movie.\($0)\"" }.joined(separator: ", ")
      return try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(input)" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path(name))"\(options) } },
          "wires": [\(wires)] }
        """
      ).run()
    }

    /// Times, sizes and checksums of the packets of a movie's streams, by the letters of their kinds.
    /// Through parsers, a key frame of H.264 would have its headers once more.
    private func packets(_ path: String, _ kinds: String = "va") throws -> [[Substring]] {
      try kinds.map { kind in
        let words = [
          "-v", "error", "-select_streams", "\(kind):0", "-show_data_hash", "md5", "-show_entries",
          "packet=pts_time,dts_time,duration_time,size,flags,data_hash", "-of", "csv=p=0",
        ]
        return String(decoding: try tool("ffprobe", words + [path]), as: UTF8.self)
          .split(separator: "\n")
      }
    }

    @Test(arguments: [
      ("libx264 -bf 2", "in.mp4", "out.mp4"), ("libx264 -bf 0", "in.mov", "out.mov"),
      ("libx265 -x265-params log-level=0 -tag:v hvc1", "in.mp4", "out.mp4"),
    ])
    func packetsAreThoseOfTheFile(_ codec: String, _ source: String, _ name: String) async throws {
      let path = scratch.path(source)
      try ffmpeg(
        Self.video, Self.audio, "-c:v \(codec) -preset ultrafast -pix_fmt yuv420p -c:a aac",
        to: path)
      let report = try await copy(path, to: name)
      #expect(report.failure == nil && (report.warnings ?? []).isEmpty)
      #expect(try packets(scratch.path(name)) == packets(path))
      let checker = try BoxChecker(scratch.path(name))
      #expect(checker.faults == [] && checker.outermost == ["ftyp", "free", "mdat", "moov"])
      let ledger = try #require(report.wires["in.video -> movie.video"])
      #expect(ledger.samplesIn == 300 && ledger.samplesOut == 300 && ledger.isBalanced)
    }

    /// The index is written where there is room for it, so that no second file is needed: its name is
    /// taken.
    @Test(arguments: ["", ", \"crashSafe\": false"], ["out.mp4", "out.mov"])
    func theIndexIsWrittenInFront(_ options: String, _ name: String) async throws {
      let path = scratch.path("in.mp4")
      try ffmpeg(
        Self.video, Self.audio, "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac",
        to: path)
      try FileManager.default.createDirectory(
        atPath: scratch.path(name + ".faststart"), withIntermediateDirectories: false)
      let report = try await copy(path, to: name, ", \"optimizeForNetworkUse\": true" + options)
      #expect(report.failure == nil && (report.warnings ?? []).isEmpty)
      #expect(try packets(scratch.path(name)) == packets(path))
      let checker = try BoxChecker(scratch.path(name))
      #expect(checker.faults == [])
      #expect(checker.outermost == ["ftyp", "moov", "free", "free", "mdat"])
      #expect(try MovieReader.read(scratch.path(name)).isOptimizedForNetworkUse)
      let size = try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))).count
      let whole = try Data(contentsOf: URL(fileURLWithPath: path)).count
      #expect(size < whole + 24_000, "\(size) and \(whole)")
    }

    /// Marks make the index larger than it was known to get: then it is moved, as that of a recording.
    @Test func anIndexThatOutgrowsItsRoomGoesAfterTheSamples() async throws {
      let source = try await WrittenTracks(in: scratch)
      for title in ["short", String(repeating: "long ", count: 200)] {
        let log = WriteLog()
        var movie = try source.copied(to: log)
        for count in 0..<20 { movie.mark(title, at: Int64(count) * 50_000_000) }
        try movie.finish()
        let path = try scratch.write(log.file, to: "out.mp4")
        #expect(try BoxChecker(path).faults == [])
        #expect(try movie.receipt.faults(of: path) == [])
        let fits = title == "short"
        #expect(try MovieReader.read(path).isOptimizedForNetworkUse == fits)
        try MovieFile.moveIndexToFront(of: path)
        #expect(try MovieReader.read(path).isOptimizedForNetworkUse)
        #expect(try BoxChecker(path).faults == [])
        #expect(try movie.receipt.faults(of: path) == [])
      }
    }

    /// Whatever the byte at which the process of such a copy is killed, what it has written is a movie,
    /// and can be repaired.
    @Test func aCopyWithItsIndexInFrontThatIsCutOffIsReadInSilence() async throws {
      let source = try await WrittenTracks(in: scratch)
      let log = WriteLog()
      var movie = try source.copied(to: log)
      try movie.finish()
      var kinds: Set<Bool> = []
      let last = log.writes.suffix(4).reduce(0) { $0 + $1.bytes.count }
      let steps = (1...12).map { log.byteCount * $0 / 12 }
      let ends = (0...12).map { log.byteCount - last * $0 / 12 }
      for count in steps + ends + (1...8).map({ log.byteCount - $0 }) {
        let cut = try scratch.write(log.file(after: count), to: "cut.mp4")
        guard let summary = try? MovieReader.read(cut),
          summary.tracks.contains(where: { $0.sampleCount > 0 })
        else { continue }
        kinds.insert(summary.isFragmented)
        let text = try tool("sh", ["-c", "ffmpeg -v warning -i '\(cut)' -c copy -f null - 2>&1"])
        #expect(String(decoding: text, as: UTF8.self) == "", "cut at \(count) of \(log.byteCount)")
        let counts = summary.tracks.map(\.sampleCount)
        _ = try MovieRepair.repair(cut)
        #expect(try MovieReader.read(cut).tracks.map(\.sampleCount) == counts)
        #expect(try BoxChecker(cut).faults == [])
      }
      #expect(kinds == [true, false])
    }

    /// The track between the two is in the file, and not in the copy.
    @Test func whatIsBetweenTheSamplesIsLeftOut() async throws {
      let path = scratch.path("in.mp4")
      try ffmpeg(
        Self.video, Self.audio, Self.audio, "-map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast",
        "-pix_fmt yuv420p -c:a aac -b:a:1 320k", to: path)
      _ = try await copy(path)
      #expect(try packets(scratch.path("out.mp4")) == packets(path))
      let size = try Data(contentsOf: URL(fileURLWithPath: scratch.path("out.mp4"))).count
      let whole = try Data(contentsOf: URL(fileURLWithPath: path)).count
      #expect(size < whole * 4 / 5)
    }

    @Test(arguments: ["", ", \"crashSafe\": false", ", \"optimizeForNetworkUse\": true"])
    func audioAloneIsCopied(_ options: String) async throws {
      let path = scratch.path("in.m4a")
      try ffmpeg(Self.audio, "-c:a aac", to: path)
      _ = try await copy(path, ["audio"], to: "out.m4a", options)
      #expect(try packets(scratch.path("out.m4a"), "a") == packets(path, "a"))
      #expect(try BoxChecker(scratch.path("out.m4a")).faults == [])
    }

    /// The reader holds the first samples of one stream until the other has begun, and not for long.
    @Test func aTrackThatBeginsLateIsCopied() async throws {
      let (frames, path) = (scratch.path("frames.mp4"), scratch.path("in.mp4"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=3 -c:v libx264 -preset ultrafast -bf 0",
        "-pix_fmt yuv420p", to: frames)
      try ffmpeg("-itsoffset 9 -i \(frames)", Self.audio, "-c:v copy -c:a aac", to: path)
      let report = try await copy(path)
      #expect(report.failure == nil)
      let (copied, there) = (try packets(scratch.path("out.mp4")), try packets(path))
      #expect(copied.map(\.count) == there.map(\.count) && copied[0].count == 75)
      #expect(copied[1] == there[1])
    }

    /// A movie that has all of one track before the other is copied with the two together.
    @Test func tracksThatAreFarApartAreBroughtTogether() async throws {
      let tracks = try await EncodedTracks(seconds: 8)
      var settings = MovieWriter.Settings()
      settings.isFragmented = false
      let log = WriteLog()
      var movie = MovieWriter([.init(), .init()], settings: settings, to: log)
      for (track, format) in tracks.formats.enumerated() { movie.begin(track, format) }
      for (track, samples) in [tracks.video, tracks.audio].enumerated() {
        for sample in samples { try movie.append(sample.known, sample.bytes.span, to: track) }
      }
      try movie.finish()
      let path = try scratch.write(log.file, to: "in.mp4")
      let samples = try #require(MovieSamples(path, tracks: [1, 2]))
      var rest = samples
      var (ends, apart) = ([Int64(0), 0], Int64(0))
      while let sample = rest.next(byteCount: 1, duration: 1, count: 1).first {
        ends[sample.stream] = sample.decode
        apart = max(apart, abs(ends[0] - ends[1]))
      }
      #expect(apart < 1_500_000_000)
      #expect(min(ends[0], ends[1]) > 7_000_000_000)
      _ = try await copy(path)
      #expect(try packets(scratch.path("out.mp4")) == packets(path))
    }

    /// What a copy has written when its process is killed is a movie, whatever the byte.
    @Test func aCopyThatIsCutOffIsReadInSilence() async throws {
      let tracks = try await EncodedTracks(seconds: 12)
      let recording = WriteLog()
      var recorded = try tracks.write(to: recording)
      try recorded.finish()
      let path = try scratch.write(recording.file, to: "in.mp4")
      let source = try File(path)
      var samples = try #require(MovieSamples(path, tracks: [1, 2]))
      let log = WriteLog()
      var movie = MovieWriter([.init(), .init()], settings: .init(), to: log)
      for (track, format) in tracks.formats.enumerated() { movie.begin(track, format) }
      while true {
        let piece = samples.next(byteCount: 1 << 20, duration: 1_000_000_000, count: 4_096)
        if piece.isEmpty { break }
        try movie.copy(piece, of: source)
      }
      try movie.finish()
      var counts: [Int] = []
      for part in 1...30 {
        let count = log.byteCount * part / 30
        let cut = try scratch.write(log.file(after: count), to: "cut.mp4")
        guard let summary = try? MovieReader.read(cut),
          summary.tracks.contains(where: { $0.sampleCount > 0 })
        else { continue }
        let text = try tool("sh", ["-c", "ffmpeg -v warning -i '\(cut)' -c copy -f null - 2>&1"])
        #expect(String(decoding: text, as: UTF8.self) == "", "cut at \(count) of \(log.byteCount)")
        counts.append(summary.tracks.reduce(0) { $0 + $1.sampleCount })
      }
      #expect(counts == counts.sorted() && counts.last ?? 0 > 800 && Set(counts).count > 8)
    }

    /// A file that gets shorter while it is copied is an error that names it.
    @Test func aFileThatIsCutOffWhileItIsCopiedIsNamed() throws {
      let path = try scratch.write([UInt8](repeating: 1, count: 100), to: "in.mp4")
      let file = try InputFile(path)
      var movie = MovieWriter([.init()], settings: .init(), to: WriteLog())
      movie.begin(0, MovieTrackFormat(.mp3))
      let sample = FileSample(
        stream: 0, offset: 50, byteCount: 100, presentation: 0, decode: 0, duration: 1, isSync: true
      )
      let far = FileSample(
        stream: 0, offset: 500, byteCount: 100, presentation: 1, decode: 1, duration: 1,
        isSync: true)
      let failure = #expect(throws: File.Failure.self) {
        try movie.copy([sample, far], of: file.file)
      }
      let error = try file.error(#require(failure))
      #expect(error.message == "`\(path)` was cut off by another program while it was read")
    }
  }
}

/// A movie of video and audio, and copies of it without a run.
private struct WrittenTracks {
  private let path: String
  private let formats: [MovieTrackFormat]

  init(in folder: TestFolder) async throws {
    let tracks = try await EncodedTracks(seconds: 6)
    let log = WriteLog()
    var movie = try tracks.write(to: log)
    try movie.finish()
    (path, formats) = (try folder.write(log.file, to: "source.mp4"), tracks.formats)
  }

  /// The pieces of the movie, of a second each.
  private func pieces() throws -> () -> [FileSample] {
    var samples = try #require(MovieSamples(path, tracks: [1, 2]))
    return { samples.next(byteCount: 1 << 20, duration: 1_000_000_000, count: 4_096) }
  }

  /// A movie with all samples copied and its index to go in front, before its finish.
  func copied(to file: any MovieDestination) throws -> MovieWriter {
    let source = try File(path)
    var settings = MovieWriter.Settings()
    settings.isIndexFirst = true
    var movie = MovieWriter([.init(), .init()], settings: settings, to: file)
    for (track, format) in formats.enumerated() { movie.begin(track, format) }
    let known = try pieces()
    try movie.reserveIndex {
      let piece = known()
      return piece.isEmpty ? nil : (piece, source)
    }
    let next = try pieces()
    var piece = next()
    while !piece.isEmpty {
      try movie.copy(piece, of: source)
      piece = next()
    }
    return movie
  }
}
