import Foundation
import GraphKit
import Nodes
import Testing

extension FileTests {
  /// Movies whose first samples are in the index, and all others in fragments.
  @Suite struct PartlyFragmentedTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// Two seconds, of which the index has the first samples.
    private func movie(
      _ codec: String = "aac", bFrames: Int, _ fragments: String = "-movflags +frag_keyframe"
    ) throws -> String {
      let path = scratch.path("a.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x90:r=25:d=2 -f lavfi -i sine=r=48000:d=2 -c:v libx264",
        "-preset ultrafast -bf \(bFrames) -b_strategy 0 -g 25 -pix_fmt yuv420p -c:a \(codec)",
        fragments, to: path)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      try #require(bytes.range(of: Data("moof".utf8)) != nil)
      let counts = bytes.ranges(of: Data("stsz".utf8)).map { bytes[$0.upperBound + 11] }
      try #require(counts.allSatisfy { $0 > 0 })
      return path
    }

    private func run(_ path: String, _ sink: String, _ wires: String) async throws {
      let report = try await pipeline(
        """
        { "nodes": { "in": { "type": "file", "path": "\(path)" }, "out": { \(sink) } },
          "wires": [\(wires)] }
        """
      ).run()
      #expect(report.unbalanced == [] && report.warnings == nil)
    }

    @Test(
      "a copy has all samples, with the distance between the tracks", arguments: [0, 2],
      ["-movflags +frag_keyframe", "-frag_duration 100000 -movflags +skip_trailer"])
    func copies(bFrames: Int, fragments: String) async throws {
      let (path, copy) = (try movie(bFrames: bFrames, fragments), scratch.path("out.mp4"))
      try await run(
        path, "\"type\": \"mp4Sink\", \"path\": \"\(copy)\"",
        #""in.video -> out.video", "in.audio -> out.audio""#)
      #expect(try probe(copy).map(\.frames) == [50, 95])
      #expect(try decodeComplaints(copy) == "")
      #expect(try decodedSound(of: copy) == decodedSound(of: path))
      #expect(try decodeChecksums(copy) == decodeChecksums(path))
      #expect(try decodeChecksums(copy).count == 50)
      #expect(try probe(copy).map(\.start) == probe(path).map(\.start))
    }

    @Test(
      "all of the sound is decoded", arguments: ["aac", "libmp3lame"],
      ["-movflags +frag_keyframe", "-frag_duration 100000 -movflags +skip_trailer"])
    func decodes(codec: String, fragments: String) async throws {
      let (path, wave) = (try movie(codec, bFrames: 0, fragments), scratch.path("out.wav"))
      try await run(path, "\"type\": \"wavSink\", \"path\": \"\(wave)\"", "\"in.audio -> out\"")
      let (expected, sound) = (try decodedSound(of: path), try decodedSound(of: wave))
      #expect(sound.count == expected.count && sound.count > 95_000)
    }

    /// The checksums of a movie's frames.
    private func decodeChecksums(_ path: String) throws -> [Substring] {
      let words = [
        "-v", "error", "-i", path, "-map", "0:v", "-vsync", "passthrough", "-f", "framemd5", "-",
      ]
      return String(decoding: try tool("ffmpeg", words), as: UTF8.self)
        .split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: " ").last }
    }
  }
}
