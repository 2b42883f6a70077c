import Foundation
import Synchronization
import TestTools
import Testing

/// Files of a server, read as those of this machine are.
@Suite(.inTurnOrAlone) struct WebFileTests {
  private let folder: Folder
  private let server: WebServer

  init() throws {
    folder = try Folder()
    server = try WebServer(folder.path)
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
  private func generateLarge(_ name: String = "large.mp4") throws {
    try Tool.generate(
      [
        "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=4,noise=alls=60:allf=t",
        "-f", "lavfi", "-i", Self.tone, "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "12M",
        "-pix_fmt", "yuv420p", "-c:a", "aac",
      ], to: name, in: folder)
  }

  /// What graphs make of files of this machine: each is asked for once, as it is generated once.
  private static let known = Mutex<[String: String]>([:])

  private func localOutcome(of graph: String, _ input: String) async throws -> String {
    let key = graph + input
    if let known = Self.known.withLock({ $0[key] }) { return known }
    let made = try await outcome(of: graph, input, "local.mp4")
    Self.known.withLock { $0[key] = made }
    return made
  }

  /// What ffmpeg reads of what a graph makes of a file: the times and checksums of all packets.
  private func outcome(of graph: String, _ input: String, _ output: String) async throws -> String {
    let made = try await run(graph, input, output)
    #expect(made.status == 0, "\(made)")
    return try await Tool.result(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", output, "-map", "0", "-c", "copy"]
        + ["-f", "framemd5", "-"],
      in: folder.url
    ).output
  }

  private func run(
    _ graph: String, _ input: String, _ output: String, command: String = "run",
    timeout seconds: Int = 60
  ) async throws -> Graphctl.Result {
    try folder.write("graph.json", graph)
    return try await Graphctl.run(
      [command, "graph.json", "--set", "input=\(input)", "--set", "output=\(output)"], in: folder,
      environment: ["GRAPHKIT_WEB_TIMEOUT": "\(seconds)"])
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
    let local = try await localOutcome(of: Self.copy, name)
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

  @Test(arguments: [WebServer.Manner.good, .moved, .busy, .cut, .cut100, .plain, .none, .chunked])
  func everyMannerBringsAllOfALargeFile(_ manner: WebServer.Manner) async throws {
    try generateLarge()
    let local = try await localOutcome(of: Self.copy, "large.mp4")
    let address = server.address(of: "large.mp4", manner)
    #expect(try await outcome(of: Self.copy, address, "web.mp4") == local)
    // Each connection of the one ends after a 20th of the file.
    let parts = server.requests(manner).filter { $0.hasPrefix("bytes=") }
    #expect(manner != .cut || parts.count > 15, "\(parts)")
  }

  @Test func userAndPasswordAreThoseOfTheAddress() async throws {
    try generate("a.mp4")
    let address = server.address(of: "a.mp4?key=mine", .locked, user: "anna:secret@")
    #expect(try await run(Self.copy, address, "web.mp4").status == 0)
    let refused = try await run(
      Self.copy, server.address(of: "a.mp4?key=mine", .locked, user: "anna:wrong@"), "no.mp4")
    #expect(refused.status == 66 && refused.messages.contains("401 Unauthorized; give user"))
    #expect(!refused.messages.contains("wrong") && !refused.messages.contains("mine"), "\(refused)")
    try folder.write(".netrc", "machine 127.0.0.1 login anna password secret")
    let byFile = try await run(Self.copy, server.address(of: "a.mp4", .locked), "by-file.mp4")
    #expect(byFile.status == 0, "\(byFile)")
  }

  /// Nothing of the file but its beginning, its index and what GStreamer's type finders look at.
  @Test func littleIsFetchedOfALargeFile() async throws {
    try generateLarge()
    let movie = try folder.data("large.mp4")
    let box: [UInt8] = [0x05, 0xf5, 0xe1, 0x00] + Array("free".utf8)
    let place = folder.url.appending(path: "huge.mp4")
    // The index follows 100 MB that are no media.
    try movie.write(to: place)
    try insert(box, filling: 100_000_000, before: "moov", in: place)
    let found = try await Graphctl.run(["info", server.address(of: "huge.mp4")], in: folder)
    #expect(found.status == 0 && found.output.contains("H.264 640x360"), "\(found)")
    let sent = server.sent(.good).reduce(0, +)
    #expect(sent < 30_000_000, "\(sent): \(server.requests(.good))")
    #expect(server.requests(.good).contains { Int($0.dropFirst(6).dropLast()) ?? 0 > 100_000_000 })
  }

  /// Those of Matroska have no index that GraphKit copies by: GStreamer's elements read them all.
  @Test func elementsWaitForBytes() async throws {
    try generateLarge("large.mkv")
    let local = try await localOutcome(of: Self.copy, "large.mkv")
    let address = server.address(of: "large.mkv", .cut)
    #expect(try await outcome(of: Self.copy, address, "web.mp4") == local)
  }

  @Test func aPartIsFetchedAlone() async throws {
    try generateLarge()
    let local = try await localOutcome(of: Self.part, "large.mp4")
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

  @Test func waveformsAreThoseOfTheFile() async throws {
    for name in ["a.mp3", "a.mp4", "a.wav"] {
      try generate(name)
      let local = try await Graphctl.run(["waveform", name, "-o", "local.json"], in: folder)
      let address = server.address(of: name, .cut100)
      let web = try await Graphctl.run(["waveform", address, "-o", "web.json"], in: folder)
      #expect(local.status == 0 && web.status == 0, "\(web)")
      #expect(try folder.data("web.json") == folder.data("local.json"))
      #expect(try folder.data("web.json").count > 100)
      for name in ["web.json", "local.json"] {
        try FileManager.default.removeItem(at: folder.url.appending(path: name))
      }
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
    (
      WebServer.Manner.good, "missing.mp4", 66,
      "the server answers 404 Not Found; check the address"
    ),
    (.forbidden, "a.mp4", 66, "the server answers 403 Forbidden"),
    (.silent, "a.mp4", 75, "the server has sent nothing for 1 s; try again later"),
    (.plaincut, "large.mp4", 75, "and the server gives no parts of files"),
    (.changed, "large.mp4", 75, "the server has another version of it since it was opened"),
    (.packed, "a.mp4", 66, "the server sends it in the encoding `gzip`"),
  ]) func whatCantBeReadIsADiagnostic(
    _ manner: WebServer.Manner, _ name: String, _ status: Int32, _ words: String
  ) async throws {
    try name == "large.mp4" ? generateLarge() : generate("a.mp4")
    let address = server.address(of: name, manner)
    let result = try await run(
      Self.copy, address + "?key=mine", "a-copy.mp4", command: "check",
      timeout: manner == .silent ? 1 : 8)
    #expect(result.status == status, "\(result)")
    #expect(result.messages.contains("graph.json:2:"), "\(result)")
    #expect(result.messages.contains("`\(address)?…` can't be read: "), "\(result)")
    #expect(result.messages.contains(words) && !result.messages.contains("mine"), "\(result)")
  }

  @Test func aServerThatIsntThereIsADiagnostic() async throws {
    for (address, status, words) in [
      ("http://127.0.0.1:1/a.mp4", 75 as Int32, "(curl 7); check the address, the network"),
      ("http://a.invalid/b", 75, "host: a.invalid (curl 6)"),
      (server.address(of: "a").replacing("http:", with: "https:"), 66, "(curl 35)"),
    ] {
      let result = try await run(Self.copy, address, "copy.mp4")
      #expect(result.status == status, "\(result)")
      #expect(result.messages.contains("`\(address)` can't be read: "), "\(result)")
      #expect(result.messages.contains(words), "\(result)")
    }
    let other = try await run(Self.copy, "ftp://host/a.mp4", "copy.mp4")
    #expect(other.messages.contains("that begins with `http://` or `https://`"), "\(other)")
  }

  /// Where a run has begun, it says what happened, and which node waited.
  @Test func aServerThatStallsEndsTheRun() async throws {
    try generateWave()
    let result = try await run(
      Self.pcm, server.address(of: "large.wav", .stuck), "copy.wav", timeout: 4)
    #expect(result.status == 75, "\(result)")
    #expect(result.messages.contains("error: source: `"), "\(result)")
    #expect(result.messages.contains("the server has sent nothing for 4 s"), "\(result)")
  }

  /// A connection that says nothing is made again before the time is over.
  @Test func aConnectionThatStallsIsMadeAgain() async throws {
    try generateWave()
    _ = try await outcome(of: Self.pcm, "large.wav", "local.wav")
    let address = server.address(of: "large.wav", .stalled)
    #expect(try await run(Self.pcm, address, "web.wav", timeout: 8).status == 0)
    #expect(server.stalls(.stalled))
    #expect(try folder.data("web.wav") == folder.data("local.wav"))
  }

  /// An end that is asked for doesn't wait for a server; this one would be waited for an hour.
  @Test(arguments: [SIGINT, SIGTERM]) func aServerThatStallsIsntWaitedForAtTheEnd(
    _ signal: Int32
  ) async throws {
    try generateWave()
    try folder.write("graph.json", Self.pcm)
    let address = server.address(of: "large.wav", .stuck)
    let running = try Graphctl.Running(
      ["run", "graph.json", "--set", "input=\(address)", "--set", "output=copy.wav"], in: folder,
      environment: ["GRAPHKIT_WEB_TIMEOUT": "3600"])
    while running.process.isRunning, !server.stalls(.stuck) { await Task.yield() }
    running.send(signal)
    #expect(try await running.result().status != 0)
  }

  @Test func aCopyThatHasNoRoomIsADiagnostic() async throws {
    try generateWave()
    try folder.write("graph.json", Self.pcm)
    let address = server.address(of: "large.wav")
    let running = try Graphctl.Running(
      ["run", "graph.json", "--set", "input=\(address)", "--set", "output=copy.wav"], in: folder,
      environment: ["TMPDIR": folder.path], through: ["prlimit", "--fsize=1000000"])
    let result = try await running.result()
    #expect(result.status == 66, "\(result)")
    #expect(
      result.messages.contains("its copy in `\(folder.path)` can't be written: File too large"),
      "\(result)")
  }

  @Test func withoutCurlThePackageIsNamed() async throws {
    try folder.write("graph.json", Self.copy)
    let result = try await Graphctl.run(
      ["check", "graph.json", "--set", "input=http://a.invalid/b", "--set", "output=c.mp4"],
      in: folder, environment: ["PATH": folder.path])
    #expect(result.status == 66, "\(result)")
    #expect(result.messages.contains("install the packages curl and util-linux"), "\(result)")
  }

  // MARK: Files

  /// PCM of 4 MB.
  private func generateWave() throws {
    try Tool.generate(
      ["-f", "lavfi", "-i", "anoisesrc=d=23:r=44100:seed=1", "-ac", "2"], to: "large.wav",
      in: folder)
  }

  /// Puts a box of zeros before another of a movie's outermost.
  private func insert(
    _ header: [UInt8], filling size: Int, before type: String, in place: URL
  ) throws {
    let data = try Data(contentsOf: place)
    let found = try #require(data.range(of: Data(type.utf8), options: .backwards)).lowerBound - 4
    try (data[..<found] + header + Data(count: size - header.count) + data[found...]).write(
      to: place)
  }

  /// Lines without the bit rates that GStreamer estimates by what it has seen so far.
  private func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.contains("-bitrate") }.map { line in
      line.last == "," ? line.dropLast() : line
    }
  }
}
