import GraphKit
import Nodes
import Testing

extension RunTests {
  /// Elements that GraphKit knows only by their names, between nodes that want a format.
  @Suite struct ElementNodeTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "pictures pass through an element into an encoder",
      arguments: [
        #""videoflip", "properties": { "method": "clockwise" }"#, #""videoscale""#,
        #""videobalance", "properties": { "saturation": 0.5 }"#, #""compositor""#, #""identity""#,
      ])
    func pictures(_ element: String) async throws {
      let output = scratch.path("a.mp4")
      let run = try pipeline(
        """
        { "nodes": {
            "camera": { "type": "testVideo", "width": 320, "height": 180, "seconds": 1 },
            "flip": { "type": "gst", "element": \(element) },
            "video": { "type": "h264Encoder" },
            "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["camera -> flip -> video -> movie.video"] }
        """)
      #expect(try await run.run().unbalanced == [])
      #expect(try probe(output).first?.codec_name == "h264")
      #expect(try decodeComplaints(output) == "")
    }

    @Test(
      "sound passes through an element into an encoder",
      arguments: [#""level""#, #""audioresample""#, #""volume", "properties": { "volume": 0.5 }"#])
    func sound(_ element: String) async throws {
      let output = scratch.path("a.m4a")
      let run = try pipeline(
        """
        { "nodes": {
            "tone": { "type": "testAudio", "sampleRate": 44100, "channels": 1, "seconds": 1 },
            "middle": { "type": "gst", "element": \(element) },
            "audio": { "type": "aacEncoder" },
            "movie": { "type": "mp4Sink", "path": "\(output)" } },
          "wires": ["tone -> middle -> audio -> movie.audio"] }
        """)
      #expect(try await run.run().unbalanced == [])
      let track = try #require(try probe(output).first)
      #expect(track.codec_name == "aac" && abs(track.end - 1) < 0.03)
    }

    @Test(
      "a property that the element doesn't take is found before the run",
      arguments: [
        (#""methud": 1"#, "methud"), (#""method": "sideways""#, "sideways"),
        (#""method": 99"#, "99"), (#""method": [1]"#, "method"),
      ])
    func badProperties(_ property: String, _ word: String) throws {
      let json = """
        { "nodes": {
            "camera": { "type": "testVideo" },
            "flip": { "type": "gst", "element": "videoflip", "properties": {
              "name": "f",
              \(property) } },
            "end": { "type": "nullSink" } },
          "wires": ["camera -> flip -> end"] }
        """
      do {
        _ = try plan(json)
        Issue.record("it was taken")
      } catch let errors as GraphErrors {
        let found = try #require(errors.diagnostics.first)
        #expect(errors.diagnostics.count == 1 && found.description.contains(word))
        #expect(found.place?.line == 5 && found.node == "flip")
      }
    }
  }
}
