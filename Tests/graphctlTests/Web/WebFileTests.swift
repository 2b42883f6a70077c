import Foundation
import TestTools
import Testing

/// Files of a server, read as those of this machine are.
@Suite(.inTurn) struct WebFileTests {
  private let folder: Folder
  private let server: WebServer

  init() async throws {
    folder = try Folder()
    server = try await WebServer(folder)
  }

  private static let picture = "testsrc2=size=160x96:rate=25:duration=2"
  private static let tone = "sine=duration=2:sample_rate=44100"

  /// A file of two seconds, with B-frames and priming where its kind has them.
  private func generate(_ name: String) throws {
    let hasVideo = !["wav", "mp3", "flac"].contains(name.split(separator: ".").last)
    let video = hasVideo ? ["-f", "lavfi", "-i", Self.picture, "-c:v", "libx264", "-bf", "2"] : []
    try Tool.generate(
      Array(video.prefix(4)) + ["-f", "lavfi", "-i", Self.tone] + video.dropFirst(4)
        + (hasVideo ? ["-pix_fmt", "yuv420p", "-c:a", "aac"] : []), to: name, in: folder)
  }

  /// A movie of 6 MB, too much to be read ahead, with its index at the end.
  private func generateLarge() throws {
    try Tool.generate(
      [
        "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=4,noise=alls=60:allf=t",
        "-f", "lavfi", "-i", Self.tone, "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "12M",
        "-pix_fmt", "yuv420p", "-c:a", "aac",
      ], to: "large.mp4", in: folder)
  }

  /// What ffmpeg decodes of what a graph makes of a file: the checksums of all frames.
  private func outcome(of graph: String, _ input: String, _ output: String) async throws -> String {
    let made = try await run(graph, input, output)
    #expect(made.status == 0, "\(made)")
    return try await Tool.result(
      "ffmpeg", ["-nostdin", "-v", "error", "-i", output, "-map", "0", "-f", "framemd5", "-"],
      in: folder.url
    ).output
  }

  private func run(
    _ graph: String, _ input: String, _ output: String, command: String = "run"
  ) async throws -> Graphctl.Result {
    try folder.write("graph.json", graph)
    return try await Graphctl.run(
      [command, "graph.json", "--set", "input=\(input)", "--set", "output=\(output)"], in: folder)
  }

  private static let copy = """
    { "parameters": { "input": null, "output": null },
      "nodes": { "source": { "type": "file", "path": "${input}" },
                 "movie":  { "type": "mp4Sink", "path": "${output}" } },
      "wires": ["source.video -> movie.video", "source.audio -> movie.audio"] }
    """
  private static let part = copy.replacing(
    #""${input}""#, with: #""${input}", "from": 3.2, "duration": 0.5"#)
  private static let samples = """
    { "parameters": { "input": null, "output": null },
      "nodes": { "source": { "type": "file", "path": "${input}" },
                 "decoder": { "type": "decoder" },
                 "file":  { "type": "wavSink", "path": "${output}" } },
      "wires": ["source.audio -> decoder -> file"] }
    """
  private static let pcm = samples.replacing("-> decoder ", with: "").replacing(
    #""decoder": { "type": "decoder" },"#, with: "")

  @Test(arguments: ["a.mp4", "a.mkv", "a.ts"]) func packetsAreThoseOfTheFile(
    _ name: String
  ) async throws {
    try generate(name)
    let local = try await outcome(of: Self.copy, name, "local.mp4")
    let web = try await outcome(of: Self.copy, server.address(of: name), "web.mp4")
    #expect(web == local)
    #expect(local.split(separator: "\n").count { $0.hasPrefix("0,") } == 50, "\(local)")
  }

  /// Priming, encoder delays and edit lists leave the same first sample.
  @Test(arguments: ["a.mp4", "a.mkv", "a.mp3", "a.flac"]) func samplesAreThoseOfTheFile(
    _ name: String
  ) async throws {
    try generate(name)
    _ = try await outcome(of: Self.samples, name, "local.wav")
    _ = try await outcome(of: Self.samples, server.address(of: name), "web.wav")
    #expect(try folder.data("web.wav") == folder.data("local.wav"))
    #expect(try folder.data("local.wav").count > 2 * 88_200 - 5_000)
  }

  @Test func audioThatIsPCMIsReadInPlace() async throws {
    try generate("a.wav")
    let web = try await outcome(of: Self.pcm, server.address(of: "a.wav"), "web.wav")
    #expect(try await outcome(of: Self.pcm, "a.wav", "local.wav") == web)
    #expect(try folder.data("web.wav") == folder.data("local.wav"))
  }

  @Test(arguments: [WebServer.Manner.good, .moved, .cut, .plain, .none])
  func everyMannerBringsAllOfALargeFile(_ manner: WebServer.Manner) async throws {
    try generateLarge()
    let local = try await outcome(of: Self.copy, "large.mp4", "local.mp4")
    let address = server.address(of: "large.mp4", manner)
    #expect(try await outcome(of: Self.copy, address, "web.mp4") == local)
    // Each connection of the one ends after a 20th of the file.
    let parts = server.requests(manner).filter { $0.hasPrefix("bytes=") }
    #expect(manner != .cut || parts.count > 15, "\(parts)")
  }

  @Test func aPartIsFetchedAlone() async throws {
    try generateLarge()
    let local = try await outcome(of: Self.part, "large.mp4", "local.mp4")
    let address = server.address(of: "large.mp4")
    #expect(try await outcome(of: Self.part, address, "web.mp4") == local)
    // The part is in the last quarter.
    let offsets = server.requests(.good).compactMap { $0.split(separator: "=").last }
      .compactMap { Int($0.dropLast()) }
    #expect(offsets.contains { $0 > 3_500_000 }, "\(offsets)")
  }

  @Test func infoSaysTheSame() async throws {
    try generate("a.mp4")
    let address = server.address(of: "a.mp4")
    let web = try await Graphctl.run(["info", address, "--format", "json"], in: folder)
    let local = try await Graphctl.run(["info", "a.mp4", "--format", "json"], in: folder)
    #expect(local.status == 0 && web.status == 0, "\(web)")
    let escaped = address.replacing("/", with: "\\/")
    let same = web.output.replacing(address, with: "a.mp4").replacing(escaped, with: "a.mp4")
    #expect(lines(same) == lines(local.output))
  }

  /// Lines without the bit rates that GStreamer estimates by what it has seen so far.
  private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.contains("-bitrate") }.map { line in
      line.last == "," ? line.dropLast() : line
    }
  }

  @Test func addressesOfFilesLeadToThem() async throws {
    try generate("a.mp4")
    try FileManager.default.moveItem(
      at: folder.url.appending(path: "a.mp4"), to: folder.url.appending(path: "a b.mp4"))
    let address = "file://\(folder.path)/a%20b.mp4"
    let found = try await Graphctl.run(["info", address], in: folder)
    #expect(found.status == 0 && found.output.contains("H.264 160x96"), "\(found)")
    #expect(try await run(Self.copy, address, "copy.mp4").status == 0)
    let own = try await run(Self.copy, address, "a b.mp4")
    #expect(own.status != 0 && own.messages.contains("a b.mp4"), "\(own)")
  }

  @Test(arguments: [
    (WebServer.Manner.good, "missing.mp4", "the server answers “Not Found”"),
    (.denied, "a.mp4", "the server answers “Forbidden”"),
    (.endless, "a.mp4", "the server doesn't say how long it is"),
    (.silent, "a.mp4", "the server has sent nothing for 8 s"),
    (.cutplain, "large.mp4", "and the server gives no parts of files"),
  ]) func whatCantBeReadIsADiagnostic(
    _ manner: WebServer.Manner, _ name: String, _ words: String
  ) async throws {
    try name == "large.mp4" ? generateLarge() : generate("a.mp4")
    let address = server.address(of: name, manner)
    let result = try await run(Self.copy, address, "a-copy.mp4", command: "check")
    #expect(result.status == 65 || result.status == 66 || result.status == 1, "\(result)")
    #expect(result.messages.contains("`\(address)` can't be read: "), "\(result)")
    #expect(result.messages.contains(words), "\(result)")
    #expect(result.messages.contains("graph.json:2:"), "\(result)")
  }

  @Test func aServerThatIsntThereIsADiagnostic() async throws {
    for address in ["http://127.0.0.1:1/a.mp4", "https://127.0.0.1:1/a.mp4", "http://a.invalid/b"] {
      let result = try await run(Self.copy, address, "copy.mp4")
      #expect(result.status != 0, "\(result)")
      #expect(
        result.messages.contains("`\(address)` can't be read: its server can't be reached"),
        "\(result)")
    }
    let other = try await run(Self.copy, "ftp://host/a.mp4", "copy.mp4")
    #expect(other.messages.contains("that begins with `http://` or `https://`"), "\(other)")
  }

  /// The run says what happened, and ends.
  @Test func aServerThatStallsEndsTheRun() async throws {
    try generateLarge()
    let address = server.address(of: "large.mp4", .stalled)
    let result = try await run(Self.copy, address, "copy.mp4")
    #expect(result.status != 0, "\(result)")
    #expect(
      result.messages.contains(
        "`\(address)` can't be read: the server has sent nothing for 8 s"), "\(result)")
  }
}
