import GraphKit
import GraphTesting
import Nodes
import Testing

extension RunTests {
  @Suite("A frame that two branches share") struct SharedFrameTests {
    /// What two branches of a graph get of the same frames: one through an effect, and one as
    /// they are.
    private func branches(_ effect: String) async throws -> [(changed: [UInt8], plain: [UInt8])] {
      let run = try pipeline(
        """
        { "nodes": {
            "count": { "type": "counterFrames", "frames": 6, "width": 641, "height": 359 },
            "look": \(effect),
            "changed": { "type": "appOutput" }, "plain": { "type": "appOutput" } },
          "wires": ["count -> look -> changed", "count -> plain"] }
        """, catalog: .builtIn.withTesting())
      let (changed, plain) = (try run.output("changed"), try run.output("plain"))
      run.start()
      async let one = Self.pictures(changed)
      async let other = Self.pictures(plain)
      let frames = await Array(zip(one, other))
      _ = try await run.end()
      return frames.map { (changed: $0, plain: $1) }
    }

    private static func pictures(_ output: SampleOutput) async -> [[UInt8]] {
      var pictures: [[UInt8]] = []
      while let sample = await output.next() { pictures.append(pictureBytes(sample)) }
      return pictures
    }

    @Test(
      "is not changed by the effect in one of them",
      arguments: [
        #"{ "type": "sepia" }"#, #"{ "type": "levels", "gamma": 0.7, "outputBlack": 0.2 }"#,
        #"{ "type": "vignette" }"#,
      ])
    func fork(_ effect: String) async throws {
      let untouched = try await branches(#"{ "type": "pass" }"#)
      let frames = try await branches(effect)
      #expect(untouched.count == 6)
      #expect(frames.map(\.plain) == untouched.map(\.plain))
      // The first frame is black, which some effects leave as it is.
      #expect(zip(frames, untouched).dropFirst().allSatisfy { $0.changed != $1.plain })
    }
  }
}
