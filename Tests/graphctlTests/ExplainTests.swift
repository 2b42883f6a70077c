import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What `graphctl explain` says, compared whole.
@Suite(.inTurn) struct ExplainTests {
  @Test(arguments: ["record", "transcode", "podcast", "grid", "renditions"])
  func explainsAGraph(name: String) async throws {
    let graph = Graphctl.repository.appending(path: "graphs/\(name).json").path
    let result = try await Graphctl.run(["explain", graph], in: try Folder())
    #expect(result.status == 0, "\(result)")
    try expect(result.output, matches: "explain-\(name).txt")
  }

  @Test func explainsWithTheValuesThatAreSet() async throws {
    let graph = Graphctl.repository.appending(path: "graphs/softer.json").path
    let result = try await Graphctl.run(
      ["explain", graph, "--set", "decibels=-12", "--set", "output=quiet.wav"], in: try Folder())
    let expected = """
      Audio is generated (frequency 440 Hz, seconds 5 s), changed in level by -12 dB and written \
      to quiet.wav.

      Parameters, which --set replaces:
        output    = quiet.wav
        decibels  = -12

      """
    #expect(result == .init(status: 0, output: expected, messages: ""), "\(result)")
  }

  /// A file that is there is looked into; one that isn't is supposed, and that is said.
  @Test func supposesOnlyWhatIsNotThere() async throws {
    let folder = try Folder()
    let graph = Graphctl.repository.appending(path: "graphs/remux.json").path
    let none = try await Graphctl.run(["explain", graph, "--set", "input=none.mp4"], in: folder)
    #expect(none.status == 0 && none.output.hasPrefix("Video and audio are read from none.mp4"))
    #expect(
      none.messages == "note: `none.mp4` isn't there; taken for a movie with video and audio\n")
    try folder.write("none.mp4", "no movie")
    let broken = try await Graphctl.run(["explain", graph, "--set", "input=none.mp4"], in: folder)
    #expect(broken.status == 66 && broken.output.isEmpty, "\(broken)")
  }

  @Test func beginsWithTheDescription() async throws {
    let folder = try Folder()
    let new = try await Graphctl.run(["new", "poster", "-o", "g.json"], in: folder)
    try #require(new.status == 0)
    let result = try await Graphctl.run(["explain", "g.json"], in: folder)
    #expect(
      result.output.hasPrefix(
        "Writes the sharpest frame of a video's first seconds as a picture.\n"),
      "\(result)")
  }

  @Test("a phrase has parameters of its type alone, and closes its brackets")
  func phrases() {
    for type in Catalog.builtIn.all {
      guard let phrase = type.phrase else { continue }
      let names = phrase.matches(of: /\{(\w+)\}/).map { String($0.output.1) }
      let known = Set(type.parameters.map { $0.name })
      #expect(known.isSuperset(of: names), "\(type.name): \(phrase)")
      #expect(phrase.filter { $0 == "[" }.count == phrase.filter { $0 == "]" }.count, "\(type)")
    }
  }
}
