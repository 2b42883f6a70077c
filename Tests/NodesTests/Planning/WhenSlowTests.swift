import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("What a graph gives up where it can't keep up", .inTurn)
struct WhenSlowTests {
  private static let nodes = """
    "camera": { "type": "testVideo", "live": true, "width": 64, "height": 48 },
    "other": { "type": "testVideo", "live": true, "seconds": 1 },
    "soft": { "type": "blur" }, "crisp": { "type": "sharpen", "amount": [[0, 0], [1, 1]] },
    "video": { "type": "h264Encoder" }, "end": { "type": "nullSink" },
    "rest": { "type": "nullSink" }, "preview": { "type": "preview" }
    """
  private static let wires = """
    "camera -> soft -> crisp -> video -> end", "other -> rest", "soft -> preview"
    """

  private func graph(_ steps: String?, isLive: Bool = true) throws -> Graph {
    let nodes =
      isLive ? Self.nodes : Self.nodes.replacing(#""live": true"#, with: #""live": false"#)
    let member = steps.map { "\"whenSlow\": \($0), " } ?? ""
    return try Graph(
      checking: GraphDocument(
        json: "{ \(member)\"nodes\": { \(nodes) }, \"wires\": [\(Self.wires)] }"),
      catalog: .builtIn, environment: Undeviced())
  }

  private func steps(_ written: String?, isLive: Bool = true) throws -> [String] {
    try Plan(graph(written, isLive: isLive)).steps.map(\.description)
  }

  @Test(
    "are previews, effects and the frame rate where nothing is said",
    arguments: [nil, #"["previews", "effects", "frameRate"]"#])
  func standard(written: String?) throws {
    // What has keyframes stays as it is.
    #expect(
      try steps(written) == [
        "pause preview", "set soft.passes=1", "keep 1 frame in 2 of camera, other",
      ])
  }

  @Test("are nothing where nothing is live", arguments: [nil, #"["frameRate"]"#])
  func offline(written: String?) throws {
    #expect(try steps(written, isLive: false) == [])
  }

  @Test("are the steps that the graph names, in their order")
  func own() throws {
    let written = """
      [{ "node": "camera", "keepEvery": 3 }, { "node": "soft", "set": { "radius": "2px" } },
       { "node": "preview", "pause": true }, "previews"]
      """
    #expect(
      try steps(written) == ["keep 1 frame in 3 of camera", "set soft.radius=2", "pause preview"])
    #expect(try steps("[]") == [])
  }

  @Test("come back from the document that the graph makes")
  func roundTrip() throws {
    for written in [
      nil, "[]", #"["effects", { "node": "soft", "set": { "radius": 2 } }]"#,
      #"[{ "node": "camera", "keepEvery": 8 }, { "node": "preview", "pause": true }]"#,
    ] {
      let graph = try graph(written)
      let again = try Graph(
        checking: GraphDocument(json: graph.document.json), catalog: .builtIn,
        environment: Undeviced())
      #expect(again == graph && again.whenSlow == graph.whenSlow, "\(written ?? "nil")")
      let tree = written.map { "\"whenSlow\": \($0.prefix(1))" } ?? "{"
      #expect(graph.document.json.contains(tree))
    }
  }

  @Test("are the same from a program")
  func builder() throws {
    var builder = GraphBuilder(catalog: .builtIn)
    let camera = builder.add("camera", TestVideo()) { $0.live = true }
    let soft = builder.add("soft", Blur())
    let end = builder.add("end", NullSink())
    builder.connect(camera.output, to: soft.input)
    builder.connect(soft.output, to: end.input)
    builder.whenSlow([.set(soft, ["passes": 2]), .keepEvery(2, of: camera)])
    let plan = try Plan(builder.build(in: Undeviced()))
    #expect(plan.steps.map(\.description) == ["set soft.passes=2", "keep 1 frame in 2 of camera"])
    builder.whenSlow([.keepEvery(9, of: camera), .pause(end)])
    #expect(throws: GraphErrors.self) { try builder.build(in: Undeviced()) }
  }

  @Test(
    "are refused with their place where they can't be done",
    arguments: [
      (#"["prevews"]"#, "the step is `prevews`; write `\"previews\"`"),
      ("[3]", "the step is 3; write "),
      (#"[{ "node": "soft" }]"#, "the step is an object without a node and what is done there; "),
      (
        #"[{ "node": "preview", "pause": true, "keepEvery": 2 }]"#,
        "the step is an object with `pause` and `keepEvery`; write one entry for each of them"
      ),
      (#"[{ "node": "soft", "set": {} }]"#, "the step is `set` without a parameter; write the"),
      (#"[{ "node": "sof", "pause": true }]"#, "there is no node `sof`; did you mean `soft`?"),
      (#"[{ "node": "soft", "pause": true }]"#, "`soft` is no preview, so it can't pause"),
      (#"[{ "node": "camera", "keepEvery": 9 }]"#, "the step is `keepEvery` with 9; write "),
      (#"[{ "node": "soft", "keepEvery": 2 }]"#, "`soft` is no live source of raw video"),
      (#"[{ "node": "soft", "drop": 2 }]"#, "`drop`"),
      (
        #"[{ "node": "video", "set": { "preset": "ultrafast" } }]"#,
        "`preset` can't change while the graph runs; h264Encoder has no live parameter"
      ),
      (#"[{ "node": "soft", "set": { "radios": 2 } }]"#, "blur has no parameter `radios`; did you"),
      (#"[{ "node": "soft", "set": { "radius": "a" } }]"#, "`radius` is"),
      (#"[{ "node": "soft", "set": { "radius": 200 } }]"#, "`radius` is 200 px; it goes from 0 to"),
      (#"[{ "node": "crisp", "set": { "amount": 0 } }]"#, "`amount` has keyframes"),
      (#"[{ "node": "soft", "set": { "radius": [[0, 1]] } }]"#, "`radius` would have keyframes"),
    ])
  func refused(steps: String, message: String) throws {
    let errors = try #require(throws: GraphErrors.self) { _ = try graph(steps) }
    #expect(errors.diagnostics.count == 1)
    let found = try #require(errors.diagnostics.first)
    #expect(found.description.contains("error: \(message)") || message == "`drop`", "\(errors)")
    #expect(found.description.contains(message), "\(errors)")
    // All of it is in the first line, after the key.
    let place = try #require(found.place)
    #expect(place.line == 1 && (14...60).contains(place.column), "\(errors)")
  }

  @Test("leave what the graph is for")
  func lastSink() throws {
    let json = """
      { "whenSlow": [{ "node": "preview", "pause": true }],
        "nodes": { "camera": { "type": "testVideo", "live": true }, "preview": { "type": "preview" } },
        "wires": ["camera -> preview"] }
      """
    let errors = try #require(throws: GraphErrors.self) {
      _ = try Graph(
        checking: GraphDocument(json: json), catalog: .builtIn, environment: Undeviced())
    }
    #expect(errors.description.contains("`preview` is what the graph is for"), "\(errors)")
    let own = try GraphDocument(json: json.replacing(/"whenSlow".*\n/, with: ""))
    let graph = try Graph(checking: own, catalog: .builtIn, environment: Undeviced())
    #expect(try Plan(graph).steps.map(\.description) == ["keep 1 frame in 2 of camera"])
  }

  @Test("take values of the graph's parameters")
  func parameters() throws {
    let json = """
      { "parameters": { "least": 2, "share": null, "on": null },
        "whenSlow": [{ "node": "soft", "set": { "passes": "${least}" } },
                     { "node": "camera", "keepEvery": "${share}" },
                     { "node": "preview", "pause": "${on}" }],
        "nodes": { "camera": { "type": "testVideo", "live": true }, "soft": { "type": "blur" },
                   "end": { "type": "nullSink" }, "preview": { "type": "preview" } },
        "wires": ["camera -> soft -> end", "soft -> preview"] }
      """
    let graph = try Graph(
      checking: GraphDocument(json: json), catalog: .builtIn, environment: Undeviced(),
      set: ["least": "1", "share": "4", "on": "true"])
    #expect(
      try Plan(graph).steps.map(\.description) == [
        "set soft.passes=1", "keep 1 frame in 4 of camera", "pause preview",
      ])
  }

  @Test("have no effect in a graph that is a node of another, which is said")
  func within() throws {
    let folder = try TestFolder()
    let part = """
      { "whenSlow": ["frameRate"], "inputs": { "video": "soft" }, "outputs": { "video": "soft" },
        "nodes": { "soft": { "type": "blur" } }, "wires": [] }
      """
    try Data(part.utf8).write(to: URL(filePath: folder.path("part.json")))
    let json = """
      { "whenSlow": [{ "node": "look/soft", "set": { "radius": 1 } }],
        "nodes": { "camera": { "type": "testVideo", "live": true }, "end": { "type": "nullSink" },
                   "look": { "type": "graph", "path": "\(folder.path("part.json"))" } },
        "wires": ["camera -> look -> end"] }
      """
    let graph = try Graph(
      checking: GraphDocument(json: json), catalog: .builtIn, environment: Undeviced())
    #expect(try Plan(graph).steps.map(\.description) == ["set look/soft.radius=1"])
    let warnings = graph.warnings.map(\.description)
    #expect(warnings.count == 1 && warnings[0].contains("`whenSlow` has no effect"), "\(warnings)")
    let outer = json.replacing("look/soft", with: "look")
    let errors = try #require(throws: GraphErrors.self) {
      _ = try Graph(
        checking: GraphDocument(json: outer), catalog: .builtIn, environment: Undeviced())
    }
    #expect(
      errors.description.contains("`look` is a graph of several nodes; name one: `look/soft`"),
      "\(errors)")
  }

  /// Half the frames take an encoder twice as long until it has looked ahead.
  @Test("make room for the delay of fewer frames")
  func delay() throws {
    let audioWire = { (steps: String) throws -> Double in
      let json = """
        { "whenSlow": \(steps),
          "nodes": { "camera": { "type": "testVideo", "live": true, "frameRate": 30 },
                     "tone": { "type": "testAudio", "live": true },
                     "video": { "type": "h264Encoder", "lookahead": 60, "threads": 1, "bFrames": 0 },
                     "audio": { "type": "aacEncoder" },
                     "movie": { "type": "mp4Sink", "path": "a.mp4" } },
          "wires": ["camera -> video -> movie.video", "tone -> audio -> movie.audio"] }
        """
      let graph = try Graph(
        checking: GraphDocument(json: json), catalog: .builtIn, environment: Undeviced())
      let wire = try Plan(graph).wires.first { $0.to == PortReference("movie", "audio") }
      guard case .queue(let policy)? = wire?.lowering else { return .nan }
      return policy.time.seconds
    }
    let (whole, half) = (try audioWire("[]"), try audioWire(#"["frameRate"]"#))
    #expect(abs(half - whole - 2) < 0.001, "\(whole), \(half)")
  }
}
