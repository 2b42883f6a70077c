import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// What the playlists and the manifest of a stream say of its colours.
@Suite(.inTurn) struct StreamColorTests {
  private let scratch: TestFolder
  private var folder: StreamFolder { StreamFolder(folder: scratch.path("live")) }
  init() throws { scratch = try TestFolder() }

  /// Two seconds of HEVC in BT.2020 by a transfer function, and of H.264 in BT.709.
  private func inputs(_ transfer: String) throws -> (bright: String, usual: String) {
    let (bright, usual) = (scratch.path("bright.mp4"), scratch.path("usual.mp4"))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=160x96:r=25:d=2 -c:v libx265 -pix_fmt yuv420p10le -tag:v hvc1",
      "-x265-params log-level=none:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc",
      "-color_primaries bt2020 -color_trc \(transfer) -colorspace bt2020nc", to: bright)
    try ffmpeg(
      "-f lavfi -i testsrc2=s=160x96:r=25:d=2 -c:v libx264 -pix_fmt yuv420p",
      "-color_primaries bt709 -color_trc bt709 -colorspace bt709", to: usual)
    return (bright, usual)
  }

  @Test(
    "high dynamic range is said, and that alone",
    arguments: [("smpte2084", "PQ", 16), ("arib-std-b67", "HLG", 18)])
  func highRange(transfer: String, range: String, number: Int) async throws {
    let (bright, usual) = try inputs(transfer)
    let report = try await pipeline(
      """
      { "nodes": { "bright": { "type": "file", "path": "\(bright)" },
          "usual": { "type": "file", "path": "\(usual)" },
          "stream": { "type": "hlsSink", "path": "\(scratch.path("live"))" } },
        "wires": ["bright.video -> stream.video", "usual.video -> stream.video.2"] }
      """
    ).run()
    #expect(report.warnings == nil)
    let variants = try folder.text("master.m3u8").split(separator: "\n").filter {
      $0.hasPrefix("#EXT-X-STREAM-INF:")
    }
    #expect(variants.count == 2, "\(variants)")
    #expect(variants.first?.contains(",VIDEO-RANGE=\(range)") == true, "\(variants)")
    #expect(variants.last?.contains("VIDEO-RANGE") == false, "\(variants)")
    // What a player may change between has one range.
    let sets = try folder.text("manifest.mpd").components(separatedBy: "<AdaptationSet ")
    try #require(sets.count == 3)
    let wanted = [
      "ColourPrimaries\" value=\"9\"", "TransferCharacteristics\" value=\"\(number)\"",
      "MatrixCoefficients\" value=\"9\"",
    ]
    for property in wanted {
      #expect(
        sets[1].contains("<EssentialProperty schemeIdUri=\"urn:mpeg:mpegB:cicp:\(property)"))
    }
    #expect(!sets[2].contains("Property"))
    #expect(try decodeComplaints(scratch.path("live/manifest.mpd")) == "")
  }
}
