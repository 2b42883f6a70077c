import GStreamer

import System
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
    }
  }

  /// AIFF, FLAC, Ogg, Matroska, MP3, and whatever else says how long it is.
  @Sendable static func heads(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      _ = FileExtent.shortfall(of: path, try File(path))
      _ = MultiplexHead(Array(bytes.prefix(MultiplexHead.byteCount)))
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
      if let edits = MovieEdits(path) {
        for edit in edits.edits.values { use(edit) }
        use(edits.pcm, of: bytes.count)
      }
      let summary = try MovieReader.read(path)
      _ = try JSONTree(encoding: summary).jsonLine
    }
  }

  /// The head of a movie in fragments as the muxer hands it on, with what the run knows of it.
  @Sendable static func movieStart(_ bytes: [UInt8]) {
    var index = MovieBytes(bytes: bytes)
    index.repairOpusHeaders()
    index.turnTracks([.rotate90, nil, .mirror])
    let starts = [
      TrackStart(presentation: 20_000_000, decode: 0), nil,
      TrackStart(presentation: .max, decode: .min),
    ]
    _ = index.startingTracks(starts)
  }

  @Sendable static func movieFinish(_ bytes: [UInt8]) {
    withFile(bytes) { path in
      var finisher = MovieFinisher()
      var track = MovieFinisher.Track()
      (track.rotation, track.priming) = (.rotate90, 1_024)
      var copy = MovieFinisher.Track()
      copy.lead = MediaTime(value: .max / 3, timescale: 1)
      finisher.tracks = [track, copy]
      finisher.optimizesForNetworkUse = true
      (finisher.creationTime, finisher.brand) = (1_700_000_000, "mp42")
      try finisher.finish(path)
      _ = try MovieReader.read(path)
    }
    File.remove("\(Self.filePath).faststart")
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
