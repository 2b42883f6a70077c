import Foundation
import GraphKit
import Testing

@testable import FrameMovie

@Suite struct FrameMovieTests {
  /// Draws gray frames up to some number, and then gives an answer.
  struct Gray: FrameDrawing {
    let last: FrameAnswer

    func frame(at number: Int, of format: VideoFormat, into pixels: inout MutableSpan<UInt8>)
      -> FrameAnswer
    {
      guard number < 20 else { return last }
      for index in pixels.indices { pixels[index] = UInt8(number * 10) }
      return .continue
    }
  }

  private func write(_ last: FrameAnswer, to path: String) async throws -> Int? {
    var writer = FrameMovieWriter()
    writer.format = VideoFormat(.rgba, width: 64, height: 48, frameRate: Rational(25))
    return try await writer.write(to: path, drawnBy: Gray(last: last))
  }

  @Test func theMovieIsAtItsPlaceOnceItIsWhole() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID()).mp4"
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try await write(.end, to: path) == 20)
    let (ffprobe, output) = (Process(), Pipe())
    ffprobe.executableURL = URL(fileURLWithPath: "/usr/bin/ffprobe")
    ffprobe.arguments = [
      "-v", "error", "-show_entries", "stream=codec_name,nb_frames,duration", "-of", "csv=p=0",
      path,
    ]
    ffprobe.standardOutput = output
    try ffprobe.run()
    let words = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(words.hasPrefix("h264,0.800000,20"))
  }

  @Test func aCancelledMovieLeavesNothing() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID()).mp4"
    #expect(try await write(.cancel, to: path) == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(!FileManager.default.fileExists(atPath: path + ".unfinished.mp4"))
  }
}
