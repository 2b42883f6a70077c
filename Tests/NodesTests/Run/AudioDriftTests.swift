import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

extension FileTests {
  /// Live audio whose clock isn't the run's.
  @Suite struct AudioDriftTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// A movie of a live camera and a microphone that gives so many samples a second for 48,000.
    private func record(_ rate: Int, seconds: Int, to path: String) async throws -> Report {
      var catalog = Catalog.builtIn
      _ = catalog.add(NodeType(DriftingMicrophone.self))
      let graph = try Graph(
        checking: GraphDocument(
          json: """
            { "nodes": {
                "camera": { "type": "testVideo", "width": 64, "height": 48, "frameRate": 10,
                            "live": true, "seconds": \(seconds) },
                "picture": { "type": "h264Encoder" },
                "microphone": { "type": "driftingMicrophone", "rate": \(rate),
                                "seconds": \(seconds) },
                "sound": { "type": "aacEncoder" },
                "movie": { "type": "mp4Sink", "path": "\(path)" } },
              "wires": ["camera -> picture -> movie.video",
                        "microphone -> sound -> movie.audio"] }
            """), catalog: catalog, environment: LiveEnvironment())
      return try await graph.runInVirtualTime()
    }

    @Test("a clock that is fast or slow is said once", arguments: [48_480, 47_520])
    func drift(rate: Int) async throws {
      let path = scratch.path("a.mp4")
      let report = try await record(rate, seconds: 15, to: path)
      let words = try #require(report.warnings?.first?.message)
      #expect(report.warnings?.count == 1 && report.warnings?.first?.node == "microphone")
      #expect(words.contains("1.0 % \(rate > 48_000 ? "fast" : "slow")"), "\(words)")
      // By the number of its samples audio would end 0.15 s off.
      let ends = try probe(path).map(\.end)
      #expect(ends.count == 2 && abs(ends[0] - ends[1]) < 0.1, "\(ends)")
    }

    @Test("one that is right isn't") func right() async throws {
      let report = try await record(48_000, seconds: 8, to: scratch.path("a.mp4"))
      #expect(report.warnings == nil && report.state == .completed)
    }
  }
}

/// A microphone that says 48 kHz and has another rate by the clock of the run.
private struct DriftingMicrophone: ElementNode {
  var rate = 48_000
  var seconds = 1.0

  static let declaration = NodeDeclaration<DriftingMicrophone>(
    "driftingMicrophone", role: .source, help: "A microphone with a clock of its own.",
    example: "driftingMicrophone -> aacEncoder",
    parameters: [
      .integer("rate", \.rate, in: 1_000...100_000, unit: "Hz", help: "What it gives a second."),
      .number("seconds", \.seconds, in: 0...100, unit: "s", help: "How long."),
    ])

  static let ports = SourcePorts<Audio>(
    .audio([.f32], layouts: [.interleaved], sampleRates: [48_000], channels: [1]), help: "Audio.")

  var traits: NodeTraits { NodeTraits(isLive: true) }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    let caps = "audio/x-raw, format=(string)F32LE, layout=(string)interleaved, channels=(int)1"
    let blocks = Int(seconds * Double(rate) / 480)
    return [
      ElementChain(
        [
          ElementSpec(
            "audiotestsrc", plugin: "audiotestsrc",
            ["is-live": "true", "samplesperbuffer": "480", "num-buffers": "\(blocks)"]),
          ElementSpec(
            "capsfilter", plugin: "coreelements", ["caps": "\(caps), rate=(int)\(rate)"]),
          ElementSpec(
            "capssetter", plugin: "debug",
            ["caps": "audio/x-raw, rate=(int)48000", "join": "true"]),
        ], inputs: [:])
    ]
  }
}
