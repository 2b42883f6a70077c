import Foundation
import GraphKit
import TestTools
import Testing

/// A preview in a window, on a screen that is drawn into memory.
@Suite(.inTurnOrAlone) struct PreviewWindowTests {
  @Test func theWindowShowsTheFrames() async throws {
    let folder = try Folder()
    let screen = try await PictureScreen(width: 320, height: 240, pattern: "black")
    try folder.write(
      "shown.json",
      """
      { "nodes": {
          "picture": { "type": "testVideo", "width": 160, "height": 120, "pattern": "red",
                       "live": true },
          "preview": { "type": "preview", "window": true } },
        "wires": ["picture -> preview"] }
      """)
    let run = try Graphctl.Running(
      ["run", "shown.json", "--quiet"], in: folder, environment: ["DISPLAY": screen.display])
    // Until the window is there.
    let most = 160 * 120 * 9 / 10
    while run.process.isRunning, try await redPixels(on: screen.display, in: folder) < most {}
    run.send(SIGINT)
    #expect(try await run.result().status == 0)
  }

  private func redPixels(on display: String, in folder: Folder) async throws -> Int {
    _ = try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-y", "-f", "x11grab", "-video_size", "320x240", "-i", display,
        "-frames:v", "1", "-pix_fmt", "rgb24", "-f", "rawvideo", "screen.raw",
      ], in: folder.url)
    let bytes = try [UInt8](folder.data("screen.raw"))
    return stride(from: 0, to: bytes.count - 2, by: 3).count {
      bytes[$0] > 230 && bytes[$0 + 1] < 20 && bytes[$0 + 2] < 20
    }
  }
}
