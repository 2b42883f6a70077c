import AssetIO
import Foundation
import GraphKit

/// Who draws the frames of a movie.
protocol FrameDrawing: Sendable {
  /// Draws the frame of a number into RGBA pixels, row by row; called for one frame after the other.
  func frame(at number: Int, of format: VideoFormat, into pixels: inout MutableSpan<UInt8>)
    -> FrameAnswer
}

/// What is to become of a movie after a frame was asked for.
enum FrameAnswer: Sendable {
  /// The frame was drawn, and others follow.
  case `continue`
  /// The movie has all its frames: this one isn't in it.
  case end
  /// There is to be no movie.
  case cancel
}

/// Writes frames that a delegate draws, one by one, into a movie.
struct FrameMovieWriter: Sendable {
  var format = VideoFormat(.rgba, width: 640, height: 360, frameRate: Rational(30))
  /// Whether frames are drawn as a display shows them, and not as fast as it goes.
  var isPaced = false

  /// Draws to the end; returns how many frames there are, or `nil` where the delegate cancelled. The
  /// movie is at its place only once it is whole.
  func write(
    to path: String, drawnBy delegate: some FrameDrawing,
    progress: @Sendable (Int) -> Void = { _ in }
  ) async throws -> Int? {
    let unfinished = path + ".unfinished.mp4"
    let writer = AssetWriter(path: unfinished) { $0.overwrite = true }
    let pictures = try writer.pixelBufferReceiver(for: .video(format))
    try writer.start()
    try writer.startSession(at: .zero)
    let start = ContinuousClock.now
    for number in 0... {
      var frame = try pictures.frame()
      let answer = frame.withMutableBytes { pixels in
        delegate.frame(at: number, of: format, into: &pixels)
      }
      switch answer {
      case .continue:
        let time = time(of: number)
        if isPaced {
          try await Task.sleep(until: start + .seconds(time.seconds), clock: .continuous)
        }
        try await pictures.append(frame, at: time)
        progress(number + 1)
      case .end:
        try await writer.finishWriting()
        try FileManager.default.moveItem(atPath: unfinished, toPath: path)
        return number
      case .cancel:
        await writer.cancelWriting()
        return nil
      }
    }
    return nil
  }

  private func time(of number: Int) -> MediaTime {
    let rate = format.frameRate ?? Rational(30)
    return MediaTime(
      value: Int64(number * rate.denominator), timescale: Int32(clamping: rate.numerator))
  }
}
