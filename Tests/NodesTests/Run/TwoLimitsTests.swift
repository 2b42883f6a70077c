import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  /// Sinks of one source with limits of their own.
  @Suite struct TwoLimitsTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "each of two movies of one picture gets as much as it asks for",
      arguments: [
        // The ways part at a node before the encoders, at an encoder, and at the source.
        ["pictures -> look", "look -> video -> a.video", "look -> video2 -> b.video"],
        ["pictures -> look -> video", "video -> a.video", "video -> b.video"],
        ["pictures -> video -> a.video", "pictures -> look -> video2 -> b.video"],
      ])
    func pictures(wires: [String]) async throws {
      for (limits, frames) in [((0.5, 1.0), [5, 10]), ((1, 0.5), [10, 5]), ((0, 0.5), [15, 5])] {
        try await run(wires, limits)
        #expect(try ["a", "b"].map(frameCount) == frames)
      }
    }

    private func frameCount(_ name: String) throws -> Int? {
      try probe(scratch.path("\(name).mp4")).first?.frames
    }

    @Test(
      "the longer of two recordings of one encoder has all of its audio",
      arguments: ["aac", "opus"])
    func sound(codec: String) async throws {
      try await run(
        ["tone -> \(codec)", "\(codec) -> a.audio", "\(codec) -> b.audio"], (0.5, 1))
      let counts = try ["a", "b"].map { try decodedSound(of: scratch.path("\($0).mp4")).count }
      // Packets can't be cut: up to one more of 1,024 samples.
      #expect((24_000...25_024).contains(counts[0]))
      #expect((48_000...49_024).contains(counts[1]))
    }

    private func run(_ wires: [String], _ limits: (Double, Double)) async throws {
      let used = Set(wires.flatMap { $0.split(separator: " ").map(String.init) })
      let nodes = [
        "pictures":
          #"{ "type": "testVideo", "width": 64, "height": 48, "frameRate": 10, "frames": 15 }"#,
        "tone": #"{ "type": "testAudio", "seconds": 1.5 }"#,
        "look": #"{ "type": "channelMask", "blue": false }"#,
        "video": #"{ "type": "h264Encoder" }"#, "video2": #"{ "type": "h264Encoder" }"#,
        "aac": #"{ "type": "aacEncoder" }"#, "opus": #"{ "type": "opusEncoder" }"#,
      ].filter { used.contains($0.key) }
      let sinks = ["a": limits.0, "b": limits.1].map { name, seconds in
        """
        "\(name)": { "type": "mp4Sink", "path": "\(scratch.path(name)).mp4", "overwrite": true,
                     "seconds": \(seconds) }
        """
      }
      let run = try pipeline(
        """
        { "nodes": { \((nodes.map { "\"\($0)\": \($1)" } + sinks).joined(separator: ",\n")) },
          "wires": [\(wires.map { "\"\($0)\"" }.joined(separator: ", "))] }
        """)
      _ = try await run.run()
    }
  }
}
