import Foundation
import GraphKit
import TestTools
import Testing

/// What a file can do to the process that reads it ends there: it is an error of its node, and a
/// recording in the same graph goes on.
@Suite(.inTurnOrAlone, .enabled(if: !Graphctl.isSanitized)) struct HostileFileTests {
  // MARK: The process is killed

  /// Copies a file over and over, which ends only with the process that reads it, beside a recording.
  private static let recording = """
    { "nodes": { "in": { "type": "file", "path": "a.mp4", "isolate": true, "loop": 0 },
        "video": { "type": "h264Encoder" }, "copy": { "type": "mp4Sink", "path": "copy.mp4" },
        "tone": { "type": "testAudio", "live": true, "seconds": 1.2 },
        "audio": { "type": "aacEncoder" }, "tape": { "type": "mp4Sink", "path": "tape.m4a" } },
      "wires": ["in.video -> video -> copy.video", "tone -> audio -> tape.audio"] }
    """

  private func folder() throws -> Folder {
    let folder = try Folder()
    try Tool.generate(
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1.5", "-c:v", "libx264"], to: "a.mp4",
      in: folder)
    try folder.write("g.json", Self.recording)
    return folder
  }

  /// Some moments of the run, from before the first sample on, and signals that end the process.
  @Test(arguments: [
    (#""state": "preparing""#, SIGKILL, "9 (Killed)"),
    (#""state": "running""#, SIGKILL, "9 (Killed)"),
    (#""event": "progress""#, SIGSEGV, "11 (Segmentation fault)"),
  ])
  func aRecordingGoesOn(moment: String, signal: Int32, name: String) async throws {
    let folder = try folder()
    let pipe = Pipe()
    let run = try Graphctl.Running(["run", "g.json", "--events"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: moment))
    kill(try await reader(of: run), signal)
    let warning = "the process that reads `a.mp4` was ended by signal \(name)"
    #expect(await lines.wait(for: warning))
    let result = try await run.result()
    lines.stop()
    #expect(result.status == 74 && result.messages.contains("error: in: \(warning)"), "\(result)")
    let tape = try MovieReader.read("\(folder.path)/tape.m4a")
    #expect(abs(tape.duration - 1.2) < 0.03 && !tape.isFragmented)
    let played = try await Tool.result(
      "ffmpeg", ["-v", "error", "-i", "tape.m4a", "-f", "null", "-"], in: folder.url)
    #expect(played.status == 0 && played.output.isEmpty, "\(played)")
  }

  /// A copy that goes on as a live track beside it does: what was written of it until then plays.
  @Test func aCopyEndsWithItsReader() async throws {
    let folder = try Folder()
    // More packets than are on their way at a time.
    try Tool.generate(
      ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=60", "-c:v", "libx264"], to: "a.mp4",
      in: folder)
    try folder.write(
      "g.json",
      """
      { "nodes": { "in": { "type": "file", "path": "a.mp4", "isolate": true },
          "tone": { "type": "testAudio", "live": true, "seconds": 2 },
          "audio": { "type": "aacEncoder" }, "copy": { "type": "mp4Sink", "path": "copy.mp4" } },
        "wires": ["in.video -> copy.video", "tone -> audio -> copy.audio"] }
      """)
    let pipe = Pipe()
    let run = try Graphctl.Running(["run", "g.json", "--events"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: #""event": "progress""#))
    kill(try await reader(of: run), SIGKILL)
    let warning = "the process that reads `a.mp4` was ended by signal 9 (Killed)"
    #expect(await lines.wait(for: warning))
    let result = try await run.result()
    lines.stop()
    #expect(result.status == 74 && result.messages.contains("error: in: \(warning)"), "\(result)")
    let copy = try MovieReader.read("\(folder.path)/copy.mp4")
    #expect(!copy.isFragmented && (10..<1_500).contains(copy.tracks[0].sampleCount))
    let played = try await Tool.result(
      "ffmpeg", ["-v", "error", "-i", "copy.mp4", "-f", "null", "-"], in: folder.url)
    #expect(played.status == 0 && played.output.isEmpty, "\(played)")
  }

  @Test func aProcessThatStopsIsNotWaitedForForLong() async throws {
    let folder = try folder()
    try folder.write(
      "g.json", Self.recording.replacing("\"loop\": 0", with: "\"loop\": 0, \"timeLimit\": 0.5"))
    let pipe = Pipe()
    let run = try Graphctl.Running(["run", "g.json", "--events"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"state\": \"running\""))
    kill(try await reader(of: run), SIGSTOP)
    #expect(await lines.wait(for: "brought nothing for 0.5 s and was ended"))
    let result = try await run.result()
    lines.stop()
    #expect(result.status == 74, "\(result)")
    #expect(abs(try MovieReader.read("\(folder.path)/tape.m4a").duration - 1.2) < 0.03)
  }

  @Test func itEndsWithTheProcessThatStartedIt() async throws {
    let folder = try folder()
    let pipe = Pipe()
    let run = try Graphctl.Running(["run", "g.json", "--events"], in: folder, output: pipe)
    let lines = Lines(of: pipe)
    #expect(await lines.wait(for: "\"state\": \"running\""))
    let reader = try await reader(of: run)
    run.send(SIGKILL)
    lines.stop()
    _ = try await run.result()
    try await wait { !RunningProcesses.isAlive(reader) }
  }

  // MARK: The process is taken over

  /// What files have the element of the plug-in do that reads them, and what is said of it.
  @Test(arguments: [
    ("crash", "the process that reads `a.bin` was ended by signal 11 (Segmentation fault)"),
    ("exit", "the process that reads `a.bin` ended with exit code 3"),
    ("hang", "the process that reads `a.bin` brought nothing for 2.0 s and was ended"),
    ("spin", "the process that reads `a.bin` brought nothing for 2.0 s and was ended"),
    ("memory", "the process that reads `a.bin` has used up its `memoryLimit` of 192 MiB"),
  ])
  func aFileThatTakesOverItsReader(does what: String, said: String) async throws {
    let folder = try Folder()
    let result = try await check(what, in: folder)
    let status: Int32 = what == "memory" ? 65 : 66
    #expect(result.status == status && result.messages.contains("error: \(said); "), "\(result)")
  }

  /// A server's graphs don't have to say `isolate`.
  @Test func oneVariableIsolatesAllFiles() async throws {
    let folder = try Folder()
    let result = try await check("crash", in: folder, isolate: "GRAPHKIT_ISOLATE")
    let said = "the process that reads `a.bin` was ended by signal 11 (Segmentation fault)"
    #expect(result.status == 66 && result.messages.contains("error: \(said); "), "\(result)")
  }

  @Test func whatTookItOverReachesNothing() async throws {
    let folder = try Folder()
    try folder.write("secret", "secret")
    let result = try await check("break \(folder.path)/secret", in: folder)
    let tries = result.messages.matches(of: /\[(\w+): ([^\]]*)\]/).map { ($0.1, $0.2) }
    #expect(
      tries.map(\.0) == [
        "read", "list", "write", "make", "remove", "chmod", "tcp", "socket", "memory", "run",
        "signal",
      ], "\(result)")
    for (what, outcome) in tries {
      let isRefused = outcome == "Permission denied" || outcome == "Operation not permitted"
      #expect(isRefused, "\(what): \(outcome)")
    }
    #expect(folder.text("secret") == "secret" && !folder.has("made"))
  }

  /// Checks a graph with a file whose reader does something.
  private func check(
    _ what: String, in folder: Folder, isolate variable: String? = nil
  ) async throws -> Graphctl.Result {
    let plugins = try Self.plugins.get()
    try folder.write("a.bin", "HOSTILE \(what)\n")
    // What ends at once has time to begin on a busy machine.
    let limit = ["hang", "spin"].contains(what) ? 2 : 20
    let graph = isolatedGraph("a.bin", ", \"timeLimit\": \(limit), \"memoryLimit\": 192")
    let unsaid = graph.replacing("\"isolate\": true", with: "\"isolate\": false")
    try folder.write("g.json", variable == nil ? graph : unsaid)
    let known = URL(filePath: "\(Process.cacheFolder)/gstreamer-1.0/registry.x86_64.bin")
    // The list of plug-ins that other tests use is left alone.
    let list = folder.url.appending(path: "registry.bin")
    try? FileManager.default.copyItem(at: known, to: list)
    var environment = ["GST_PLUGIN_PATH": plugins.path, "GST_REGISTRY": list.path]
    if let variable { environment[variable] = "1" }
    return try await Graphctl.run(["check", "g.json"], in: folder, environment: environment)
  }

  /// The folder of the plug-in, which is built once.
  private static let plugins = Result { () throws -> Folder in
    let folder = try Folder()
    let source = Graphctl.repository.appending(path: "Tests/Fixtures/HostilePlugin/hostile.c").path
    let build = Process()
    build.executableURL = URL(filePath: "/bin/sh")
    build.arguments = [
      "-c",
      "clang -O1 -shared -fPIC -o libgsthostile.so '\(source)' "
        + "$(pkg-config --cflags --libs gstreamer-1.0)",
    ]
    build.currentDirectoryURL = folder.url
    try build.run()
    build.waitUntilExit()
    guard build.terminationStatus == 0 else { throw Tool.Failure(output: "clang") }
    return folder
  }

  // MARK: Processes

  /// The process that reads a file for a run.
  private func reader(of run: Graphctl.Running) async throws -> pid_t {
    var found: pid_t?
    try await wait {
      found = RunningProcesses.children(of: run.process.processIdentifier).first
      return found != nil
    }
    return try #require(found)
  }

  /// Waits until something holds, for a minute at most.
  private func wait(until holds: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !holds() {
      try #require(.now < end, "it doesn't come")
      await Task.yield()
    }
  }
}
