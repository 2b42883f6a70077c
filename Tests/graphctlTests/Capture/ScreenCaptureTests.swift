import Foundation
import GraphKit
import TestTools
import Testing

/// A screen without hardware: a server that draws into memory.
@Suite(.serialized, .inTurn) struct ScreenCaptureTests {
  @Test(arguments: [true, false]) func recordsWhatIsShown(isNamed: Bool) async throws {
    let folder = try Folder()
    let screen = try await PictureScreen(width: 320, height: 240, pattern: "red")
    try folder.write(
      "screen.json",
      """
      { "nodes": {
          "screen": { "type": "screen", "device": "\(isNamed ? screen.display : "auto")",
                      "frameRate": 15, "pointer": false },
          "video": { "type": "h264Encoder" },
          "movie": { "type": "mp4Sink", "path": "a.mp4", "seconds": 1 } },
        "wires": ["screen -> video -> movie"] }
      """)
    let result = try await Graphctl.run(
      ["run", "screen.json"], in: folder,
      environment: isNamed ? [:] : ["DISPLAY": screen.display])
    #expect(result.status == 0, "\(result)")
    #expect(!result.messages.contains("using a live test"))
    let movie = try MovieReader.read("\(folder.path)/a.mp4")
    #expect(abs(movie.duration - 1) < 0.1, "\(movie)")
    let frames = try await Decoded.pictures(of: "a.mp4", size: 320 * 240 * 3, in: folder)
    #expect(frames.count >= 5)
    for frame in frames {
      for place in [0, 120 * 320 + 160, 320 * 240 - 1] {
        let pixel = Array(frame.dropFirst(place * 3).prefix(3))
        #expect(pixel[0] > 230 && pixel[1] < 20 && pixel[2] < 20, "\(pixel) at \(place)")
      }
    }
  }

  @Test(arguments: [("200", 65), ("160", 0)])
  func aPartBeyondTheEdgeIsFound(x: String, status: Int32) async throws {
    let folder = try Folder()
    let screen = try await PictureScreen(width: 320, height: 240, pattern: "red")
    try folder.write(
      "screen.json",
      """
      { "nodes": {
          "screen": { "type": "screen", "device": "\(screen.display)", "x": \(x), "y": 120,
                      "width": 160, "height": 120 },
          "end": { "type": "nullSink" } }, "wires": ["screen -> end"] }
      """)
    let result = try await Graphctl.run(["check", "screen.json"], in: folder)
    #expect(result.status == status, "\(result)")
    let words = "the part to record goes to 360, 240, and the screen is 320x240; "
    #expect(result.messages.contains(words) == (status != 0), "\(result)")
  }

  @Test func aDisplayThatIsNotThereIsNamed() async throws {
    let folder = try Folder()
    try folder.write(
      "screen.json",
      """
      { "nodes": { "screen": { "type": "screen", "device": ":9876" },
                   "end": { "type": "nullSink" } }, "wires": ["screen -> end"] }
      """)
    let result = try await Graphctl.run(["run", "screen.json"], in: folder)
    #expect(result.status == 74)
    #expect(result.messages.contains("screen: Could not open X display"), "\(result)")
  }
}
