import TestTools
import Testing

/// Words that are nearly right.
@Suite(.inTurn) struct CommandSuggestionTests {
  @Test(arguments: [
    (["rnu", "a.json"], 64, "graphctl: error: there is no command `rnu`; did you mean `run`?\n"),
    (["x"], 64, "graphctl: error: there is no command `x`; `graphctl --help` lists them\n"),
    (
      ["nodes", "cam"], 69,
      "graphctl: error: there is no node type `cam`; did you mean `camera`?\n"
    ),
  ])
  func whatWasMeantIsSaid(_ words: [String], _ status: Int32, _ message: String) async throws {
    let result = try await Graphctl.run(words, in: try Folder())
    #expect(result == Graphctl.Result(status: status, output: "", messages: message))
  }

  @Test func commandsThatThereAreStillWork() async throws {
    let folder = try Folder()
    for words in [["help"], ["--version"], ["help", "run"], ["nodes"], ["info", "--help"]] {
      #expect(try await Graphctl.run(words, in: folder).status == 0, "\(words)")
    }
  }

  @Test func completionKnowsTheNodeTypes() async throws {
    let folder = try Folder()
    let script = try await Graphctl.run(["--generate-completion-script", "bash"], in: folder)
    #expect(script.output.contains("nodes"))
    // What the script asks the program for at the word after `nodes`.
    let asked = try await Graphctl.run(
      ["---completion", "nodes", "--", "positional@0", "2", "0", "graphctl", "nodes", ""],
      in: folder)
    #expect(asked.output.split(separator: "\n").contains("camera"), "\(asked)")
  }
}
