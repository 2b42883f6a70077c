import Foundation
import GraphKit

/// A disc that moves once around: `FrameMovie DESTINATION.mp4 [paced]`.
struct Disc: FrameDrawing {
  var frameCount = 90

  func frame(at number: Int, of format: VideoFormat, into pixels: inout MutableSpan<UInt8>)
    -> FrameAnswer
  {
    guard number < frameCount else { return .end }
    let angle = 2 * Double.pi * Double(number) / Double(frameCount)
    let (width, height) = (format.width, format.height)
    let x = Double(width) / 2 + cos(angle) * Double(height) / 3
    let y = Double(height) / 2 + sin(angle) * Double(height) / 3
    for row in 0..<height {
      for column in 0..<width {
        let (dx, dy) = (Double(column) - x, Double(row) - y)
        let value: UInt8 = dx * dx + dy * dy < 1_600 ? 255 : 24
        let place = (row * width + column) * 4
        for channel in 0..<3 { pixels[place + channel] = value }
        pixels[place + 3] = 255
      }
    }
    return .continue
  }
}

@main struct Main {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard let path = words.first else {
      print("Usage: FrameMovie DESTINATION.mp4 [paced]")
      exit(64)
    }
    var writer = FrameMovieWriter()
    writer.isPaced = words.dropFirst().first == "paced"
    let count = try await writer.write(to: path, drawnBy: Disc()) { number in
      if number % 30 == 0 { print("\(number) frames") }
    }
    print(count.map { "\(path): \($0) frames" } ?? "cancelled")
  }
}
