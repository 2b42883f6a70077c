import Foundation
import GraphKit
import Testing

extension RunTests {
  /// Recordings whose file another program gets at.
  @Suite struct ForeignHandTests {
    let scratch: TestFolder
    let path: String
    init() throws {
      scratch = try TestFolder()
      path = scratch.path("a.mp4")
    }

    private func failure(after meddling: () throws -> Void) async throws -> PipelineFailure? {
      let run = try pipeline(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 160, "height": 120, "live": true },
            "video": { "type": "h264Encoder", "preset": "ultrafast" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["camera -> video -> movie.video"] }
        """)
      run.start()
      #expect(await run.reaches(1))
      try meddling()
      run.finish()
      let report = await run.report()
      #expect(report.state == .failed)
      #expect(report.failure?.node == "movie")
      return report.failure
    }

    @Test func aFileThatWasReplacedIsAFailureAndLeftAlone() async throws {
      let failure = try await failure {
        try Data("other".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      }
      #expect(failure?.message.contains("was replaced by another program") == true)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
    }

    @Test func aFileThatWasRemovedIsAFailure() async throws {
      let failure = try await failure { try FileManager.default.removeItem(atPath: path) }
      #expect(failure?.message.contains("was removed or renamed") == true)
      #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func aFileThatWasCutOffIsAFailure() async throws {
      let failure = try await failure {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        try handle.close()
      }
      #expect(failure?.message.contains("was cut off by another program") == true)
    }

    @Test("so is one that grows again after it", arguments: [UInt64(0), 20_000])
    func aRecordingThatGrowsAgain(length: UInt64) async throws {
      let wave = scratch.path("a.wav")
      let run = try pipeline(
        """
        { "nodes": { "tone": { "type": "testAudio", "live": true },
            "wave": { "type": "wavSink", "path": "\(wave)" } },
          "wires": ["tone -> wave"] }
        """)
      run.start()
      #expect(await run.reaches(1))
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: wave))
      try handle.truncate(atOffset: length)
      try handle.close()
      #expect(await run.reaches(2))
      run.finish()
      let report = await run.report()
      #expect(report.state == .failed)
      #expect(report.failure?.node == "wave")
      #expect(report.failure?.message.contains("was cut off by another program") == true)
    }

    @Test func aMovieWithoutAnyTrackIsAFailure() async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "program": { "type": "appInput", "media": "audio" }, "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["program -> audio -> movie.audio"] }
        """)
      run.start()
      try run.input("program").markAsFinished()
      let report = await run.report()
      #expect(report.state == .failed)
      #expect(report.failure?.message.contains("no sample came") == true)
    }
  }
}
