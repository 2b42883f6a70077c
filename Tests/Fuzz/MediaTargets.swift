import GStreamer

import GraphKitSystem
@testable import Containers
@testable import GraphKit
@testable import JSON
@testable import Media
@testable import Nodes

// The heads of media files, and the index of movies.
extension Targets {
  @Sendable static func wav(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      let file = try File(path)
      use(WAVHeader.locate(path, file), of: bytes.count)
      _ = WAVHeader.fault(of: path, file)
      _ = WAVHeader.statedEnd(of: file)
      if let edit = WAVHeader.edit(of: file) { use(edit) }
      use(W64Header.locate(path, file), of: bytes.count)
    }
  }

  /// AIFF, Core Audio files, FLAC, Ogg, Matroska, MP3, transport streams, and whatever else says how long it is.
  @Sendable static func heads(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      let file = try File(path)
      let start = Array(bytes.prefix(MultiplexHead.byteCount))
      _ = FileExtent.shortfall(of: path, file)
      _ = FileDamage.first(in: path, file)
      _ = MultiplexHead(start)
      let clock = TransportClock(file, start)
      _ = clock?.length(of: file)
      if let edit = clock?.reading { use(edit) }
      if let edit = AIFFAsWAV.edit(of: file) { use(edit) }
      use(CAFHeader.locate(path, file), of: bytes.count)
      if let edit = CAFHeader.edit(of: file) { use(edit) }
      if let beginning = MP3Beginning("a.mp3", file) { use(beginning.reading) }
    }
  }

  /// The tracks of Matroska files and of transport streams, and what is put right of the former.
  @Sendable static func containers(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      if let summary = try? MatroskaReader.read(path) {
        _ = try JSONTree(encoding: summary).jsonLine
      }
      _ = MatroskaChapters.read(try File(path), bytes)
      let tracks = MatroskaTracks(try File(path), bytes)
      if let reading = tracks.reading { use(reading) }
      if let summary = try? TransportReader.read(path) {
        _ = try JSONTree(encoding: summary).jsonLine
      }
      let labels = tracks.labels
      try MatroskaRepair.mend(path, preSkips: [1: 312, 2: 312], labels: labels, isDated: false)
    }
  }

  /// The header of a whole file, and its bytes as one frame that borrows bits.
  @Sendable static func mp3(_ bytes: [UInt8]) {
    withFile(bytes) { path in _ = GaplessHeader(try File(path))?.edit.map { "\($0)" } }
    var frame = bytes
    guard let found = MP3Frame(frame.span) else { return }
    var span = frame.mutableSpan
    found.silence(&span, borrowing: Int(bytes[0]) << 1)
  }

  @Sendable static func movie(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      for track in 1...2 { _ = try? MovieCut(path, track: track, range: 1_000_000_000..<(.max)) }
      if let edits = MovieEdits(path) {
        for edit in edits.edits.values { use(edit) }
        use(edits.pcm, of: bytes.count)
        if let reading = edits.reading { use(reading) }
      }
      let summary = try MovieReader.read(path)
      _ = try JSONTree(encoding: summary).jsonLine
    }
  }

  @Sendable static func movieRepair(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      _ = try MovieRepair.repair(path)
      try MovieFile.moveIndexToFront(of: path)
      _ = try MovieReader.read(path)
    }
    File.remove("\(Self.filePath).faststart")
  }

  /// Samples and marks with any times at all, in any order of tracks; finished, or cut off and repaired.
  @Sendable static func movieWriter(_ bytes: [UInt8]) {
    guard bytes.count > 2 else { return }
    var settings = MovieWriter.Settings()
    (settings.isFragmented, settings.isQuickTime) = (bytes[0] & 1 != 0, bytes[0] & 2 != 0)
    settings.timescale = bytes[0] & 4 != 0 ? Int(bytes[1]) << 20 : 0
    withFile([]) { path in
      let file = FuzzedMovie(file: try File(path, for: .changing))
      var movie = MovieWriter(
        [MovieTrackOptions(), MovieTrackOptions()], settings: settings, to: file)
      var picture = MovieTrackFormat(.h264)
      picture.frameRate = Rational(Int(bytes[1]), over: 1)
      movie.begin(0, picture)
      var sound = MovieTrackFormat(.aac)
      sound.sampleRate = Int(bytes[1]) << 8
      movie.begin(1, sound)
      var rest = bytes.dropFirst(2)
      while rest.count >= 32 {
        let numbers = (0..<4).map { field in
          rest.dropFirst(8 * field).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let track = Int(numbers[3] & 1)
        let sample = MovieSample(
          presentation: Int64(bitPattern: numbers[0]), decode: Int64(bitPattern: numbers[1]),
          duration: Int64(bitPattern: numbers[2]), isSync: numbers[3] & 2 != 0)
        let data = Array(bytes.prefix(Int(numbers[3] >> 2 & 0x1f)))
        try movie.append(sample, data.span, to: track)
        if numbers[3] & 0x80 != 0 { try movie.end(track) }
        if numbers[3] & 0x100 != 0 { movie.mark("\(numbers[0])", at: sample.decode) }
        rest = rest.dropFirst(32)
      }
      if bytes[0] & 8 == 0 { try movie.finish() } else { _ = try MovieRepair.repair(path) }
      _ = try MovieReader.read(path)
    }
  }

  /// What is said of a place where PCM is must be in the file, or its end.
  private static func use(_ location: PCMLocation?, of byteCount: Int) {
    guard let location else { return }
    precondition(location.frameCount >= 0 && location.offset >= 0)
    let end = location.offset + location.frameCount * location.format.bytesPerFrame
    precondition(location.frameCount == 0 || end <= byteCount, "PCM after the end of the file")
    _ = "\(location) \(location.duration)"
  }

  private static func use(_ edit: StreamEdit) {
    _ = "\(edit)"
    if let end = edit.end { _ = (end - edit.start) + edit.delay }
  }
}

/// A file that a movie is written to.
private struct FuzzedMovie: MovieDestination {
  let file: File

  func write(_ bytes: Span<UInt8>, at offset: Int) throws { try file.write(bytes, at: offset) }
}
