import GraphKit
import Nodes
import TestTools
import Testing

/// A decoder decodes what it is wired to.
@Suite(.inTurn) struct WiredMediumTests {
  private func decoderKinds(_ file: String, _ port: String) throws -> [MediaKind] {
    var builder = GraphBuilder(catalog: .builtIn)
    let source = builder.add("source", FileSource()) { $0.path = file }
    let decoder = builder.add("decoder", Decoder())
    let sink = builder.add("sink", NullSink())
    builder.connect(source.port(port, as: AnyMedia.self), to: decoder.input)
    builder.connect(decoder.output, to: sink.input)
    let graph = try builder.build(in: LiveEnvironment())
    return graph["decoder"]?.ports.map(\.format.kind) ?? []
  }

  @Test func itTakesWhatItIsWiredTo() throws {
    let folder = try TestFolder()
    let file = folder.path("a.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=d=0.2:s=64x48 -f lavfi -i sine=d=0.2 -c:v libx264 -c:a aac", to: file)
    #expect(try decoderKinds(file, "video") == [.encodedVideo, .video])
    #expect(try decoderKinds(file, "audio") == [.encodedAudio, .audio])
  }

  @Test func aRowOfNodesTakesItFromItsFirst() throws {
    let folder = try TestFolder()
    let file = folder.path("a.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=d=0.2:s=64x48 -f lavfi -i sine=d=0.2 -c:v libx264 -c:a aac", to: file)
    for (port, kind) in [("video", MediaKind.video), ("audio", .audio)] {
      // Names in an order that isn't that of the wires.
      let plan = try plan(
        """
        { "nodes": { "f": { "type": "file", "path": "\(file)" }, "d": { "type": "reverse" },
                     "c": { "type": "speed", "speed": 2 }, "b": { "type": "trim" },
                     "a": { "type": "decoder" }, "n": { "type": "nullSink" } },
          "wires": ["f.\(port) -> a -> b -> c -> d -> n"] }
        """)
      #expect(
        ["b", "c", "d"].allSatisfy { plan[$0]?.ports.allSatisfy { $0.format.kind == kind } == true }
      )
    }
  }

  @Test func aGraphRunsFromTheBuilder() async throws {
    let folder = try TestFolder()
    let file = folder.path("a.mp4")
    try ffmpeg(
      "-f lavfi -i testsrc2=d=0.2:s=64x48 -f lavfi -i sine=d=0.2 -c:v libx264 -c:a aac", to: file)
    var builder = GraphBuilder(catalog: .builtIn)
    let source = builder.add("source", FileSource()) { $0.path = file }
    let decoder = builder.add("decoder", Decoder())
    let sink = builder.add("sink", NullSink())
    builder.connect(source.video, to: decoder.input)
    builder.connect(decoder.output, to: sink.input)
    let report = try await builder.run()
    #expect(report.wires.values.map(\.samplesIn).max() == 5, "\(report.wires)")
    builder.add("nothing", Decoder())
    await #expect(throws: GraphErrors.self) { try await builder.run() }
  }
}
