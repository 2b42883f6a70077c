import AssetIO
import Foundation
import GraphKit
import Synchronization
import Testing

@testable import RecordingStudio

@Suite struct RecordingStudioTests {
  private let assets = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../graphs/assets").standardized.path

  @Test(arguments: [
    (RecordingStudio.Shape.square, 180, 180), (.portrait, 134, 180), (.story, 100, 180),
  ])
  func theMovieHasItsShape(shape: RecordingStudio.Shape, width: Int, height: Int) async throws {
    let (path, shown) = try await record(shape, until: 0.5) { _, _ in }
    defer { try? FileManager.default.removeItem(atPath: path) }
    let asset = try await MediaAsset(path: path)
    let track = try #require(asset.tracks(.video).first)
    #expect(track.naturalSize.map { [$0.width, $0.height] } == [width, height])
    #expect(asset.tracks(.audio).count == 1)
    #expect(shown > 5)
  }

  @Test func theStickerIsThereWhenItIsAskedFor() async throws {
    let moment = Mutex(0.0)
    let (path, _) = try await record(.square, until: 2) { time, studio in
      guard time > 1, moment.withLock({ $0 }) == 0 else { return }
      moment.withLock { $0 = time }
      try? studio.stick(for: 10)
      try? studio.sparkle(for: 0.2)
    }
    defer { try? FileManager.default.removeItem(atPath: path) }
    let centers = try await centers(path)
    let asked = moment.withLock { $0 }
    // The star's middle, whatever is behind it.
    let star = try #require(centers.last).color
    let first = centers.first { isNear($0.color, star) }
    #expect(try #require(first).time < asked + 0.5 && #require(first).time > asked - 0.2)
    #expect(centers.filter { $0.time > asked + 0.5 }.allSatisfy { isNear($0.color, star) })
  }

  private func isNear(_ color: [Int], _ other: [Int]) -> Bool {
    zip(color, other).allSatisfy { abs($0 - $1) < 24 }
  }

  /// Records until the screen shows a time; returns the movie, and how many frames were shown.
  private func record(
    _ shape: RecordingStudio.Shape, until end: Double,
    _ body: @escaping @Sendable (Double, RecordingStudio) -> Void
  ) async throws -> (path: String, shown: Int) {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID()).mp4"
    let studio = try RecordingStudio(
      path: path, shape: shape, assets: assets, width: 320, height: 180)
    let shown = Mutex(0)
    let report = try await studio.run { frame in
      shown.withLock { $0 += 1 }
      let time = frame.presentationTime.seconds
      body(time, studio)
      if time > end { studio.stop() }
    }
    #expect(report.unbalanced == [])
    return (path, shown.withLock { $0 })
  }

  /// The color in the middle of each frame.
  private func centers(_ path: String) async throws -> [(time: Double, color: [Int])] {
    let asset = try await MediaAsset(path: path)
    let track = try #require(asset.tracks(.video).first)
    let reader = try AssetReader(asset)
    let frames = try reader.outputProvider(for: .video(track, .init(.rgba)))
    try reader.start()
    var centers: [(Double, [Int])] = []
    for try await frame in frames {
      let color = frame.withPlane(0) { bytes, stride in
        (0..<3).map { Int(bytes[90 * stride + 90 * 4 + $0]) }
      }
      centers.append((frame.presentationTime.seconds, color))
    }
    return centers
  }
}
