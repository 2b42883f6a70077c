import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

/// Which frames `toneMap` changes.
@Suite(.inTurn) struct ToneMapNodeTests {
  private static let size = 16 * 16
  /// A light gray: 1,000 cd/m² in PQ.
  private static let frame =
    [UInt8](repeating: 181, count: size) + [UInt8](repeating: 128, count: size / 2)

  /// What a node makes of the gray in a format.
  private func result(
    _ colorimetry: String, _ pixelFormat: PixelFormat = .i420, _ node: ToneMap = ToneMap()
  ) throws -> (bytes: [UInt8], colorimetry: String) {
    let harness = NodeHarness(node)
    let video = VideoFormat(pixelFormat, width: 16, height: 16, colorimetry: colorimetry)
    let format = try FormatDescription(.video(video))
    try harness.push(SampleBuffer(bytes: Self.frame, format: format))
    let output = try #require(harness.samples().first)
    guard case .video(let made)? = try harness.formats().first else { return ([], "") }
    return (output.values(as: UInt8.self), made.colorimetry)
  }

  @Test(arguments: ["bt2100-pq", "2:6:14:7"], [PixelFormat.i420, .nv12])
  func lowersPQ(_ colorimetry: String, _ pixelFormat: PixelFormat) throws {
    let (bytes, made) = try result(colorimetry, pixelFormat)
    // The peak, and so white.
    #expect(bytes[..<Self.size].allSatisfy { (233...235).contains($0) }, "\(bytes[0])")
    #expect(bytes[Self.size...].allSatisfy { $0 == 128 })
    #expect(made == "bt709")
  }

  @Test(arguments: ["bt709", "bt2020-10", "bt601"])
  func leavesStandardRange(_ colorimetry: String) throws {
    var node = ToneMap()
    node.transfer = .pq
    let (bytes, made) = try result(colorimetry, .i420, node)
    #expect(bytes == Self.frame && made == colorimetry)
  }

  @Test func takesWhatDoesNotSayAsItIsTold() throws {
    #expect(try result("").bytes == Self.frame)
    var (pq, hlg) = (ToneMap(), ToneMap())
    (pq.transfer, hlg.transfer) = (.pq, .hlg)
    #expect(try result("", .i420, pq).bytes == result("bt2100-pq").bytes)
    #expect(try result("", .i420, hlg).bytes == result("bt2100-hlg").bytes)
  }

  @Test func takesAnotherPeakAndWhite() throws {
    var (bright, dark) = (ToneMap(), ToneMap())
    (bright.peak, dark.white) = (10_000, 400)
    let usual = try result("bt2100-pq").bytes[0]
    #expect(try result("bt2100-pq", .i420, bright).bytes[0] < usual - 20)
    var both = ToneMap()
    (both.peak, both.white) = (4_000, 400)
    let darker = try result("bt2100-pq", .i420, both).bytes[0]
    var peakAlone = ToneMap()
    peakAlone.peak = 4_000
    #expect(try result("bt2100-pq", .i420, peakAlone).bytes[0] > darker)
  }
}
