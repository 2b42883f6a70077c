import GraphKit
import TestTools
import Testing

/// Video of high dynamic range that is encoded in eight bits.
@Suite(.inTurn) struct ShallowVideoTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func warnings(_ colors: String, through node: String = "pass") async throws -> [String] {
    let (input, output) = (scratch.path("in.mp4"), scratch.path("out.mp4"))
    try ffmpeg(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=0.4 -vf format=yuv420p10le -c:v libx265 "
        + "-x265-params log-level=error \(colors)", to: input)
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, "between": { "type": "\(node)" },
                   "h264": { "type": "h264Encoder" },
                   "out": { "type": "mp4Sink", "path": "\(output)" } },
        "wires": ["in.video -> between -> h264 -> out.video"] }
      """
    ).run()
    return (report.warnings ?? []).map { "\($0)" }
  }

  private static let pq =
    "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv"

  @Test(arguments: [("smpte2084", "PQ"), ("arib-std-b67", "HLG")])
  func itIsNamedOnce(_ transfer: String, _ name: String) async throws {
    let colors = Self.pq.replacing("smpte2084", with: transfer)
    let found = try await warnings(colors)
    #expect(found.count == 1, "\(found)")
    #expect(found.first?.contains("it gets \(name) video in 8 bits") == true, "\(found)")
    #expect(found.first?.contains("h264") == true, "\(found)")
  }

  @Test func whatIsMappedToStandardRangeIsNone() async throws {
    #expect(try await warnings(Self.pq, through: "toneMap") == [])
  }

  @Test func videoOfStandardRangeIsNone() async throws {
    let colors = "-color_primaries bt709 -color_trc bt709 -colorspace bt709 -color_range tv"
    #expect(try await warnings(colors) == [])
  }
}
