import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct AssetImageGeneratorTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func movie(_ options: String = "") throws -> String {
    try scratch.media(
      "movie.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=20 -pix_fmt yuv420p -c:v libx264 -g 50 -bf 3" + options)
  }

  private func time(_ milliseconds: Int) -> MediaTime {
    MediaTime(value: Int64(milliseconds), timescale: 1_000)
  }

  @Test func imagesAreTheFramesOnScreen() async throws {
    let path = try movie()
    let whole = try run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-"])
    let size = 64 * 48 * 3 / 2
    var generator = try AssetImageGenerator(try await MediaAsset(path: path))
    generator.pixelFormat = .i420
    let times = [19_999, 0, 39, 40, 1_234, 1_235, 5_000, 15_020]
    var found: [Int] = []
    for try await image in generator.images(for: times.map(time)) {
      let milliseconds = Int((image.requestedTime.seconds * 1_000).rounded())
      let frame = milliseconds / 40
      found.append(milliseconds)
      #expect(image.frame.bytes.elementsEqual(whole[frame * size..<(frame + 1) * size]))
      #expect(image.actualTime <= image.requestedTime)
    }
    #expect(found == times.sorted())
    #expect(
      try await generator.image(at: time(777)).frame.bytes.elementsEqual(
        whole[19 * size..<20 * size]))
  }

  private struct Choice {
    var before = Double.infinity
    var after = Double.infinity
    /// The times that are asked for, and those of the key frames that come, in milliseconds.
    var times: [Int: Int]
  }

  /// Key frames are two seconds apart.
  private static let choices = [
    Choice(times: [0: 0, 980: 0, 1_020: 2_000, 5_300: 6_000, 19_999: 18_000]),
    Choice(after: 0, times: [1_020: 0, 5_300: 4_000]),
    Choice(before: 0, times: [1_020: 2_000, 5_300: 6_000, 4_000: 4_000]),
    Choice(before: 0.5, after: 0.5, times: [2_400: 2_000, 5_700: 6_000, 3_010: 3_010]),
  ]

  @Test func tolerancesGiveTheNearestKeyFrame() async throws {
    let path = try movie(" -keyint_min 50 -sc_threshold 0")
    let whole = try run("ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-"])
    let size = 64 * 48 * 3 / 2
    var generator = try AssetImageGenerator(try await MediaAsset(path: path))
    generator.pixelFormat = .i420
    for choice in Self.choices {
      generator.requestedTimeToleranceBefore = tolerance(choice.before)
      generator.requestedTimeToleranceAfter = tolerance(choice.after)
      for (wanted, actual) in choice.times {
        let image = try await generator.image(at: time(wanted))
        #expect(image.requestedTime == time(wanted))
        #expect(image.actualTime == time(actual), "\(wanted) ms")
        let frame = actual / 40
        #expect(image.frame.bytes.elementsEqual(whole[frame * size..<(frame + 1) * size]))
      }
    }
    await #expect(throws: NodeError.self) { try await generator.image(at: time(20_100)) }
  }

  private func tolerance(_ seconds: Double) -> MediaTime {
    seconds.isInfinite
      ? .positiveInfinity : MediaTime(seconds: seconds, preferredTimescale: 1_000)
  }

  @Test func framesAreMadeSmallerAndKeepTheirShape() async throws {
    var generator = try AssetImageGenerator(try await MediaAsset(path: try movie()))
    generator.maximumSize = (32, 100)
    let image = try await generator.image(at: time(500))
    #expect(
      image.frame.format.format
        == .video(VideoFormat(.bgra, width: 32, height: 24, frameRate: Rational(25))))
    generator.maximumSize = (31, 100)
    let odd = try await generator.image(at: time(500))
    guard case .video(let video) = odd.frame.format.format else {
      Issue.record("\(odd.frame.format)")
      return
    }
    #expect((video.width, video.height) == (30, 22))
    // Rounding makes no borders.
    let corners = odd.frame.share().withBytes { bytes in
      [0, 29 * 4, 21 * 30 * 4, (22 * 30 - 1) * 4].map { bytes[$0] | bytes[$0 + 1] | bytes[$0 + 2] }
    }
    #expect(!corners.contains(0))
  }

  @Test func whatHasNoFrameIsSaid() async throws {
    let generator = try AssetImageGenerator(try await MediaAsset(path: try movie()))
    for odd in [MediaTime.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
      await #expect(throws: NodeError.self) { try await generator.image(at: odd) }
    }
    await #expect(throws: NodeError.self) { try await generator.image(at: time(20_100)) }
    await #expect(throws: NodeError.self) { try await generator.image(at: time(-1)) }
    let sound = try await MediaAsset(path: try scratch.media("a.wav", "-f lavfi -i sine=d=1"))
    #expect(throws: NodeError.self) { try AssetImageGenerator(sound) }
  }
}
