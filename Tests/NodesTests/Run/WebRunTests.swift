import GraphKit
import TestTools
import Testing

extension RunTests {
  /// Runs that read files of a web server.
  @Suite struct WebRunTests {
    let scratch: TestFolder
    let server: WebServer

    init() throws {
      scratch = try TestFolder()
      server = try WebServer(scratch.path(""))
    }

    /// PCM that GraphKit reads itself, and a file that GStreamer's elements read: 3.5 MB each.
    @Test(arguments: [("a.wav", "pcm_s16le"), ("a.mkv", "flac")])
    func aRunThatIsCancelledDoesntWaitForItsServer(
      _ name: String, _ codec: String
    ) async throws {
      try tool(
        "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=40:r=44100:seed=1", "-c:a", codec,
          "-sample_fmt", "s16",
          scratch.path(name),
        ])
      let run = try pipeline(
        """
        { "nodes": { "source": { "type": "file", "path": "\(server.address(of: name, .stuck))" },
            "sink": { "type": "nullSink" } },
          "wires": ["source.audio -> sink"] }
        """)
      run.start()
      while !server.stalls(.stuck), run.state != .failed { await Task.yield() }
      run.cancel()
      let error = await #expect(throws: RunError.self) { try await run.end() }
      #expect(error?.report.state == .cancelled && error?.report.failure == nil, "\(error as Any)")
    }
  }
}
