import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Floating-point samples that are no audio: far beyond full scale, or no numbers.
  @Suite struct LoudSampleTests {
    static let amplitudes: [Float] = [1e6, 1e8, 1e30, .infinity, .nan]

    @Test("encoding to AAC comes to its end, whatever the samples are", arguments: amplitudes)
    func encodes(amplitude: Float) async throws {
      let run = try pipeline(
        """
        { "nodes": {
            "in": { "type": "appInput", "sampleRate": 8000, "channels": 1 },
            "encode": { "type": "aacEncoder", "bitRate": 16000 },
            "out": { "type": "appOutput" } },
          "wires": ["in -> encode -> out"] }
        """)
      let (input, output) = (try run.input("in"), try run.output("out"))
      run.start()
      var state: UInt32 = 7
      for number in 0..<8 {
        var sample = SampleBuffer(byteCount: 1024 * 4, format: input.format)
        sample.presentationTime = MediaTime(frames: number * 1024, at: 8_000)
        sample.withMutableElements(as: Float.self) { span in
          for index in span.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            span[index] = amplitude * (state >> 31 == 0 ? 1 : -1)
          }
        }
        try await input.append(sample)
      }
      input.markAsFinished()
      var packets = 0
      while let _ = await output.next() { packets += 1 }
      #expect(packets >= 8)
      #expect(try await run.end().unbalanced == [])
    }
  }
}
