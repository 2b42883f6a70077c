import Foundation
import FoundationNetworking
import Hummingbird
import Synchronization
import Testing

@testable import MediaServer

@Suite struct MediaServerTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/\(UUID())"

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try ffmpeg(["-f", "lavfi", "-i", "sine=f=441:r=44100:d=3", "\(folder)/tone.mp3"])
    let picture = ["-f", "lavfi", "-i", "testsrc2=s=320x180:d=1"]
    try ffmpeg(picture + ["-c:v", "libx264", "\(folder)/movie.mp4"])
  }

  private func ffmpeg(_ words: [String]) throws {
    try run("/usr/bin/ffmpeg", ["-v", "error"] + words)
  }

  /// What a program prints; it must end with status 0.
  @discardableResult private func run(_ path: String, _ words: [String]) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: path)
    process.arguments = words
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self)
  }

  /// Runs a server while `body` asks it.
  private func serving(
    _ limits: MediaServer.Limits = MediaServer.Limits(), _ body: (Int) async throws -> Void
  ) async throws {
    signal(SIGPIPE, SIG_IGN)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    var server = MediaServer(folder: URL(filePath: folder), limits: limits)
    server.logger.logLevel = .critical
    let application = server.application(port: 0) { port.yield($0) }
    let task = Task { try await application.run() }
    defer { task.cancel() }
    var iterator = ports.makeAsyncIterator()
    try await body(try #require(await iterator.next()))
  }

  private func ask(
    _ port: Int, _ path: String, body: Data? = nil
  ) async throws -> (status: Int, data: Data) {
    var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1:\(port)\(path)")))
    if let body { (request.httpMethod, request.httpBody) = ("POST", body) }
    let (data, response) = try await URLSession.shared.data(for: request)
    return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
  }

  private var tone: Data {
    get throws { try Data(contentsOf: URL(filePath: "\(folder)/tone.mp3")) }
  }

  @Test func aWaveformComesInPartsThatMakeAWhole() async throws {
    try await serving { port in
      let answer = try await ask(port, "/waveform?samplesPerPixel=441", body: tone)
      #expect(answer.status == 200)
      let lines = try answer.data.split(separator: 0x0a).map {
        try #require(JSONSerialization.jsonObject(with: $0) as? [String: Any])
      }
      let counts = lines.dropLast().map { ($0["points"] as? [Any])?.count ?? 0 }
      #expect(counts.count > 2 && counts.allSatisfy { $0 > 0 })
      let count = counts.reduce(0, +) / 2
      #expect(lines.last?["count"] as? Int == count && abs(count - 300) < 10)
    }
  }

  @Test func anUploadBecomesM4A() async throws {
    try await serving { port in
      let answer = try await ask(port, "/m4a?bitRate=64000", body: tone)
      #expect(answer.status == 200)
      let path = "\(folder)/answer.m4a"
      try answer.data.write(to: URL(filePath: path))
      let entries = "format=duration:stream=codec_name"
      let words = ["-v", "error", "-show_entries", entries, "-of", "csv=p=0", path]
      let lines = try run("/usr/bin/ffprobe", words).split(separator: "\n")
      #expect(lines.first == "aac" && abs((lines.last.flatMap { Double($0) } ?? 0) - 3) < 0.06)
    }
  }

  @Test func aFrameIsAJPEGOfTheWantedWidth() async throws {
    try await serving { port in
      let answer = try await ask(port, "/frames/movie.mp4?time=0.5&width=160")
      #expect(answer.status == 200)
      let path = "\(folder)/answer.jpg"
      try answer.data.write(to: URL(filePath: path))
      let words = [
        "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
      ]
      #expect(try run("/usr/bin/ffprobe", words + [path]) == "mjpeg,160,90\n")
      #expect(try await ask(port, "/frames/none.mp4").status == 404)
      #expect(try await ask(port, "/frames/..%2fmovie.mp4").status == 404)
      #expect(try await ask(port, "/frames/movie.mp4?time=-1").status == 400)
      #expect(try await ask(port, "/frames/movie.mp4?time=60").status == 422)
    }
  }

  /// What a server with limits answers an upload with.
  private func status(
    of upload: Data, _ change: (inout MediaServer.Limits) -> Void = { _ in }
  ) async throws -> Int {
    var limits = MediaServer.Limits()
    change(&limits)
    var status = 0
    try await serving(limits) { port in
      status = try await ask(port, "/m4a", body: upload).status
    }
    return status
  }

  @Test func whatIsTooMuchIsRefused() async throws {
    #expect(try await status(of: tone) { $0.uploadSize = 1_000 } == 413)
    #expect(try await status(of: tone) { $0.time = .milliseconds(1) } == 408)
    #expect(try await status(of: tone) { $0.jobs = 0 } == 503)
    #expect(try await status(of: Data("no sound".utf8)) == 422)
  }

  /// Memory in MiB at most, and open descriptors, of a process.
  private func resources(of process: Process) throws -> (memory: Int, descriptors: Int) {
    let folder = "/proc/\(process.processIdentifier)"
    let status = try String(contentsOfFile: "\(folder)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let memory = line?.split(separator: " ").compactMap { Int($0) }.first
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").count
    return (try #require(memory) >> 10, descriptors)
  }

  @Test(.timeLimit(.minutes(3))) func twoHundredClientsGetTheirAnswers() async throws {
    let (server, output) = (Process(), Pipe())
    server.executableURL = Bundle.main.executableURL?.deletingLastPathComponent()
      .appending(path: "MediaServer")
    server.arguments = [folder, "0"]
    (server.standardOutput, server.standardError) = (output, FileHandle.nullDevice)
    try server.run()
    defer { server.terminate() }
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = try #require(line.split(separator: ":").last.flatMap { Int($0.dropLast()) })
    // What is loaded once is there after the first of each.
    _ = try await (ask(port, "/m4a", body: tone), ask(port, "/frames/movie.mp4"))
    let before = try resources(of: server)

    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Scripts/media-load").path
    let words = [script, "\(port)", "\(folder)/tone.mp3", "movie.mp4", "--requests", "1"]
    let counts = try run("/usr/bin/python3", words)
    #expect(counts.contains(#""faults": 0"#))

    // A graph that was cancelled lets go of its files shortly after the client is gone.
    var after = try resources(of: server)
    while after.descriptors > before.descriptors {
      _ = try await ask(port, "/frames/movie.mp4")
      after = try resources(of: server)
    }
    #expect(after.memory < before.memory + 200, "\(before) \(after)")
    #expect(try await ask(port, "/m4a", body: tone).status == 200)
  }
}
