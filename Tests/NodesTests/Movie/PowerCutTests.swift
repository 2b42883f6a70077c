import Foundation
import GraphKit
import Testing

@testable import Containers

/// What a power cut leaves of a movie: all that was flushed, and of what was written since then any
/// part, in any order.
@Suite(.inTurn) struct PowerCutTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func complaints(_ path: String) throws -> String {
    let command = "ffmpeg -v error -i '\(path)' -f null - 2>&1 || echo failed"
    return String(decoding: try tool("sh", ["-c", command]), as: UTF8.self)
  }

  /// A recording, whose disk is flushed now and then while others write, and its finish.
  private func recording(_ tracks: EncodedTracks) throws -> (log: WriteLog, recorded: Int) {
    var settings = MovieWriter.Settings()
    settings.fragmentDuration = 100_000_000
    let log = WriteLog(flushEvery: 20, taking: 7)
    var movie = try tracks.write(to: log, settings)
    let recorded = log.writes.count
    try movie.finish()
    return (log, recorded)
  }

  @Test(arguments: [512, 4096])
  func whatWasFlushedIsThereAndNothingBrokenIs(sector: Int) async throws {
    let tracks = try await EncodedTracks()
    let (log, recorded) = try recording(tracks)
    let first = try #require(log.flushes.first?.end)
    var generator = SeededGenerator(state: UInt64(sector))
    var losses = 0
    for count in first...log.writes.count {
      let bytes = log.file(powerCutAfter: count, sector: sector, using: &generator)
      let path = try scratch.write(bytes, to: "cut.mp4")
      // Of a movie whose last step was taken, nothing is in fragments.
      let flushed = log.durableWrites(after: count)
      let durable = try sampleCounts(log.file(afterWrites: flushed), to: "durable.mp4")
      let before = try MovieReader.read(path).tracks.map(\.sampleCount)
      #expect(zip(before, durable).allSatisfy { $0 >= $1 }, "\(count): \(before), \(durable)")
      let found = try MovieRepair.repair(path)
      let checker = try BoxChecker(path)
      #expect(checker.faults == [], "\(count)")
      for (index, samples) in [tracks.video, tracks.audio].enumerated() {
        let kept = checker.tracks[index].extents
        #expect(kept.count >= durable[index], "\(count): track \(index)")
        let now = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(
          kept.map { Array(now[$0]) } == samples.prefix(kept.count).map(\.bytes), "\(count)")
      }
      if found.lostBytes > 0 { losses += 1 }
      if count % 10 == 0 || count > recorded { #expect(try complaints(path) == "", "\(count)") }
    }
    // The test is one of damage.
    #expect(losses > 20)
  }

  /// A run that can be done again isn't flushed, and computes no checksums.
  @Test(arguments: [0, 20])
  func onlyWhatIsFlushedHasSeals(period: Int) async throws {
    let log = WriteLog(flushEvery: period)
    _ = try await EncodedTracks().write(to: log)
    let seals = log.writes.map(\.bytes).count { bytes in
      bytes.indices.dropLast(3).contains { bytes[$0..<$0 + 4].elementsEqual("gks1".utf8) }
    }
    #expect(period == 0 ? seals == 0 : seals > 3, "\(seals)")
  }

  private func sampleCounts(_ bytes: [UInt8], to name: String) throws -> [Int] {
    try MovieReader.read(try scratch.write(bytes, to: name)).tracks.map(\.sampleCount)
  }

  @Test func theIndexIsOnTheDiskBeforeTheMovieNeedsIt() async throws {
    let (log, _) = try recording(try await EncodedTracks())
    let last = try #require(log.writes.last)
    #expect(last.bytes.count == 16 && last.offset / 512 == (last.offset + 15) / 512)
    #expect(log.flushes.suffix(2).map(\.begin) == [log.writes.count - 1, log.writes.count])
  }

  /// What was on the disk for certain isn't read again: damage there, which no power cut makes, stays.
  @Test func onlyWhatMayBeDamagedIsRead() async throws {
    let tracks = try await EncodedTracks()
    let (log, recorded) = try recording(tracks)
    var bytes = log.file(afterWrites: recorded)
    let head = try #require(log.writes.first).bytes.count
    let flushed = try #require(log.flushes.last { $0.end <= recorded - 4 }?.size)
    #expect(flushed > bytes.count / 2)
    let path = try scratch.write(bytes, to: "early.mp4")
    bytes[head + 2_000] ^= 1
    let early = try MovieRepair.repair(try scratch.write(bytes, to: "early.mp4"))
    bytes[head + 2_000] ^= 1
    bytes[bytes.count - 10] ^= 1
    let late = try MovieRepair.repair(try scratch.write(bytes, to: "late.mp4"))
    #expect(early.lostBytes == 0 && late.lostBytes > 10, "\(path)")
  }
}
