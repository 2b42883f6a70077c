import AssetIO
import Foundation
import GraphKit
import Testing

@testable import FilterCamera

@Suite struct FilterCameraTests {
  @Test func theFilterChangesWhileItRecords() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID()).mp4"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let camera = try FilterCamera(path: path, width: 320, height: 180)
    async let report = camera.run()
    let recorder = camera.recorder
    try await reach(1, recorder)
    try camera.show(.noir)
    try recorder.mark("Noir")
    try await reach(2, recorder)
    camera.stop()
    #expect(try await report.unbalanced == [])
    #expect(recorder.state == .finished)
    let asset = try await MediaAsset(path: path)
    #expect(asset.tracks(.video).count == 1 && asset.tracks(.audio).count == 1)
    #expect(asset.chapters.map(\.title).contains("Noir"))
    let chroma = try await chroma(asset)
    // The test picture has colours, and film noir none.
    #expect(chroma.first ?? 0 > 20 && chroma.last ?? 99 < 4)
  }

  private func reach(_ seconds: Double, _ recorder: MovieRecorder) async throws {
    let limit = ContinuousClock.now + .seconds(30)
    while recorder.duration.seconds < seconds {
      try #require(.now < limit && !recorder.state.isEnd)
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// How far the blue-difference of each frame is from gray in the mean.
  private func chroma(_ asset: MediaAsset) async throws -> [Int] {
    let track = try #require(asset.tracks(.video).first)
    let reader = try AssetReader(asset)
    let frames = try reader.outputProvider(for: .video(track, .init(.i420)))
    try reader.start()
    var chroma: [Int] = []
    for try await frame in frames {
      frame.withPlane(1) { bytes, _ in
        var sum = 0
        for index in bytes.indices { sum += abs(Int(bytes[index]) - 128) }
        chroma.append(sum / bytes.count)
      }
    }
    return chroma
  }
}
