import Foundation
import GraphKit
import TestTools
import Testing

/// The graph of stickers, particles and text, whose movie is decoded and looked at.
@Suite(.inTurn) struct StickersGraphTests {
  @Test func itsMovieShowsThem() async throws {
    let folder = try Folder()
    let graphs = GraphFileTests.graphs
    let result = try await Graphctl.run(
      [
        "run", graphs.appending(path: "stickers.json").path, "--set", "seconds=1.2", "--set",
        "frameRate=5", "--set",
        "assets=\(graphs.appending(path: "assets").path)",
      ], in: folder)
    #expect(result.status == 0, "\(result)")
    let movie = try MovieReader.read("\(folder.path)/stickers.mp4")
    #expect(movie.tracks.map(\.sampleCount) == [6], "\(movie)")
    let early = try await Still(of: "stickers.mp4", width: 1280, at: 0, in: folder)
    let late = try await Still(of: "stickers.mp4", width: 1280, at: 1, in: folder)

    // The star is yellow, and comes after half a second.
    let star = (1010..<1100, 120..<190)
    let isYellow = { (red: Int, green: Int, blue: Int) in
      red > 200 && green > 150 && blue < 150
    }
    #expect(early.count(star.0, star.1, isYellow) == 0)
    #expect(late.count(star.0, star.1, isYellow) > 1500)
    // The title is white with a dark outline, and stays.
    for still in [early, late] {
      #expect(still.count(340..<940, 310..<410) { min($0, $1, $2) > 240 } > 3000)
      #expect(still.count(340..<940, 310..<410) { max($0, $1) < 70 && $2 < 90 } > 2000)
      // The logo's plate.
      #expect(still.count(24..<120, 24..<120) { $0 < 70 && $1 < 90 && $2 < 110 } > 3000)
    }
    // The clock's figures change in their box.
    let clock = (1040..<1255, 640..<700)
    let changed = zip(early.bytes, late.bytes).enumerated().count { index, pair in
      let (column, row) = (index / 3 % 1280, index / 3 / 1280)
      return clock.0.contains(column) && clock.1.contains(row)
        && abs(Int(pair.0) - Int(pair.1)) > 90
    }
    #expect(changed > 100)
    // Particles have come up from the bottom: colours that are no gray.
    let isColored = { (red: Int, green: Int, blue: Int) in
      max(red, green, blue) - min(red, green, blue) > 60
    }
    #expect(late.count(400..<880, 500..<700, isColored) > 500)
    #expect(early.count(400..<880, 420..<600, isColored) == 0)
  }
}
