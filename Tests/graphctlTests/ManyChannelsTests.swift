import Foundation
import TestTools
import Testing

/// GStreamer mixes no sound of more than 8 channels, and converts none of more than 63.
@Suite(.inTurn) struct ManyChannelsTests {
  private func graph(_ source: String, _ node: String) -> String {
    """
    { "nodes": { "source": { \(source) },
        "node": { \(node) },
        "wave": { "type": "wavSink", "path": "a.wav" } },
      "wires": ["source -> node -> wave"] }
    """
  }

  private func raw(_ channels: Int) -> String {
    #""type": "rawFile", "path": "r", "channels": \#(channels)"#
  }

  private func check(_ text: String) async throws -> Graphctl.Result {
    let folder = try Folder()
    try folder.write("r", String(repeating: "x", count: 4096))
    try folder.write("g.json", text)
    return try await Graphctl.run(["check", "g.json"], in: folder)
  }

  private func refusal(_ what: String, to count: Int) -> String {
    "\(what), which can't be mixed to \(count): of more than 8 nothing says which speakers they "
      + "are; give it audio of \(count) channels\n"
  }

  @Test(arguments: [
    (9, #""type": "mixAudio""#, 2), (16, #""type": "pan""#, 2),
    (2, #""type": "audioConvert", "channels": 63"#, 63),
    (32, #""type": "audioConvert", "channels": 2"#, 2),
    (2, #""type": "mixAudio", "channels": 9"#, 9),
  ])
  func whatCannotBeMixedIsFound(channels: Int, node: String, wanted: Int) async throws {
    let result = try await check(graph(raw(channels), node))
    let message = refusal("\(channels) channels enter", to: wanted)
    #expect(result == .init(status: 65, output: "", messages: "g.json:2:5: error: " + message))
  }

  @Test func noNodeHasMoreThanCanBeConverted() async throws {
    let result = try await check(graph(raw(64), #""type": "gain""#))
    #expect(result.messages == "g.json:1:70: error: `channels` is 64; it goes from 1 to 63\n")
  }

  @Test func whatIsOnlyConvertedStays() async throws {
    let folder = try Folder()
    try folder.write("r", String(repeating: "x", count: 1024 * 63))
    try folder.write("g.json", graph(raw(63), #""type": "gain", "decibels": 0"#))
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""))
    #expect(try folder.data("a.wav").count > 1024 * 63)
  }

  /// A WAV file of silence.
  private func wave(_ channels: Int, in folder: Folder) throws {
    let count = 480 * channels * 2
    var bytes = Data("RIFF".utf8)
    func add(_ number: Int, _ size: Int) {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
    add(36 + count, 4)
    bytes += Data("WAVEfmt ".utf8)
    for (number, size) in [
      (16, 4), (1, 2), (channels, 2), (48_000, 4), (96_000 * channels, 4), (2 * channels, 2),
      (16, 2),
    ] { add(number, size) }
    bytes += Data("data".utf8)
    add(count, 4)
    bytes += Data(count: count)
    try bytes.write(to: folder.url.appending(path: "in.wav"))
  }

  @Test(arguments: [
    (16, "node", "16 channels enter"), (64, "node", "64 channels enter"),
    (16, "decoder -> node", "16 channels enter"),
    // What passes there only the run shows.
    (16, "same -> node", "16 channels enter"), (64, "same -> node", "64 channels enter"),
  ])
  func filesAreRefusedAtTheNode(channels: Int, path: String, message: String) async throws {
    let folder = try Folder()
    try wave(channels, in: folder)
    let name = String(path.split(separator: " ")[0])
    let between = [
      "decoder": #""decoder": { "type": "decoder" },"#,
      "same": #""same": { "type": "gst", "element": "identity" },"#,
    ]
    try folder.write(
      "g.json",
      """
      { "nodes": { "source": { "type": "file", "path": "in.wav" },
          "node": { "type": "pan" }, \(between[name] ?? "")
          "wave": { "type": "wavSink", "path": "a.wav" } },
        "wires": ["source -> \(path) -> wave"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    #expect([65, 74].contains(result.status), "\(result)")
    let place = name == "same" ? "node: " : "g.json:2:5: error: "
    #expect(result.messages.contains(place + message), "\(result)")
  }
}
