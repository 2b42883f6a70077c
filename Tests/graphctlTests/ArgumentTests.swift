import Foundation
import TestTools
import Testing

/// Values of options that nothing can be made of are told, and never taken for others.
@Suite(.inTurn) struct ArgumentTests {
  @Test(arguments: [
    ["-s", "nan"], ["-s", "inf"], ["-e", "inf"], ["-e", "nan"], ["--pixels-per-second", "inf"],
  ]) func isNoNumberOfSeconds(words: [String]) async throws {
    let result = try await Graphctl.run(
      ["waveform", "a.wav", "-o", "a.dat"] + words, in: try Folder())
    #expect(result.status == 64, "\(result)")
    #expect(result.messages.contains("takes a number, and not \(words[1])"), "\(result)")
  }

  @Test(arguments: ["nan", "inf"]) func isNoFactor(word: String) async throws {
    let folder = try Folder()
    try folder.write(
      "a.json",
      #"{ "version": 2, "channels": 1, "sample_rate": 8000, "#
        + #""samples_per_pixel": 8, "bits": 8, "length": 1, "data": [-1, 1] }"#)
    let result = try await Graphctl.run(
      ["waveform", "a.json", "-o", "a.png", "--amplitude-scale", word], in: folder)
    #expect(
      result.status == 65 && result.messages.contains("`\(word)` is no amplitudeScale"), "\(result)"
    )
  }

  @Test(arguments: ["--report", "--trace"]) func isNoFile(option: String) async throws {
    let folder = try Folder()
    try folder.write("g.json", WaveformFileTests.pointsGraph("\"path\": \"a.csv\""))
    let result = try await Graphctl.run(["run", "g.json", option, "-"], in: folder)
    #expect(result.status == 64, "\(result)")
    #expect(result.messages.hasPrefix("graphctl: error: \(option) takes a file"), "\(result)")
    #expect(!folder.has("-") && !folder.has("a.csv"))
  }

  @Test func aTimeoutMayBeEndless() async throws {
    let folder = try Folder()
    try folder.write("g.json", WaveformFileTests.pointsGraph("\"path\": \"a.csv\""))
    let result = try await Graphctl.run(
      ["run", "g.json", "--quiet", "--stall-timeout", "1e300"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""), "\(result)")
  }

  /// A file that is found only under its own bytes is neither missed nor written by another name.
  @Test(arguments: ["check \"$name\"", "waveform a.wav -o \"$name\""])
  func aNameThatIsNotUTF8(words: String) async throws {
    let folder = try Folder()
    let script = "name=$(printf 'a\\377b.dat'); \"$0\" \(words) 2> said; echo $? > status"
    try await Tool.run("sh", ["-c", script, Graphctl.executable.path], in: folder.url)
    #expect(folder.text("status") == "64\n")
    #expect(
      folder.text("said") == "graphctl: error: `a\u{FFFD}b.dat` isn't UTF-8; rename the file, or "
        + "make a link to it whose name is\n")
  }
}
