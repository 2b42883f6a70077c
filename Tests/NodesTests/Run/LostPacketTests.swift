import Foundation
import GraphKit
import Testing

extension FileTests {
  /// Video of whose file a piece was written over: its readers say nothing of what they leave out.
  @Suite struct LostPacketTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    private static let codecs = [
      "a.mkv": "libx264 -preset ultrafast -g 25", "a.webm": "libvpx -b:v 1M", "a.ogv": "libtheora",
      "a.flv": "flv1", "a.mp4": "libx264 -preset ultrafast -g 25",
    ]

    private func source(_ name: String, rate: String = "r=25") throws -> String {
      let path = scratch.path(name)
      try ffmpeg(
        "-f lavfi -i testsrc2=s=320x240:d=4:\(rate) -c:v \(Self.codecs[name] ?? "")", to: path)
      return path
    }

    private func damage(_ path: String) throws {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let place = bytes.count * 6 / 10
      bytes.replaceSubrange(place..<place + 4_000, with: Data(count: 4_000))
      try bytes.write(to: URL(fileURLWithPath: path))
    }

    private func warnings(_ path: String, through nodes: String = "") async throws -> [String] {
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "out": { "type": "nullSink" }
            \(nodes.isEmpty ? "" : #", "d": { "type": "decoder" }"#) },
          "wires": ["in.video -> \(nodes) out"] }
        """)
      return try await run.run().warnings?.map(\.message) ?? []
    }

    @Test(
      "where packets are missing is a warning, of copies as well",
      arguments: ["a.mkv", "a.webm", "a.ogv", "a.flv"], ["", "d ->"])
    func lost(name: String, nodes: String) async throws {
      let path = try source(name)
      #expect(try await warnings(path, through: nodes) == [])
      try damage(path)
      let found = try await warnings(path, through: nodes).filter {
        $0.hasPrefix("`\(path)` is damaged at byte ") && $0.contains("in.video has no packets from")
      }
      #expect(found.count == 1)
    }

    @Test("that frames can't be decoded is a warning")
    func undecoded() async throws {
      let path = try source("a.mp4")
      #expect(try await warnings(path, through: "d ->") == [])
      try damage(path)
      let found = try await warnings(path, through: "d ->")
      let words = "the file is damaged: a frame or more can't be decoded"
      #expect(found.count { $0.hasPrefix(words) } == 1)
    }

    @Test("a pause of a whole file is none", arguments: ["a.mkv", "a.webm", "a.ogv", "a.flv"])
    func pause(name: String) async throws {
      let path = try source(name, rate: "r=25,select='lt(t\\,1)+gt(t\\,3)'")
      #expect(try await warnings(path) == [])
    }

    @Test("a recording without sizes isn't damaged")
    func live() async throws {
      let (path, damaged) = (scratch.path("live.mkv"), scratch.path("damaged.mkv"))
      try ffmpeg(
        "-f lavfi -i testsrc2=s=320x240:d=4:r=25,select='lt(t\\,1)+gt(t\\,3)'",
        "-c:v libx264 -preset ultrafast -g 25 -f matroska -live 1", to: path)
      #expect(try await warnings(path) == [])
      try FileManager.default.copyItem(atPath: path, toPath: damaged)
      try damage(damaged)
      #expect(try await warnings(damaged).count { $0.contains("is damaged at byte") } == 1)
    }
  }
}
