import Foundation
import GraphKit
import GraphTesting
import Nodes
import Testing

extension FileTests {
  /// Movies of which a part of what comes is recorded, and what came a little before.
  @Suite struct PreRollTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Runs eight seconds in virtual time: a key frame each half second, and a tick each second.
    private func run(_ path: String, _ settings: String, _ changes: [(Double, Bool)]) async throws
      -> Report
    {
      let json = """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 160, "height": 96, "live": true,
                        "seconds": 8 },
            "microphone": { "type": "testAudio", "live": true, "seconds": 8, "wave": "ticks",
                            "channels": 1 },
            "video": { "type": "h264Encoder", "keyFrameInterval": 15 },
            "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(path)"\(settings) } },
          "wires": ["camera -> video -> movie.video", "microphone -> audio -> movie.audio"] }
        """
      let graph = try Graph(
        checking: GraphDocument(json: json), catalog: .builtIn, environment: LiveEnvironment())
      var configuration = Pipeline.Configuration()
      configuration.clock = .virtual
      let pipeline = try Pipeline(
        Plan(graph), environment: LiveEnvironment(), configuration: configuration)
      for (time, isRecording) in changes {
        try pipeline.set(
          "movie.recording", .bool(isRecording),
          at: MediaTime(seconds: time, preferredTimescale: 1_000))
      }
      let report = try await pipeline.run()
      #expect(report.unbalanced == [])
      #expect(report.warnings == nil)
      return report
    }

    /// When ticks begin, in seconds to the hundredth: they end with each second.
    private func ticks(_ path: String) throws -> [Double] {
      // Silence is where the file has no samples.
      let words = [
        "-v", "error", "-i", path, "-map", "0:a", "-af",
        "aresample=async=1:min_hard_comp=0.01:first_pts=0",
      ]
      let format = ["-f", "s16le", "-ac", "1", "-ar", "48000", "-"]
      let samples: [Int16] = integers(Array(try tool("ffmpeg", words + format)))
      var times: [Double] = []
      for (index, sample) in samples.enumerated() where abs(Int(sample)) > 8_000 {
        let time = Double(index) / 48_000
        if time - (times.last ?? -1) > 0.5 { times.append(time) }
      }
      return times.map { ($0 * 100).rounded() / 100 }
    }

    @Test func whatCameBeforeIsInTheMovie() async throws {
      let path = scratch.path("a.mp4")
      let report = try await run(path, #", "recording": false, "preRoll": 1"#, [(3, true)])
      // From the key frame at 2 s on.
      let frames = try probe(path).map(\.frames)
      #expect(frames.first == 180)
      let ticks = try ticks(path)
      #expect(ticks == (0..<6).map { Double($0) + 0.96 })
      #expect(try decodeComplaints(path) == "")
      #expect(try BoxChecker(path).faults == [])
      let dropped = report.wires.mapValues(\.dropped)
      #expect(dropped["video.out -> movie.video"] == ["notRecorded": 60], "\(dropped)")
    }

    @Test func aMovieGoesOnWhereItsRecordingEnded() async throws {
      let path = scratch.path("a.mp4")
      _ = try await run(path, #", "preRoll": 1"#, [(2.98, false), (5.2, true)])
      // Three seconds, and those from the key frame at 4 s on.
      let frames = try probe(path).map(\.frames)
      #expect(frames.first == 90 + 120)
      let ticks = try ticks(path)
      #expect(ticks == (0..<7).map { Double($0) + 0.96 })
      #expect(try decodeComplaints(path) == "")
    }

    @Test func eachRecordingIsAPart() async throws {
      _ = try await run(
        scratch.path("part-{number}.mp4"), #", "recording": false, "preRoll": 0.5"#,
        [(2, true), (3.98, false), (6, true)])
      for (number, frames) in [(1, 75), (2, 75)] {
        let path = scratch.path("part-0000\(number).mp4")
        #expect(try probe(path).map(\.frames).first == frames, "\(number)")
        #expect(try decodeComplaints(path) == "")
        #expect(try BoxChecker(path).faults == [])
      }
    }

    @Test func withoutPreRollItBeginsWithTheKeyFrameBefore() async throws {
      let path = scratch.path("a.mp4")
      _ = try await run(path, #", "recording": false"#, [(3.2, true)])
      let frames = try probe(path).map(\.frames)
      #expect(frames.first == 150)
      let ticks = try ticks(path)
      #expect(ticks == (0..<5).map { Double($0) + 0.96 })
    }

    @Test func whereNothingIsRecordedThereIsNoFile() async throws {
      let path = scratch.path("a.mp4")
      let report = try await run(path, #", "recording": false, "preRoll": 1"#, [])
      #expect(!FileManager.default.fileExists(atPath: path))
      #expect(report.outputs == [])
      #expect(report.wires["video.out -> movie.video"]?.dropped == ["notRecorded": 240])
    }
  }
}
