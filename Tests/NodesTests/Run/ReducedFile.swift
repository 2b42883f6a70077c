import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// A graph that reduces a stream of a file, on so many cores.
struct ReducedFile {
  var input: String
  /// The `waveform` node's settings, as JSON with a comma in front.
  var settings = ""
  var port = "audio"
  var cores = 1
  /// Whether its packets are decoded as a whole by one decoder, which is not how the engine does it.
  var isWhole = false

  /// The points' lows and highs, channel by channel.
  func points(in scratch: TestFolder) async throws -> [Int16] {
    let output = scratch.path("\(UUID().uuidString).dat")
    let report = try await pipeline(to: output).run()
    #expect(report.unbalanced == [])
    let data = try Data(contentsOf: URL(fileURLWithPath: output))
    return integers(Array(data.dropFirst(24)))
  }

  func pipeline(to output: String) throws -> Pipeline {
    try Pipeline(plan(to: output), environment: LiveEnvironment())
  }

  func plan(to output: String) throws -> Plan {
    let graph = try Graph(
      checking: GraphDocument(
        json: """
          { "nodes": {
              "in": { "type": "file", "path": "\(input)" },
              "waveform": { "type": "waveform", "channels": "split"\(settings) },
              "points": { "type": "peaksSink", "path": "\(output)", "datVersion": 2 } },
            "wires": ["in.\(port) -> waveform -> points"] }
          """), catalog: .builtIn, environment: LiveEnvironment())
    let passes = Plan.standardPasses.filter { !isWhole || !($0 is SplitReducers) }
    return try Plan(graph, passes: passes, cores: cores)
  }

  /// The samples themselves: points of one sample each.
  func samples(in scratch: TestFolder) async throws -> [Int16] {
    var file = self
    file.settings = ", \"samplesPerPixel\": 1"
    return PCM.everySecond(of: try await file.points(in: scratch))
  }
}

/// How two decodes of a file differ.
struct Difference: CustomStringConvertible {
  var most: Int
  /// The part of the values that differ by more than 2.
  var part: Double
  var description: String { "differs by up to \(most), by more than 2 in \(part * 100) %" }

  init(_ one: [Int16], _ other: [Int16]) {
    let difference = PCM.difference(one, other)
    most = difference.most
    part = Double(difference.count) / Double(max(1, min(one.count, other.count)))
  }
}
