import Foundation
import GraphKit
import Testing

extension FileTests {
  /// PCM in another byte order, as studios and QuickTime write it.
  @Suite struct ForeignPCMTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "no bit of its samples is lost",
      arguments: [
        ("pcm_s24be", "aiff", "s24le"), ("pcm_s24be", "mov", "s24le"), ("pcm_s24be", "au", "s24le"),
        ("pcm_s32be", "mov", "s32le"), ("pcm_s16be", "aiff", "s16le"),
      ])
    func keepsDepth(encoder: String, ending: String, samples: String) async throws {
      let (source, wave) = (scratch.path("a.\(ending)"), scratch.path("a.wav"))
      try ffmpeg(
        "-f lavfi -i anoisesrc=r=48000:d=0.5:a=0.3:seed=1 -ac 2 -c:a \(encoder)", to: source)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "out": { "type": "wavSink", "path": "\(wave)" } },
          "wires": ["in.audio -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      #expect(try bytes(of: wave, as: samples) == bytes(of: source, as: samples))
    }

    private func bytes(of path: String, as samples: String) throws -> Data {
      try tool("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-f", samples, "-"])
    }
  }
}
