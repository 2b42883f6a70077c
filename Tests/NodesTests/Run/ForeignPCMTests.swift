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
        ("pcm_u8", "w64", "u8"), ("pcm_s24le", "w64", "s24le"), ("pcm_f32le", "w64", "f32le"),
        ("pcm_f64le", "w64", "f64le"), ("pcm_s16le", "caf", "s16le"),
        ("pcm_s24le", "caf", "s24le"), ("pcm_f32le", "caf", "f32le"),
        ("pcm_s16be", "caf", "s16le"), ("pcm_s24be", "caf", "s24le"),
        ("pcm_s32be", "caf", "s32le"), ("pcm_alaw", "caf", "s16le"),
        ("pcm_mulaw", "caf", "s16le"),
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

    @Test("a part of it begins and ends where it is asked to", arguments: ["w64", "caf"])
    func parts(ending: String) async throws {
      let (source, wave) = (scratch.path("a.\(ending)"), scratch.path("a.wav"))
      try ffmpeg("-f lavfi -i anoisesrc=r=8000:d=2:a=0.3:seed=1 -c:a pcm_s16le", to: source)
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)", "from": 0.25, "to": 1.5 },
            "out": { "type": "wavSink", "path": "\(wave)" } },
          "wires": ["in.audio -> out"] }
        """
      ).run()
      #expect(report.warnings == nil)
      let whole = try bytes(of: source, as: "s16le")
      #expect(try bytes(of: wave, as: "s16le") == whole[4_000..<24_000])
    }

    @Test("a file that was cut off is read as far as it goes", arguments: ["w64", "caf"])
    func cutOff(ending: String) async throws {
      let (source, wave) = (scratch.path("a.\(ending)"), scratch.path("a.wav"))
      try ffmpeg("-f lavfi -i anoisesrc=r=8000:d=2:a=0.3:seed=1 -c:a pcm_s16le", to: source)
      let whole = try Data(contentsOf: URL(fileURLWithPath: source))
      try whole.dropLast(1_001).write(to: URL(fileURLWithPath: source))
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(source)" },
            "out": { "type": "wavSink", "path": "\(wave)" } },
          "wires": ["in.audio -> out"] }
        """
      ).run()
      #expect(report.warnings?.count == 1)
      #expect(report.warnings?.first?.message.contains("was cut off: its last 1001 of") == true)
      #expect(try bytes(of: wave, as: "s16le").count == 32_000 - 1_002)
    }

    @Test("what else Core Audio files hold is refused in words")
    func packets() throws {
      let source = scratch.path("a.caf")
      try ffmpeg("-f lavfi -i sine=d=0.5 -c:a alac", to: source)
      let error = #expect(throws: (any Error).self) {
        try pipeline(
          """
          { "nodes": { "in": { "type": "file", "path": "\(source)" }, "out": { "type": "nullSink" } },
            "wires": ["in.audio -> out"] }
          """)
      }
      #expect("\(try #require(error))".contains("is CAF with `alac`, which no plug-in"))
    }

    private func bytes(of path: String, as samples: String) throws -> Data {
      try tool("ffmpeg", ["-v", "error", "-nostdin", "-i", path, "-f", samples, "-"])
    }
  }
}
