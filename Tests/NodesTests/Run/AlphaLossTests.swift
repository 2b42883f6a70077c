import GraphKit
import TestTools
import Testing

/// Transparency that a node's input has no room for is named.
@Suite(.inTurn) struct AlphaLossTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func warnings(_ picture: String, _ convert: String = "") async throws -> [String] {
    let (input, output) = (scratch.path("in.mov"), scratch.path("out.png"))
    try ffmpeg("-f lavfi -i \(picture),format=rgba -c:v png", to: input)
    let node = convert.isEmpty ? "" : #""convert": { "type": "videoConvert", \#(convert) },"#
    let wire = convert.isEmpty ? "" : "convert -> "
    let report = try await pipeline(
      """
      { "nodes": { "in": { "type": "file", "path": "\(input)" }, \(node)
                   "blur": { "type": "blur" },
                   "still": { "type": "poster", "path": "\(output)", "at": 0.1 } },
        "wires": ["in.video -> \(wire)blur -> still"] }
      """
    ).run()
    return (report.warnings ?? []).map { "\($0)" }
  }

  @Test func itIsNamedOnce() async throws {
    let found = try await warnings("color=red@0.5:s=64x48:r=25:d=1")
    #expect(found.count == 1 && found[0].contains("transparency is left out"), "\(found)")
    #expect(found.first?.contains("blur") == true, "\(found)")
  }

  @Test func framesThatAreOpaqueLoseNothing() async throws {
    #expect(try await warnings("testsrc=s=64x48:r=25:d=1") == [])
  }

  @Test func aConversionThatKeepsItLosesNothing() async throws {
    let picture = "color=red@0.5:s=64x48:r=25:d=1"
    #expect(try await warnings(picture, #""pixelFormat": "rgba""#) == [])
  }
}
