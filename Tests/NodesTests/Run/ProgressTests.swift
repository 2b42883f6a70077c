import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// How far a run says that it has come.
  @Suite struct ProgressTests {
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
      let events = run.events()
      async let report = run.run()
      var told: [PipelineEvent.Progress] = []
      for await event in events {
        if case .progress(let progress) = event.kind { told.append(progress) }
      }
      _ = try await report
      // By the clock the speed would be 1 all the time.
      #expect(told.map(\.speed).max() ?? 0 > 2, "\(told)")
      #expect(
        told.allSatisfy { $0.position <= 900.1 }
          && told.map(\.position) == told.map(\.position).sorted())
    }
  }
}
