import Foundation
import TestTools
import Testing

/// The short form of graphs that make waveforms.
@Suite(.serialized, .inTurn) struct WaveformCommandTests {
  private func folderWithSound() async throws -> Folder {
    let folder = try Folder()
    let softer = GraphFileTests.graphs.appending(path: "softer.json").path
    let made = try await Graphctl.run(
      ["run", softer, "--set", "output=tone.wav", "--quiet"], in: folder)
    try #require(made.status == 0, "\(made)")
    return folder
  }

  @Test func printsTheGraphThatItRuns() async throws {
    let folder = try await folderWithSound()
    let options = ["waveform", "tone.wav", "-z", "64", "-b", "8", "--split-channels"]
    let printed = try await Graphctl.run(options + ["-o", "a.json", "--print-graph"], in: folder)
    #expect(
      printed.output == """
        {
          "nodes": {
            "input": { "type": "file", "path": "tone.wav" },
            "waveform": { "type": "waveform", "samplesPerPixel": 64, "channels": "split" },
            "output": { "type": "peaksSink", "path": "a.json", "format": "json", "bits": 8 }
          },
          "wires": ["input.audio -> waveform -> output"]
        }

        """)
    try folder.write("graph.json", printed.output)
    #expect(try await Graphctl.run(["run", "graph.json", "--quiet"], in: folder).status == 0)
    let short = try await Graphctl.run(options + ["-o", "b.json", "-q"], in: folder)
    #expect(short == .init(status: 0, output: "", messages: ""))
    #expect(try folder.data("a.json") == folder.data("b.json"))
  }

  @Test func writesToStandardOutput() async throws {
    let folder = try await folderWithSound()
    let result = try await Graphctl.run(
      ["waveform", "tone.wav", "-o", "-", "--output-format", "csv", "--points", "7", "-q"],
      in: folder)
    #expect(result.status == 0 && result.messages.isEmpty)
    #expect(result.output.split(separator: "\n").count == 7)
  }

  @Test func drawsSoundAndWaveformsAlike() async throws {
    let folder = try await folderWithSound()
    let fine = ["waveform", "tone.wav", "-o", "fine.dat", "-z", "50", "-q"]
    #expect(try await Graphctl.run(fine, in: folder).status == 0)
    for (input, output) in [("tone.wav", "a.svg"), ("fine.dat", "b.svg")] {
      let result = try await Graphctl.run(
        ["waveform", input, "-o", output, "-w", "300", "-h", "100", "--pixels-per-second", "40"]
          + ["--no-axis-labels", "--waveform-color", "ff8000", "-q"], in: folder)
      #expect(result == .init(status: 0, output: "", messages: ""))
    }
    let svg = folder.text("a.svg")
    #expect(svg.contains("width=\"300\"") && svg.contains("ff8000"))
    #expect(svg == folder.text("b.svg"))
  }

  @Test(arguments: [
    (["tone.wav"], "give the file to write"),
    (["-o", "a.json"], "give the file with the audio"),
    (["tone.wav", "-o", "a.txt"], "`a.txt` doesn't say what to write"),
    (["tone.wav", "-o", "a.json", "-z", "9", "--points", "9"], "give one of --zoom"),
    (["tone.wav", "-o", "a.json", "-w", "9"], "`width` is for pictures"),
    (["tone.wav", "-o", "a.png", "-b", "8"], "--bits and --dat-version are for data"),
    (["tone.wav", "-i", "other.wav", "-o", "a.png"], "the input is given twice"),
  ])
  func saysWhatIsWrongWithTheCommandLine(words: [String], message: String) async throws {
    let result = try await Graphctl.run(["waveform"] + words, in: Folder())
    #expect(result.status == 64)
    #expect(result.messages.contains(message), "\(result.messages)")
  }

  @Test func keepsAFileThatIsThere() async throws {
    let folder = try await folderWithSound()
    try folder.write("a.json", "old")
    let kept = try await Graphctl.run(["waveform", "tone.wav", "-o", "a.json", "-q"], in: folder)
    #expect(kept.status == 73)
    #expect(folder.text("a.json") == "old")
    let replaced = try await Graphctl.run(
      ["waveform", "tone.wav", "-o", "a.json", "-q", "--overwrite"], in: folder)
    #expect(replaced.status == 0)
    #expect(folder.text("a.json").hasPrefix("{\"version\":2,"))
  }
}
