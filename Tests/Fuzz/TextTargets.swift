import GStreamer

import GraphKitSystem
@testable import GraphKit
@testable import JSON
@testable import Media
@testable import Nodes

// Graphs, what is put into them, and what a run is asked.
extension Targets {
  /// The text of a graph, all its rules, and the plan of one that is right.
  @Sendable static func graph(_ bytes: [UInt8]) {
    attempt {
      let document = try GraphDocument(json: bytes, file: "graph.json")
      let graph = try Graph(checking: document, catalog: .builtIn, environment: Machine())
      _ = graph.document.json
      _ = try "\(Plan(graph))"
    }
  }

  /// A parameter's value in place of its name: the first line is what is set, the rest the graph.
  @Sendable static func parameters(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0a, maxSplits: 1)
    guard lines.count == 2 else { return }
    let text = String(decoding: lines[0], as: UTF8.self)
    attempt {
      let document = try GraphDocument(json: lines[1], file: "graph.json")
      let draft = GraphDraft(
        document, catalog: .builtIn, overrides: ["a": text, "b": "-0.5", "c": "true"])
      _ = try draft.check(in: Machine())
    }
  }

  /// A desk, and how many lines it has taken.
  private static let desk = Monitor<(desk: ControlDesk, lines: Int)?>(nil)

  /// Lines for a pipeline that doesn't run.
  @Sendable static func control(_ bytes: [UInt8]) {
    for line in bytes.split(separator: 0x0a, omittingEmptySubsequences: false) {
      let answer = desk.withLock { state in
        // Changes that wait are kept, and a pipeline that was cancelled takes no more.
        if state.map({ $0.lines > 500 }) ?? true { state = makeDesk().map { ($0, 0) } }
        state?.lines += 1
        return state?.desk.answer(Array(line)) ?? []
      }
      precondition((try? JSONReader.read(answer)) != nil, "an answer is JSON")
    }
  }

  private static func makeDesk() -> ControlDesk? {
    let text = """
      { "nodes": {
          "tone": { "type": "testAudio", "seconds": 1 }, "level": { "type": "gain" },
          "bands": { "type": "equalizer" }, "end": { "type": "nullSink" } },
        "wires": ["tone -> level -> bands -> end"] }
      """
    guard let document = try? GraphDocument(json: text),
      let graph = try? Graph(
        checking: document, catalog: .builtIn, environment: LiveEnvironment()),
      let plan = try? Plan(graph),
      let pipeline = try? Pipeline(plan, environment: LiveEnvironment())
    else { return nil }
    return ControlDesk(pipeline: pipeline)
  }

  /// The caps of a stream, which demuxers make of what files say.
  @Sendable static func caps(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    _ = "\(String(describing: CapsStructure.all(in: text)))"
    let format = MediaFormat(capsText: text)
    _ = "\(format)"
    if case .encoded(let encoded) = format { _ = "\(encoded.sureOfDecoding(capsText: text))" }
  }

  /// A machine on which everything is installed, and each file is what its name ends in.
  private struct Machine: Environment {
    func isInstalled(_ element: ElementSpec) -> Bool { true }
    func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
      ElementInspection(
        pads: [
          .init(name: "sink", direction: .input, presence: .always, caps: "ANY"),
          .init(name: "src", direction: .output, presence: .always, caps: "ANY"),
        ], properties: [], plugin: "any")
    }
    func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
      var video = EncodedFormat(.h264)
      (video.width, video.height, video.frameRate) = (1280, 720, Rational(30))
      return [
        DiscoveredStream(identifier: "0", format: .encoded(video), duration: nil),
        DiscoveredStream(identifier: "1", format: .encoded(EncodedFormat(.aac)), duration: nil),
      ]
    }
    func devices(_ kind: DeviceKind) -> [Device] { [Device(identifier: "0", name: "any")] }
    func outputPlace(_ path: String) -> OutputPlace { .free }
  }
}
