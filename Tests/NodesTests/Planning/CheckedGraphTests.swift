import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// What checking calls valid can be planned, whatever the graph.
///
/// `GRAPHKIT_CHECKED_GRAPHS=FIRST-LAST` takes the graphs of those seeds instead of the usual ones.
@Suite(.inTurn) struct CheckedGraphTests {
  private static var seeds: ClosedRange<UInt64> {
    let words = ProcessInfo.processInfo.environment["GRAPHKIT_CHECKED_GRAPHS"] ?? ""
    let ends = words.split(separator: "-").compactMap { UInt64($0) }
    return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : 1...200
  }

  @Test func whatIsValidCanBePlanned() throws {
    let world = try FakeWorld()
    let types = Catalog.builtIn.all
    var (valid, large, refused) = (0, 0, 0)
    for seed in Self.seeds {
      let json = try CatalogGraph(seed: seed, types, in: world).json
      do {
        let graph = try world.graph(json)
        valid += 1
        if graph.nodes.count >= 10 { large += 1 }
        let plan = try Plan(graph, cores: [1, 2, 8][Int(seed % 3)])
        #expect(plan.misfits(in: world.environment) == [], "seed \(seed): \(json)")
      } catch let errors as GraphErrors {
        refused += 1
        #expect(!errors.diagnostics.isEmpty)
      } catch PlanError.delayTooLong {
        // What a wire would have to hold is known only with its converters.
        continue
      } catch {
        Issue.record("seed \(seed): \(error)\n\(json)")
      }
    }
    let all = Self.seeds.count
    let counts = "\(valid) valid, \(large) of them large, and \(refused) refused"
    #expect(valid * 3 > all && large * 15 > all && refused * 8 > all || all < 100, "\(counts)")
  }

  @Test("a decoder passes raw media on, however it comes there", arguments: ["audio", "video"])
  func rawThroughADecoder(_ media: String) throws {
    let source = media == "audio" ? "testAudio" : "testVideo"
    let json = """
      { "nodes": { "raw": { "type": "\(source)" }, "hand": { "type": "pass" },
          "decode": { "type": "decoder", "media": "\(media)" },
          "again": { "type": "decoder", "media": "\(media)" }, "end": { "type": "nullSink" } },
        "wires": ["raw -> hand -> decode -> again -> end"] }
      """
    let plan = try Plan(FakeWorld().graph(json))
    #expect(plan.nodes.count == 5)
    #expect(Set(plan.wires.map(\.format)).count == 1)
  }

  @Test("a pipe's audio is taken as it comes, whatever one of its branches needs")
  func branchesOfAPipe() throws {
    let json = """
      { "nodes": { "pipe": { "type": "pipe" }, "wide": { "type": "audioConvert", "channels": 48 },
          "encode": { "type": "vorbisEncoder" }, "one": { "type": "nullSink" },
          "two": { "type": "nullSink" } },
        "wires": ["pipe -> wide -> one", "pipe -> encode -> two"] }
      """
    let world = try FakeWorld()
    let plan = try Plan(world.graph(json))
    #expect(plan.misfits(in: world.environment) == [])
    #expect(plan.wires.filter { $0.from.node == "pipe" }.allSatisfy { $0.format.channels.isEmpty })
  }

  @Test("no branch is given what can't be converted to what another one needs")
  func branchesOfAnEffect() throws {
    let json = """
      { "nodes": { "pipe": { "type": "pipe" }, "gain": { "type": "gain" },
          "encode": { "type": "opusEncoder" }, "duck": { "type": "duck", "channels": 16 },
          "one": { "type": "nullSink" } },
        "wires": ["pipe -> gain -> encode -> duck.key", "gain -> duck.in", "duck -> one"] }
      """
    let world = try FakeWorld()
    #expect(try Plan(world.graph(json)).misfits(in: world.environment) == [])
  }

  @Test("audio isn't resampled before a node that couldn't work at the new rate")
  func resampledAfterAnEqualizer() throws {
    let json = """
      { "nodes": { "tone": { "type": "testAudio", "sampleRate": 48000 },
          "eq": { "type": "equalizer", "bands": [{ "type": "notch", "frequency": 10000 }] },
          "mix": { "type": "mixAudio", "sampleRate": 16000 }, "end": { "type": "nullSink" } },
        "wires": ["tone -> eq -> mix -> end"] }
      """
    let plan = try Plan(FakeWorld().graph(json))
    #expect(plan.inputs(of: "eq").map(\.format.sampleRates) == [[48_000]])
    #expect(plan.inputs(of: "mix").map(\.format.sampleRates) == [[16_000]])
  }

  @Test(
    "what enters is known though something before it is converted or decoded",
    arguments: [
      (
        #""a": { "type": "testAudio", "sampleFormat": "f64", "channels": 1 }, "#
          + #""b": { "type": "gate" }, "c": { "type": "audioConvert", "channels": 25 }"#,
        "1 channel enters, which can't be mixed to 25"
      ),
      (
        #""a": { "type": "file", "path": "wide.wv" }, "b": { "type": "decoder" }, "#
          + #""c": { "type": "aacEncoder" }"#,
        "16 channels enter, and it takes at most 6"
      ),
      (
        #""a": { "type": "file", "path": "song.flac" }, "b": { "type": "timeShift" }, "#
          + #""c": { "type": "audioConvert", "channels": 48 }"#,
        "2 channels enter, which can't be mixed to 48"
      ),
      (
        #""a": { "type": "file", "path": "phone.mov" }, "#
          + #""b": { "type": "videoConvert", "pixelFormat": "bgra", "width": 320, "height": 8 }, "#
          + #""c": { "type": "crop", "width": 16, "height": 16 }"#,
        "16x16 is not within frames of 8x320"
      ),
    ])
  func known(_ nodes: String, _ problem: String) throws {
    let start = nodes.contains("phone.mov") ? "a.video" : "a"
    let json = """
      { "nodes": { \(nodes), "end": { "type": "nullSink" } },
        "wires": ["\(start) -> b -> c -> end"] }
      """
    let errors = #expect(throws: GraphErrors.self) { try FakeWorld().graph(json) }
    #expect(
      errors?.diagnostics.map { $0.description.contains(problem) } == [true],
      "\(errors?.description ?? "")")
  }
}

extension FakeWorld {
  fileprivate func graph(_ json: String) throws -> Graph {
    try Graph(
      checking: GraphDocument(json: json), catalog: .builtIn, environment: environment)
  }
}

extension Plan {
  /// Wires that carry what one of their ports doesn't, nodes that have something against what
  /// enters, and nodes that have no elements for what passes there.
  fileprivate func misfits(in environment: FakeEnvironment) -> [String] {
    wires.filter { !carries($0) }.map { "\($0.from) -> \($0.to): \($0.format)" }
      + nodes.compactMap(problem)
      + nodes.compactMap { lack(of: $0, in: environment) }
  }

  /// What a node says of what enters, now that the plan knows it.
  private func problem(of node: PlanNode) -> String? {
    let entering = inputs(of: node.name).map { ($0.to.port, $0.format) }
    let formats = Dictionary(entering, uniquingKeysWith: { $1 })
    return node.node.problem(formats: formats).map { "\(node.name): \($0.message)" }
  }

  private func carries(_ wire: PlanWire) -> Bool {
    let ports = [
      self[wire.from.node]?.ports.first { $0.direction == .output && $0.name == wire.from.port },
      self[wire.to.node]?.ports.first { $0.direction == .input && $0.name == wire.to.port },
    ]
    return ports.allSatisfy { port in
      port.map { (try? wire.format.intersection($0.format)) != nil } ?? false
    }
  }

  private func lack(of node: PlanNode, in environment: FakeEnvironment) -> String? {
    // Which codec a decoder gets may be up to the run.
    guard case .elements(let element) = node.node.work, node.type.role != .decoder else {
      return nil
    }
    var formats: [String: FormatConstraint] = [:]
    for wire in inputs(of: node.name) { formats[wire.to.port] = wire.format }
    for wire in outputs(of: node.name) { formats[wire.from.port] = wire.format }
    do {
      let chains = try element.elements(in: environment, formats: formats)
      return chains.isEmpty ? "\(node.name): no elements" : nil
    } catch {
      return "\(node.name): \(error.message)"
    }
  }
}
