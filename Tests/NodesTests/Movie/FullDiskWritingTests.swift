import Foundation
import GraphKit
import Testing

@testable import Containers

/// A disk that takes so many bytes, and of the write that would go over them what still fits.
private final class SmallDisk: MovieDestination {
  struct Full: Error {}
  private var left: Int
  private(set) var file: [UInt8] = []

  init(_ size: Int) { left = size }

  func write(_ bytes: Span<UInt8>, at offset: Int) throws {
    let count = min(left, bytes.count)
    left -= count
    let missing = offset + count - file.count
    if missing > 0 { file += [UInt8](repeating: 0, count: missing) }
    for index in 0..<count { file[offset + index] = bytes[index] }
    if count < bytes.count { throw Full() }
  }
}

/// Movies on disks that get full at any byte.
@Suite(.inTurn) struct FullDiskWritingTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  @Test func whatIsThereIsWholeAtWhateverByteADiskIsFull() async throws {
    let tracks = try await EncodedTracks(seconds: 1)
    let log = WriteLog()
    var movie = try tracks.write(to: log)
    try movie.finish()
    let head = log.writes[0].bytes.count
    // Steps of all kinds of writes: samples, descriptions, their headers, the last index. The last
    // write is of 16 bytes over others, which take no room.
    let starts = log.writes.prefix(5).reduce(0) { $0 + $1.bytes.count }
    let ends = log.byteCount - 16
    let sizes = Set(stride(from: head, to: ends, by: 397))
      .union(stride(from: starts - 300, to: starts, by: 7).filter { $0 > head })
      .union(stride(from: ends - 1_500, through: ends, by: 50))
    var counts: [Int] = []
    for size in sizes.sorted() {
      let disk = SmallDisk(size)
      #expect(throws: SmallDisk.Full.self) {
        var movie = try tracks.write(to: disk)
        try movie.finish()
      }
      let path = try scratch.write(disk.file, to: "full.mp4")
      let summary = try MovieReader.read(path)
      counts.append(summary.tracks.reduce(0) { $0 + $1.sampleCount })
      if size > starts, size % 10 == 0 { #expect(try complaints(path) == "", "full at \(size)") }
    }
    #expect(counts == counts.sorted())
    #expect(counts.last == tracks.video.count + tracks.audio.count)
  }

  private func complaints(_ path: String) throws -> String {
    let command = "ffmpeg -v error -i '\(path)' -f null - 2>&1 || echo failed"
    return String(decoding: try tool("sh", ["-c", command]), as: UTF8.self)
  }

  /// What the writer says that its end needs is enough, and not much more.
  @Test(arguments: [true, false]) func theEndTakesWhatTheWriterSays(isFragmented: Bool) async throws
  {
    let tracks = try await EncodedTracks(seconds: 3)
    var settings = MovieWriter.Settings()
    settings.isFragmented = isFragmented
    let log = WriteLog()
    var (counts, sizes) = ([Int](), [Int]())
    var movie = MovieWriter([.init(), .init()], settings: settings, to: log)
    for (track, format) in tracks.formats.enumerated() { movie.begin(track, format) }
    for (index, (track, sample)) in tracks.interleaved().enumerated() {
      try movie.append(sample.known, sample.bytes.span, to: track)
      guard index % 20 == 0 else { continue }
      counts.append(movie.finishByteCount)
      sizes.append(log.size)
    }
    for (index, count) in counts.enumerated() {
      // The same again, as far as it was then.
      let log = WriteLog()
      var movie = MovieWriter([.init(), .init()], settings: settings, to: log)
      for (track, format) in tracks.formats.enumerated() { movie.begin(track, format) }
      for (track, sample) in tracks.interleaved().prefix(20 * index + 1) {
        try movie.append(sample.known, sample.bytes.span, to: track)
      }
      try movie.finish()
      #expect(log.size - sizes[index] <= count, "after \(20 * index)")
      #expect(count < log.size - sizes[index] + 40_000, "after \(20 * index)")
    }
  }
}
