import Foundation
import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct PrintingTests {
  @Test func `a plan prints stages, nodes and wires as tables`() throws {
    let plan = try Plan(Pictures.record.graph)
    let lines = "\(plan)".split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "stage  nodes")
    #expect(lines.contains("0      look"))
    #expect(
      lines.contains { $0.hasPrefix("convert:camera-look") && $0.hasSuffix("pixelFormat=i420") })
    #expect(lines.contains { $0.hasPrefix("movie ") && $0.hasSuffix("path=a.mp4") })
    #expect(lines.contains { $0.hasPrefix("look.out -> video.in ") && $0.hasSuffix(" link") })
    #expect(
      lines.contains {
        $0.hasPrefix("audio.out -> movie.audio ") && $0.contains("queue 2.6 s, 499.2 KiB")
          && $0.hasSuffix("first within 5 s")
      })
    #expect(lines.allSatisfy { !$0.hasSuffix(" ") })
  }

  @Test func `stages list their nodes in order of the calls`() throws {
    let plan = try Plan(Pictures.studio.graph)
    #expect("\(plan)".contains("switcher, titles, grade"))
    #expect("\(plan)".contains("mixer, compressor, limiter, loudness, waveform"))
  }

  @Test func `a listing says it all, and reads back as it was written`() throws {
    let listing = PlanListing(try Plan(Pictures.record.graph))
    let data = try JSONEncoder().encode(listing)
    #expect(try JSONDecoder().decode(PlanListing.self, from: data) == listing)
    let converter = try #require(listing.nodes.first { $0.name == "convert:camera-look" })
    #expect(converter.isInserted && converter.parameters == ["pixelFormat": "i420"])
    #expect(listing.nodes.first { $0.name == "video" }?.latency == 1.5)
    let wire = try #require(listing.wires.first { $0.from.node == "camera" })
    #expect(wire.lowering == "queue" && wire.queue?.dropsWhenNotReady == true)
    #expect(listing.wires.first { $0.to.node == "look" }?.lowering == "link")
  }

  @Test func `the same graph gives the same plan`() throws {
    #expect(try Plan(Pictures.studio.graph) == Plan(Pictures.studio.graph))
  }

  @Test(arguments: [(512, "512 B"), (2048, "2 KiB"), (1_572_864, "1.5 MiB"), (3 << 30, "3 GiB")])
  func `bytes are said in their largest unit`(bytes: Int, text: String) {
    #expect(bytes.shortBytes == text)
  }
}
