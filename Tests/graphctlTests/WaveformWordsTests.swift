import Foundation
import TestTools
import Testing

/// Words of `graphctl waveform` that are read without a parser mean what ArgumentParser makes of
/// them: it reads those with `--stream 1`, which is as if it weren't there.
@Suite(.inTurn) struct WaveformWordsTests {
  private func printed(_ words: [String]) async throws -> Graphctl.Result {
    let folder = try Folder()
    return try await Graphctl.run(["waveform"] + words, in: folder)
  }

  @Test(arguments: [
    ["a.wav", "-o", "a.dat"], ["-i", "a.wav", "-o", "a.json", "-z", "64", "-b", "8", "-q"],
    ["--input-filename", "a.wav", "--output-filename", "a.csv", "--zoom", "512", "--quiet"],
    ["a.wav", "-o", "a.dat", "--pixels-per-second", "12.5", "--split-channels"],
    ["a.mp3", "-o", "a.dat", "--points", "900", "-e", "5.25", "--overwrite"],
    ["a.dat", "-o", "b.json", "-z", "1024"], ["a.wav", "-o", "a.png"], ["a.wav"],
    ["a.wav", "-o", "a.dat", "-z", "64", "-z", "128"], ["a.wav", "-o", "a.dat", "-e", "nan"],
    ["a.wav", "-o", "a.dat", "-z", "auto"], ["a.wav", "b.wav", "-o", "a.dat"],
    ["a.wav", "-o", "a.dat", "-z", "64", "--points", "9"], ["-o", "a.dat"], ["a.wav", "-o"],
    ["a.wav", "-o", "a.dat", "--points", "1e3"], ["-", "-o", "a.dat"],
  ]) func optionsMeanWhatTheParserMakesOfThem(_ words: [String]) async throws {
    let plain = try await printed(words + ["--print-graph"])
    let parsed = try await printed(words + ["--stream", "1", "--print-graph"])
    #expect(plain == parsed)
    #expect(plain.output.isEmpty == (plain.status != 0))
  }
}
