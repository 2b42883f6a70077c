import Foundation
import GraphKit
import Nodes
import Testing

extension RunTests {
  /// Sound that is decoded in pieces has the points of sound that isn't.
  @Suite struct PieceFileTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private func points(of input: String, cores: Int) async throws -> Data {
      let output = scratch.path("\(UUID().uuidString).dat")
      let graph = try Graph(
        checking: GraphDocument(
          json: """
            { "nodes": { "in": { "type": "file", "path": "\(input)" },
                         "waveform": { "type": "waveform", "channels": "split" },
                         "points": { "type": "peaksSink", "path": "\(output)" } },
              "wires": ["in.audio -> waveform -> points"] }
            """), catalog: .builtIn, environment: LiveEnvironment())
      let pipeline = try Pipeline(Plan(graph, cores: cores), environment: LiveEnvironment())
      #expect(try await pipeline.run().unbalanced == [])
      return try Data(contentsOf: URL(fileURLWithPath: output))
    }

    @Test("frames of FLAC that lie across the border of two pieces are whole")
    func flac() async throws {
      let (wav, flac) = (scratch.path("a.wav"), scratch.path("a.flac"))
      let sound = "-f lavfi -i sine=f=100:r=8000:d=50 -ac 2"
      try ffmpeg(sound + " -c:a pcm_s16le", to: wav)
      try ffmpeg(sound + " -c:a flac", to: flac)
      let expected = try await points(of: wav, cores: 1)
      // A header, and 1,563 points of two pairs of 16-bit values.
      #expect(expected.count == 24 + 12_504)
      for cores in 1...3 { #expect(try await points(of: flac, cores: cores) == expected) }
    }
  }
}
