import Foundation
import GraphKit
import Testing

extension RunTests {
  /// Two runs that were both told that nothing is in their way.
  @Suite struct ClaimTests {
    @Test func theSecondRunToMakeAFileIsRefused() async throws {
      let scratch = try TestFolder()
      let path = scratch.path("a.wav")
      let graph = """
        { "nodes": { "tone": { "type": "testAudio", "seconds": 1 },
            "out": { "type": "wavSink", "path": "\(path)" } },
          "wires": ["tone -> out"] }
        """
      let (first, second) = (try pipeline(graph), try pipeline(graph))
      #expect(try await first.run().state == .completed)
      let error = await #expect(throws: RunError.self) { try await second.run() }
      #expect(error?.report.failure?.node == "out")
      #expect(error?.report.failure?.message == "`\(path)` is there already")
      #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 > 90_000)
    }
  }
}
