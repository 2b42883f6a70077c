import GraphKit
import Testing

extension FileTests {
  /// Movies in fragments from the beginning, of which GStreamer's demuxer says one segment again and again.
  @Suite struct FragmentedAudioTests {
    private let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    @Test(
      "audio of a fragmented movie is encoded as one stream",
      arguments: [
        ("flacEncoder", "audioSink", "in", "a.flac"), ("aacEncoder", "mp4Sink", "audio", "a.m4a"),
      ])
    func oneStream(encoder: String, sink: String, port: String, name: String) async throws {
      let (path, output) = (scratch.path("in.m4a"), scratch.path(name))
      try ffmpeg(
        "-f lavfi -i anoisesrc=d=6:r=48000:a=0.1:seed=1 -c:a aac -movflags cmaf",
        "-frag_duration 2000000", to: path)
      let run = try pipeline(
        """
        { "nodes": {
            "in": { "type": "file", "path": "\(path)" }, "e": { "type": "\(encoder)" },
            "out": { "type": "\(sink)", "path": "\(output)" } },
          "wires": ["in.audio -> e -> out.\(port)"] }
        """)
      let report = try await run.run()
      #expect(report.warnings == nil)
      #expect(try decodedSound(of: output).count == decodedSound(of: path).count)
    }
  }
}
