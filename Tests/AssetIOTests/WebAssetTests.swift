import AssetIO
import Foundation
import GraphKit
import TestTools
import Testing

/// Assets of a web server.
@Suite(.inTurn) struct WebAssetTests {
  let scratch: Scratch
  let server: WebServer

  init() throws {
    scratch = try Scratch()
    server = try WebServer(scratch.path(""))
    _ = try scratch.media(
      "movie.mp4",
      "-f lavfi -i testsrc2=s=64x48:r=25:d=3 -f lavfi -i sine=f=441:r=48000:d=3 "
        + "-c:v libx264 -g 25 -bf 2 -c:a aac -metadata title=Test")
  }

  /// The frames with their times, and the samples, each by a reader of its own.
  private func content(of path: String) async throws -> (times: [MediaTime], bytes: [[UInt8]]) {
    let asset = try await MediaAsset(path: path)
    #expect(asset.metadata["title"] == "Test")
    var (times, bytes): ([MediaTime], [[UInt8]]) = ([], [])
    for output in [
      AssetReaderOutput.video(asset.tracks(.video)[0], .init(.bgra)),
      .audio(asset.tracks(.audio)[0], .init(.s16)),
    ] {
      let reader = try AssetReader(asset)
      let samples = try reader.outputProvider(for: output)
      try reader.start()
      for try await sample in samples {
        times.append(sample.presentationTime)
        bytes.append(sample.bytes)
      }
    }
    return (times, bytes)
  }

  @Test func samplesAreThoseOfTheFile() async throws {
    let local = try await content(of: scratch.path("movie.mp4"))
    let web = try await content(of: server.address(of: "movie.mp4", .cut100))
    #expect(local.times.count > 75 + 10 && local.bytes[0].count == 64 * 48 * 4)
    #expect(web.times == local.times && web.bytes == local.bytes)
  }
}
