import Foundation
import GraphKit
import Testing

@testable import Containers

/// The look into the finished movie for what its writer has put into it.
@Suite(.inTurn) struct MovieReceiptTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// Changes a byte after the last of some words.
  private func changed(_ bytes: [UInt8], after word: String, at distance: Int) throws -> [UInt8] {
    let letters = Array(word.utf8)
    let place = try #require(
      (0...bytes.count - letters.count).last { bytes[$0..<$0 + letters.count] == letters[...] })
    var bytes = bytes
    bytes[place + 4 + distance] ^= 1
    return bytes
  }

  @Test func whatTheFileHasOtherwiseIsFound() async throws {
    let tracks = try await EncodedTracks()
    let log = WriteLog()
    var movie = try tracks.write(to: log)
    try movie.finish()
    let receipt = movie.receipt
    func faults(_ bytes: [UInt8]) throws -> [String] {
      try receipt.faults(of: scratch.write(bytes, to: "a.mp4"))
    }
    let whole = log.file
    #expect(try faults(whole) == [])
    // The last track's boxes: the number of samples, the media's duration, an edit, a chunk's place.
    let count = tracks.audio.count
    #expect(
      try faults(changed(whole, after: "stsz", at: 11)).contains(
        "track 2 has \(count ^ 1) of \(count) samples"))
    #expect(try faults(changed(whole, after: "mdhd", at: 19)).first?.contains("lasts") == true)
    #expect(try faults(changed(whole, after: "elst", at: 15)) == ["track 2 has another edit list"])
    #expect(
      try faults(changed(whole, after: "stco", at: 8)).contains(
        "track 2 names samples that aren't in the file"))
    #expect(try faults(changed(whole, after: "trak", at: -4)) != [])
    // A byte of each track's last sample.
    let checker = try BoxChecker(try scratch.write(whole, to: "a.mp4"))
    for (number, track) in checker.tracks.enumerated() {
      var bytes = whole
      bytes[try #require(track.extents.last).upperBound - 1] ^= 1
      #expect(try faults(bytes) == ["track \(number + 1) ends with another sample"])
    }
    // Before the last write it is another kind of movie.
    let unfinished = log.file(after: log.byteCount - 16)
    #expect(try faults(unfinished) == ["it is still in fragments"])
  }

  @Test func aMovieWhoseIndexWasMovedIsTheSame() async throws {
    let log = WriteLog()
    var movie = try await EncodedTracks().write(to: log)
    try movie.finish()
    let path = try scratch.write(log.file, to: "a.mp4")
    try MovieFile.moveIndexToFront(of: path)
    #expect(try movie.receipt.faults(of: path) == [])
  }
}
