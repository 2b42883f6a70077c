import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// How far a run says that it has come.
  @Suite struct ProgressTests {
    private func told(by run: Pipeline) async throws -> [PipelineEvent.Progress] {
      let events = run.events()
      async let report = run.run()
      var told: [PipelineEvent.Progress] = []
      for await event in events {
        if case .progress(let progress) = event.kind { told.append(progress) }
      }
      _ = try await report
      return told
    }

    @Test("a run without queues is told by what its sinks get", arguments: ["a.mp4", "a.wav"])
    func links(output: String) async throws {
      let scratch = try TestFolder()
      let sound = scratch.path("a.mp3")
      try ffmpeg("-f lavfi -i sine=r=22050:d=900 -c:a libmp3lame -b:a 32k", to: sound)
      let isMovie = output == "a.mp4"
      let end = isMovie ? "e -> out.audio" : "out"
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(sound)" },
            \(isMovie ? #""e": { "type": "aacEncoder" },"# : "")
            "out": {
              "type": "\(isMovie ? "mp4Sink" : "wavSink")", "path": "\(scratch.path(output))" } },
          "wires": ["in.audio -> \(end)"] }
        """)
      let told = try await told(by: run)
      let positions = told.map(\.position)
      #expect(positions.contains { $0 > 1 && $0 < 899 }, "\(positions)")
      #expect(positions == positions.sorted() && positions.allSatisfy { $0 <= 900.1 })
      #expect(told.allSatisfy { abs(($0.duration ?? 0) - 900) < 0.1 })
    }

    @Test("sound that is only reduced is told by its own time, not by the clock's")
    func reduction() async throws {
      let scratch = try TestFolder()
      let sound = scratch.path("a.mp3")
      try ffmpeg("-f lavfi -i sine=r=22050:d=900 -c:a libmp3lame -b:a 32k", to: sound)
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(sound)" },
            "w": { "type": "waveform", "samplesPerPixel": 4096 },
            "out": { "type": "peaksSink", "path": "\(scratch.path("a.dat"))" } },
          "wires": ["in.audio -> w -> out"] }
        """)
      let told = try await told(by: run)
      // By the clock the speed would be 1 all the time.
      #expect(told.map(\.speed).max() ?? 0 > 2, "\(told)")
      #expect(
        told.allSatisfy { $0.position <= 900.1 }
          && told.map(\.position) == told.map(\.position).sorted())
    }
  }
}
