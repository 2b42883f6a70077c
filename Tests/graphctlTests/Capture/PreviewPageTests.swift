import Foundation
import GraphKit
import TestTools
import Testing

/// A preview that browsers are shown over HTTP while a run records.
@Suite(.inTurnOrAlone) struct PreviewPageTests {
  private let folder: Folder
  init() throws { folder = try Folder() }

  private func writeGraph(_ address: String) throws {
    try folder.write(
      "shown.json",
      """
      { "whenSlow": [], "nodes": {
          "picture": { "type": "testVideo", "width": 640, "height": 480, "pattern": "snow",
                       "live": true },
          "video":   { "type": "h264Encoder" },
          "movie":   { "type": "mp4Sink", "path": "movie.mp4" },
          "page":    { "type": "preview", "address": "\(address)", "maxFrameRate": 30 } },
        "wires": ["picture -> video -> movie.video", "picture -> page"] }
      """)
  }

  @Test func browsersAreShownTheFrames() async throws {
    let port = try await LiveServers.freePort()
    try writeGraph("127.0.0.1:\(port)")
    let run = try Graphctl.Running(["run", "shown.json", "--report", "report.json"], in: folder)
    let address = "http://127.0.0.1:\(port)"
    let still = try await fetch("\(address)/still.jpg")
    let size = try await Tool.result(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0",
        "body",
      ], in: folder.url)
    #expect(size.output == "mjpeg,640,480\n", "\(size), \(still)")
    #expect(still.output.contains("HTTP/1.1 200 OK\r\n"), "\(still)")
    // One that reads nothing holds up none, though its images are more than a socket holds.
    let silent = try await BackgroundProgram(
      "bash",
      [
        "-c", "exec 3<>/dev/tcp/127.0.0.1/$1; printf 'GET / HTTP/1.1\\r\\n\\r\\n' >&3; echo; read",
        "bash", port,
      ])
    _ = await silent.lines.next()
    try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-f", "mpjpeg", "-i", "\(address)/", "-frames:v", "40", "-vf", "scale=64:48",
        "-fps_mode", "passthrough", "-pix_fmt", "gray", "-f", "rawvideo", "shown.raw",
      ], in: folder.url)
    let shown = try [UInt8](folder.data("shown.raw"))
    let frameSize = 64 * 48
    #expect(shown.count == 40 * frameSize)
    let images = (0..<40).map { Array(shown[($0 * frameSize)..<(($0 + 1) * frameSize)]) }
    #expect(Set(images).count == 40)
    let strange = try await fetch("\(address)/passwd")
    #expect(strange.output.contains("HTTP/1.1 404 Not Found\r\n"), "\(strange)")
    // A page of another name may have that lead to this machine.
    let foreign = try await fetch("\(address)/", ["-H", "Host: example.org"])
    #expect(foreign.output.contains("HTTP/1.1 403 Forbidden\r\n"), "\(foreign)")
    run.send(SIGINT)
    #expect(try await run.result().status == 0)
    #expect(try MovieReader.read("\(folder.path)/movie.mp4").tracks[0].sampleCount > 10)
    #expect(try await fetch("\(address)/still.jpg", ["--retry", "0"]).status != 0)
    _ = silent
  }

  private func fetch(
    _ address: String, _ more: [String] = []
  ) async throws -> (output: String, status: Int32) {
    let result = try await Tool.result(
      "curl",
      [
        "-s", "-m", "60", "--retry", "60", "--retry-connrefused", "--retry-delay", "1", "-D", "-",
        "-o", "body", address,
      ] + more, in: folder.url)
    return (result.output, result.status)
  }

  /// The system gives an address to one of them alone.
  @Test(arguments: [
    ("127.0.0.1", "127.0.0.1", true), ("localhost", "127.0.0.1", true), ("", "127.0.0.1", true),
    ("127.0.0.1", "[::]", true), ("127.0.0.1", "127.0.0.2", false), ("", "[::1]", false),
  ])
  func twoOfOneAddressAreAnError(_ one: String, _ other: String, isOne: Bool) async throws {
    let port = try await LiveServers.freePort()
    try folder.write(
      "two.json",
      """
      { "nodes": {
          "picture": { "type": "testVideo", "live": true },
          "page":  { "type": "preview", "address": "\(one):\(port)" },
          "other": { "type": "preview", "address": "\(other):\(port)" } },
        "wires": ["picture -> page", "picture -> other"] }
      """)
    let result = try await Graphctl.run(["check", "two.json"], in: folder)
    let words =
      "two.json:4:46: error: `page` and `other` serve the same address, port \(port); "
      + "give each its own port\n"
    #expect(result.status == (isOne ? 65 : 0) && result.messages.hasPrefix(isOne ? words : ""))
    #expect(result.messages.isEmpty != isOne, "\(result)")
  }

  @Test(arguments: [
    ("127.0.0.1", "is no address to show a preview at"), (":0", "is no address"),
    ("example.org:80", "is no address"),
    ("192.0.2.1:8080", "nothing can be shown at 192.0.2.1:8080"),
  ])
  func wrongAddressesAreProblems(_ address: String, _ words: String) async throws {
    try writeGraph(address)
    let result = try await Graphctl.run(["check", "shown.json"], in: folder)
    #expect(result.status != 0 && result.messages.contains(words), "\(result)")
  }
}
