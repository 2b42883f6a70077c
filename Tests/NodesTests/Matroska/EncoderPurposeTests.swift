import Foundation
import GraphKit
import TestTools
import Testing

@testable import Nodes

/// What `purpose` sets is what `docs/encoders.md` says, and each purpose is smaller than that before it.
@Suite(.inTurn) struct EncoderPurposeTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  static let types = ["h264Encoder", "hevcEncoder", "vp8Encoder", "vp9Encoder", "av1Encoder"]
  static let purposes = ["web", "archive", "preview"]

  /// The parameters that the page gives an encoder for a purpose.
  private func documented(_ type: String, _ purpose: String) throws -> [(String, String)] {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/encoders.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "### \(type)\n")).upperBound
    let rows = text[start...].split(separator: "\n").prefix { !$0.hasPrefix("#") }
    let column = try #require(Self.purposes.firstIndex(of: purpose)) + 1
    return rows.filter { $0.hasPrefix("| `") }.map { row in
      let cells = row.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } }
      return (cells[0], cells[column])
    }
  }

  private func elements(_ type: String, _ settings: String) throws -> [ElementSpec] {
    let planned = try plan(
      """
      { "nodes": {
          "pattern": { "type": "testVideo", "width": 320, "height": 240, "frameRate": 25 },
          "encoder": { "type": "\(type)"\(settings) }, "out": { "type": "nullSink" } },
        "wires": ["pattern -> encoder -> out"] }
      """)
    let node = try #require(planned["encoder"]?.node as? any ElementNode)
    let formats = ["in": FormatConstraint.video([.i420], width: 320, height: 240)]
    return try node.elements(in: LiveEnvironment(), formats: formats).first?.elements ?? []
  }

  @Test("VP8 of a file doesn't depend on how fast the machine is", arguments: [3, 8, 16])
  func speedOfFiles(_ speed: Int) throws {
    var encoder = VP8Encoder()
    encoder.speed = speed
    func used() throws -> [String?] {
      let chain = try encoder.elements(in: LiveEnvironment(), formats: [:]).first
      let element = try #require(chain?.elements.first)
      return ["cpu-used", "deadline"].map { element.properties[$0] }
    }
    // Longer than any frame lasts, or libvpx takes what has been asked for quality for live.
    let deadline = speed > 5 ? "1" : "2000000000"
    #expect(try used() == ["\(speed)", deadline])
    encoder.settle(isLive: false)
    #expect(try used() == [speed > 5 ? "-\(speed)" : "\(speed)", deadline])
  }

  @Test(arguments: types, purposes)
  func thePageSaysWhatItSets(_ type: String, _ purpose: String) throws {
    let rows = try documented(type, purpose)
    #expect(rows.count >= 3)
    let single = rows.map { name, value in
      #", "\#(name)": \#(Int(value) == nil ? "\"\(value)\"" : value)"#
    }.joined()
    let whole = try elements(type, #", "purpose": "\#(purpose)""#)
    #expect(try whole == elements(type, single))
    #expect(try whole != elements(type, ""))
    // What a graph gives besides has its own value.
    let given = try elements(type, #", "purpose": "\#(purpose)", "keyFrameInterval": 77"#)
    #expect(given.contains { $0.properties.values.contains("77") })
    let rate = try elements(type, #", "purpose": "\#(purpose)", "bitRate": 300000"#)
    let others = single.replacing(/, "quality": \d+/, with: "")
    #expect(try rate == elements(type, others + #", "bitRate": 300000"#))
  }

  @Test(arguments: types) func theBetterOneIsLarger(_ type: String) async throws {
    var sizes: [Int] = []
    for purpose in ["archive", "web", "preview"] {
      let path = scratch.path("\(purpose).mkv")
      let run = try pipeline(
        """
        { "nodes": {
            "pattern": { "type": "testVideo", "pattern": "snow", "width": 96, "height": 72,
              "frameRate": 25, "frames": 12 },
            "encoder": { "type": "\(type)", "purpose": "\(purpose)" },
            "out": { "type": "matroskaSink", "path": "\(path)" } },
          "wires": ["pattern -> encoder -> out.video"] }
        """)
      #expect(try await run.run().unbalanced == [])
      #expect(try packetCount(path) == 12)
      sizes.append(try Data(contentsOf: URL(fileURLWithPath: path)).count)
    }
    #expect(sizes[0] > sizes[1] && sizes[1] > sizes[2], "\(sizes)")
  }
}
