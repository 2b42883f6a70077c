import TestTools
import Testing

@testable import GraphKit

@Suite("Which ports a wire joins", .inTurn)
struct PortChoiceTests {
  private func wires(_ nodes: [String], _ wires: [String]) throws -> [String] {
    try CheckerNodes.graph(CheckerNodes.json(nodes: nodes, wires: wires)).wires
      .map { "\($0.from) -> \($0.to)" }
  }

  private let file = #""file": { "type": "file", "path": "movie.mp4" }"#
  private let movie = BrokenGraphTests.movie

  @Test("the input of the same kind")
  func kind() throws {
    let joined = try wires([file, movie], ["file.video -> movie", "file.audio -> movie"])
    #expect(joined == ["file.video -> movie.video", "file.audio -> movie.audio"])
  }

  @Test("the output of the same kind")
  func output() throws {
    let joined = try wires([file, movie], ["file -> movie.video", "file -> movie.audio"])
    #expect(joined == ["file.video -> movie.video", "file.audio -> movie.audio"])
  }

  @Test("the output that a decoder makes fit")
  func decoder() throws {
    let nodes = [file, BrokenGraphTests.gain, BrokenGraphTests.sink]
    #expect(
      try wires(nodes, ["file -> gain -> sink"]) == [
        "file.audio -> gain.in", "gain.out -> sink.in",
      ])
  }

  @Test("of a repeatable input the next instance that no wire names")
  func instances() throws {
    let tones = (1...3).map { "\"t\($0)\": { \"type\": \"tone\" }" }
    let joined = try wires(
      tones + [#""mixer": { "type": "mixer" }"#, BrokenGraphTests.sink],
      ["t1 -> mixer", "t2 -> mixer.in.2", "t3 -> mixer -> sink"])
    #expect(
      joined == [
        "t1.out -> mixer.in", "t2.out -> mixer.in.2", "t3.out -> mixer.in.3",
        "mixer.out -> sink.in",
      ])
  }

  @Test("a named input is kept for the wire that names it, whichever comes first")
  func named() throws {
    let joined = try wires(
      [
        #""a": { "type": "tone" }"#, #""b": { "type": "tone" }"#, #""mixer": { "type": "mixer" }"#,
        BrokenGraphTests.sink,
      ],
      ["a -> mixer -> sink", "b -> mixer.in"])
    #expect(joined == ["a.out -> mixer.in.2", "mixer.out -> sink.in", "b.out -> mixer.in"])
  }

  @Test("in the middle of a row a name is that of whichever port has it")
  func middle() throws {
    let split = #""split": { "type": "splitter" }"#
    let nodes = [BrokenGraphTests.tone, split, BrokenGraphTests.sink]
    let expected = ["tone.out -> split.in", "split.left -> sink.in"]
    #expect(try wires(nodes, ["tone -> split.left -> sink"]) == expected)
    #expect(
      try wires(
        [BrokenGraphTests.tone, BrokenGraphTests.gain, BrokenGraphTests.sink],
        ["tone -> gain.in -> sink"]) == ["tone.out -> gain.in", "gain.out -> sink.in"])
  }

  @Test("behind a node that hands on whatever comes, the kind of what came")
  func relay() throws {
    let joined = try wires(
      [file, #""relay": { "type": "relay" }"#, movie], ["file.audio -> relay -> movie"])
    #expect(joined == ["file.audio -> relay.in", "relay.out -> movie.audio"])
  }

  @Test("an output may feed several inputs")
  func fanOut() throws {
    let copy = #""copy": { "type": "soundSink", "path": "b.wav" }"#
    let joined = try wires(
      [BrokenGraphTests.tone, BrokenGraphTests.sink, copy], ["tone -> sink", "tone -> copy"])
    #expect(joined == ["tone.out -> sink.in", "tone.out -> copy.in"])
  }

  @Test("both ends open and several pairs fit: the output is to be named")
  func ambiguous() {
    let json = CheckerNodes.json(nodes: [file, movie], wires: ["file -> movie"])
    #expect(
      CheckerNodes.complaints(json) == [
        "g.json:7:6: error: several outputs of `file` fit; name one: `file.video` or `file.audio`"
      ])
  }

  @Test("the input that fits best is taken: no other is put in its place")
  func taken() {
    let json = CheckerNodes.json(
      nodes: [
        BrokenGraphTests.picture, #""video": { "type": "videoEncoder" }"#, movie,
        #""more": { "type": "videoEncoder" }"#,
      ],
      wires: ["picture -> video -> movie", "picture -> more -> movie"])
    #expect(
      CheckerNodes.complaints(json) == [
        "g.json:10:25: error: `movie.video` is already fed by `video.out`; an input takes one wire; remove one"
      ])
  }

  @Test("no input takes what comes: the node's inputs are told")
  func noFit() {
    var draft = GraphDraft(catalog: CheckerNodes.catalog)
    for (name, type) in [("tone", "tone"), ("files", "twoFilms")] {
      let type = CheckerNodes.catalog[type] ?? NodeType(TwoFilms.self)
      draft.add(name, type: type, node: type.make(), parameters: [:])
    }
    draft.connect(("tone", nil), to: ("files", nil))
    let errors = #expect(throws: GraphErrors.self) { try draft.check(in: CheckerNodes.Machine()) }
    #expect(
      errors?.description
        == "files: error: no free input of `files` takes raw audio; it has `first` and `second`")
  }
}

private struct TwoFilms: Node {
  struct Ports: PortSet {
    let first = InputPort<Video>("first", help: "A film.")
    let second = InputPort<Video>("second", help: "Another.")
  }
  static let declaration = NodeDeclaration<TwoFilms>(
    "twoFilms", role: .sink, help: "Two films.", example: "picture -> twoFilms.first")
  static let ports = Ports()
}
