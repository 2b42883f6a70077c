import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  @Suite struct VirtualRecordingTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func record(_ path: String) async throws -> Report {
      let json = """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 160, "height": 96, "live": true,
                        "seconds": 20 },
            "microphone": { "type": "testAudio", "live": true, "seconds": 20 },
            "look": { "type": "channelMask", "red": false },
            "video": { "type": "h264Encoder" },
            "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["camera -> look -> video -> movie.video", "microphone -> audio -> movie.audio"] }
        """
      let graph = try Graph(
        checking: GraphDocument(json: json), catalog: .builtIn, environment: LiveEnvironment())
      return try await graph.runInVirtualTime()
    }

    @Test func liveRecordingDropsNothingAndRepeats() async throws {
      var counts: [[String: Int]] = []
      for number in 0..<2 {
        let path = scratch.path("\(number).mp4")
        let report = try await record(path)
        try expectNothingDropped(report)
        #expect(report.wallSeconds < 20)
        #expect(try probe(path).map(\.frames) == [600, 939])
        #expect(try decodeComplaints(path) == "")
        counts.append(report.wires.mapValues(\.samplesOut))
      }
      #expect(counts[0] == counts[1])
    }
  }
}
