import Foundation
import TestTools
import Testing

/// Files on a disk that interrupts, takes little at once, and says late what it couldn't keep.
@Suite(.inTurn) struct FaultyDiskTests {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      "g.json",
      """
      { "nodes": {
          "picture": { "type": "testVideo", "width": 160, "height": 96, "frames": 30 },
          "video":   { "type": "h264Encoder" },
          "movie":   { "type": "mp4Sink", "path": "a.mp4", "overwrite": true },
          "tone":    { "type": "testAudio", "seconds": 0.2 },
          "wave":    { "type": "wavSink", "path": "a.wav", "overwrite": true } },
        "wires": ["picture -> video -> movie", "tone -> wave"] }
      """)
  }

  /// Runs the graph with one of its files on such a disk, on which closing fails with an error.
  private func run(closing error: Int32, of name: String) async throws -> Graphctl.Result {
    let source = Graphctl.repository.appending(path: "Tests/Fixtures/FaultyDisk/faulty.c").path
    try await Tool.run("clang", ["-shared", "-fPIC", "-o", "faulty.so", source], in: folder.url)
    return try await Graphctl.run(
      ["run", "g.json"], in: folder,
      environment: [
        "LD_PRELOAD": "\(folder.path)/faulty.so", "FAULTY_FILE": name, "FAULTY_CLOSE": "\(error)",
        "FAULTY_LOG": "\(folder.path)/log",
      ])
  }

  private func pictures() async throws -> [[UInt8]] {
    try await Decoded.pictures(of: "a.mp4", size: 160 * 96 * 3, in: folder)
  }

  /// Linux has closed a file whose closing was interrupted: to close it again might close another.
  @Test(arguments: ["a.mp4", "a.wav"]) func whatInterruptsChangesNothing(
    _ name: String
  ) async throws {
    #expect(try await Graphctl.run(["run", "g.json"], in: folder).status == 0)
    let (whole, wave) = (try await pictures(), try folder.data("a.wav"))
    let result = try await run(closing: EINTR, of: name)
    #expect(result.status == 0 && !result.messages.contains("error"), "\(result)")
    #expect(folder.text("log") == "closed\n")
    #expect(try await pictures() == whole && whole.count == 30)
    #expect(try folder.data("a.wav") == wave)
  }

  @Test(arguments: ["a.mp4", "a.wav"], [EIO, EDQUOT])
  func whatIsLostWhileItIsClosedIsAnError(
    _ name: String, _ error: Int32
  ) async throws {
    let result = try await run(closing: error, of: name)
    #expect(result.status == (error == EDQUOT ? 71 : 74), "\(result)")
    #expect(result.messages.contains("`\(name)` can't be put on its disk: "), "\(result)")
    #expect(folder.text("log") == "closed\n")
  }
}
