import Foundation

/// An X server of the test's own, without a monitor, that shows one colour.
final class PictureScreen {
  private let server: BackgroundProgram
  private var painter: BackgroundProgram?
  /// Its name, such as `:5`.
  let display: String

  /// Starts a server on a display that is free, and returns once it shows the colour.
  init(width: Int, height: Int, pattern: String) async throws {
    let server = try await BackgroundProgram(
      "Xvfb", ["-displayfd", "1", "-screen", "0", "\(width)x\(height)x24", "-nolisten", "tcp"])
    let number = await server.lines.next()
    self.server = server
    display = ":\(number ?? "")"
    // It says that it is prerolled once its first frame is on the screen.
    let painter = try await BackgroundProgram(
      "gst-launch-1.0",
      [
        "videotestsrc", "is-live=false", "pattern=\(pattern)", "!",
        "video/x-raw,width=\(width),height=\(height),framerate=5/1", "!", "videoconvert", "!",
        "ximagesink", "display=\(display)",
      ])
    _ = await painter.lines.wait(for: "PREROLLED")
    self.painter = painter
  }
}
