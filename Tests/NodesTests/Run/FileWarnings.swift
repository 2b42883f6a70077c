import GraphKit
import Testing

/// What a run warns of that writes the sound of a file into a WAV file, or copies it into a movie.
func fileWarnings(
  of path: String, in scratch: TestFolder, to name: String = "out.wav", _ settings: String = ""
) async throws -> [RunWarning] {
  let sink = name.hasSuffix(".wav") ? "wavSink" : "mp4Sink"
  let run = try pipeline(
    """
    { "nodes": { "in": { "type": "file", "path": "\(path)" },
        "wave": { "type": "\(sink)", "path": "\(scratch.path(name))", "overwrite": true\(settings) } },
      "wires": ["in.audio -> wave"] }
    """)
  let events = run.events()
  let report = try await run.run()
  var heard: [RunWarning] = []
  for await event in events {
    if case .warning(let node, let message) = event.kind {
      heard.append(RunWarning(node: node, message: message))
    }
  }
  #expect(heard == report.warnings ?? [])
  return heard
}
