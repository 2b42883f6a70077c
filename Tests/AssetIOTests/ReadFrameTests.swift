import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

/// Frames that a reader hands out of files other than the usual.
@Suite(.inTurn) struct ReadFrameTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func frames(
    _ path: String, _ settings: AssetReaderOutput.VideoSettings = .init()
  ) async throws -> [ReadySampleBuffer] {
    let asset = try await MediaAsset(path: path)
    let reader = try AssetReader(asset)
    let provider = try reader.outputProvider(for: .video(asset.tracks(.video)[0], settings))
    try reader.start()
    var frames: [ReadySampleBuffer] = []
    for try await frame in provider { frames.append(frame) }
    return frames
  }

  /// Frames that are decoded in another order than they are shown have each other's lengths.
  @Test(arguments: ["mp4", "mkv"]) func aFrameLastsUntilTheNext(ending: String) async throws {
    let rate = "setpts='(N+if(gt(N\\,9)\\,25)+if(gt(N\\,31)\\,3*(N-31)))/25/TB'"
    let path = try scratch.media(
      "a.\(ending)",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=2 -vf \(rate) -fps_mode vfr -pix_fmt yuv420p "
        + "-c:v libx264 -bf 2 -b_strategy 0")
    let frames = try await frames(path)
    #expect(frames.count == 50)
    for (frame, next) in zip(frames, frames.dropFirst()) {
      let gap = next.presentationTime - (frame.presentationTime + frame.duration)
      #expect(abs(gap.seconds) < 0.000_002)
    }
    let longest = frames.map(\.duration.seconds).max() ?? 0
    #expect(abs(longest - 1.04) < 0.002)
  }

  private func row(_ frame: ReadySampleBuffer, _ number: Int) -> [UInt8] {
    frame.share().withBytes { bytes in
      let start = number * bytes.count / 100
      return (start..<start + 3).map { bytes[$0] }
    }
  }

  @Test func framesOfAnotherShapeGetBorders() async throws {
    let path = try scratch.media(
      "red.mp4", "-f lavfi -i color=red:s=320x180:r=25:d=0.2 -c:v libx264 -pix_fmt yuv420p")
    let frame = try #require(
      try await frames(path, .init(.bgra, width: 100, height: 100)).first)
    guard case .video(let format) = frame.format.format else {
      Issue.record("\(frame.format)")
      return
    }
    #expect(format.width == 100 && format.height == 100 && format.pixelAspectRatio == nil)
    #expect(row(frame, 10) == [0, 0, 0] && row(frame, 90) == [0, 0, 0])
    let red = row(frame, 50)
    #expect(red[0] < 10 && red[1] < 10 && red[2] > 240)
    let narrow = try #require(try await frames(path, .init(.bgra, width: 100)).first)
    #expect(narrow.byteCount == 100 * 56 * 4)
  }

  @Test func scaledFramesKeepTheirColors() async throws {
    let path = try scratch.media(
      "alpha.mov",
      "-f lavfi -i color=red@0.25:s=64x48:r=25:d=0.2,format=argb -c:v qtrle")
    let frame = try #require(try await frames(path, .init(.rgba, width: 32)).first)
    #expect(frame.byteCount == 32 * 24 * 4)
    let pixel = frame.share().withBytes { bytes in (0..<4).map { bytes[32 * 12 * 4 + 64 + $0] } }
    #expect(pixel[0] > 250 && pixel[1] < 5 && pixel[2] < 5 && abs(Int(pixel[3]) - 64) < 3)
  }

  @Test(arguments: [("a.mkv", "ffv1"), ("a.avi", "huffyuv"), ("a.mov", "qtrle")])
  func filesOfAnyCodecSayTheirSize(name: String, codec: String) async throws {
    let path = try scratch.media(name, "-f lavfi -i testsrc2=s=128x96:r=25:d=0.4 -c:v \(codec)")
    let asset = try await MediaAsset(path: path)
    let track = try #require(asset.tracks(.video).first)
    #expect(track.naturalSize.map { [$0.width, $0.height] } == [128, 96])
    #expect(track.frameRate == Rational(25))
    var generator = try AssetImageGenerator(asset)
    generator.maximumSize = (64, 64)
    let image = try await generator.image(at: .zero)
    #expect(image.frame.byteCount == 64 * 48 * 4)
  }

  @Test func aCancelledTaskHearsThatItIs() async throws {
    let path = try scratch.media(
      "long.mp4", "-f lavfi -i testsrc2=s=320x240:r=25:d=20 -c:v libx264 -preset ultrafast -g 500")
    let generator = try AssetImageGenerator(try await MediaAsset(path: path))
    let task = Task { try await generator.image(at: MediaTime(value: 19, timescale: 1)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
