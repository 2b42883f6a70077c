import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

/// What there is no frame for: times before the first, after the last, and a task that was cancelled.
@Suite(.inTurn) struct ImageBorderTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func time(_ seconds: Double) -> MediaTime {
    MediaTime(seconds: seconds, preferredTimescale: 90_000)
  }

  // MARK: After the end

  /// A frame that lasts is there as long as it says.
  @Test func aLongLastFrameIsThere() async throws {
    let path = try scratch.media(
      "slow.mkv", "-f lavfi -i testsrc2=s=64x48:r=1/2:d=6 -pix_fmt yuv420p -c:v libx264 -bf 0")
    let generator = try AssetImageGenerator(try await MediaAsset(path: path))
    let last = try await generator.image(at: time(5.5))
    #expect(abs(last.frame.presentationTime.seconds - 4) < 1e-3 || last.actualTime == time(5.5))
  }

  // MARK: Before the beginning

  @Test func beforeTheFirstFrameThereIsNone() async throws {
    let video = try scratch.media(
      "video.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -pix_fmt yuv420p -c:v libx264 -bf 2")
    let path = scratch.path("late.mp4")
    let words =
      "-v error -itsoffset 2 -i \(video) -f lavfi -i sine=r=48000:d=4 -c:v copy -c:a aac \(path)"
    _ = try run("ffmpeg", words.split(separator: " ").map(String.init))
    var generator = try AssetImageGenerator(try await MediaAsset(path: path))
    for early in [0, 0.5, 1.95] {
      let error = await #expect(throws: NodeError.self) {
        try await generator.image(at: time(early))
      }
      #expect(error.map { "\($0)".contains("2.0 s") } == true, "\(error as Any)")
    }
    let first = try await generator.image(at: time(2))
    #expect(first.actualTime == time(2))
    await #expect(throws: NodeError.self) {
      for try await _ in generator.images(for: [time(0.5), time(2.5)]) {}
    }
    generator.requestedTimeToleranceAfter = .positiveInfinity
    let near = try await generator.image(at: time(0.5))
    #expect(abs(near.actualTime.seconds - 2) < 1e-6)
  }

  // MARK: Cancelled

  @Test func imagesOfACancelledTaskEndWithAnError() async throws {
    let path = try scratch.media(
      "movie.mp4", "-f lavfi -i testsrc2=s=64x48:r=25:d=4 -pix_fmt yuv420p -c:v libx264")
    let generator = try AssetImageGenerator(try await MediaAsset(path: path))
    let times = (0..<100).map { MediaTime(value: Int64($0), timescale: 25) }
    let task = Task {
      var count = 0
      for try await _ in generator.images(for: times) {
        count += 1
        if count == 5 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
      }
      return count
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    var all = 0
    for try await _ in generator.images(for: times) { all += 1 }
    #expect(all == 100)
  }
}
