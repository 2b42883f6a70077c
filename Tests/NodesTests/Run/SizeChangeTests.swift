import Foundation
import GraphKit
import Nodes
import Testing

extension RunTests {
  /// A stream whose pictures change their size on the way.
  @Suite struct SizeChangeTests {
    let folder: TestFolder
    let input: String

    init() throws {
      folder = try TestFolder()
      var bytes = Data()
      for (number, size) in ["320x240", "640x360"].enumerated() {
        let part = folder.path("\(number).ts")
        try ffmpeg(
          "-f lavfi -i testsrc=s=\(size):d=1:r=25 -c:v libx264 -bf 0 -output_ts_offset \(number)",
          "-f mpegts", to: part)
        bytes += try Data(contentsOf: URL(fileURLWithPath: part))
      }
      input = try folder.write(bytes, to: "sizes.ts")
    }

    @Test("a copy into one movie describes both sizes", arguments: ["mp4", "mov"])
    func aCopyHasBothSizes(ending: String) async throws {
      let path = folder.path("a.\(ending)")
      let run = try pipeline(
        """
        { "nodes": { "file": { "type": "file", "path": "\(input)" },
                     "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["file.video -> movie.video"] }
        """)
      let report = try await run.run()
      #expect(report.unbalanced == [] && report.warnings == nil)
      #expect(try decodeComplaints(path) == "")
      #expect(
        try frameSizes(path)
          == Array(repeating: "320,240", count: 25) + Array(repeating: "640,360", count: 25))
      let checker = try BoxChecker(path)
      #expect(checker.faults == [])
      #expect(
        checker.tracks.first?.descriptions
          == Array(repeating: 1, count: 25) + Array(repeating: 2, count: 25))
    }

    @Test func aMovieInSegmentsHasOneSize() async throws {
      let path = folder.path("a.mp4")
      let run = try pipeline(
        """
        { "nodes": { "file": { "type": "file", "path": "\(input)" },
                     "movie": { "type": "mp4Sink", "path": "\(path)", "playlist": true } },
          "wires": ["file.video -> movie.video"] }
        """)
      let error = await #expect(throws: RunError.self) { try await run.run() }
      let failure = try #require(error?.report.failure)
      #expect(failure.node == "movie")
      #expect(failure.message.contains("changed from 320x240 to 640x360"), "\(failure)")
      #expect(error?.report.unbalanced == [])
      #expect(try decodeComplaints(path) == "")
    }

    @Test("another size begins a part of a movie in parts, and no frame is lost")
    func partsHaveOneSizeEach() async throws {
      let run = try pipeline(
        """
        { "nodes": { "file": { "type": "file", "path": "\(input)" },
                     "movie": { "type": "mp4Sink", "path": "\(folder.path("a-{number}.mp4"))" } },
          "wires": ["file.video -> movie.video"] }
        """)
      let report = try await run.run()
      #expect(report.unbalanced == [] && report.warnings == nil)
      var frames = 0
      for (number, size) in ["320,240", "640,360"].enumerated() {
        let path = folder.path("a-0000\(number + 1).mp4")
        let sizes = try frameSizes(path)
        #expect(Set(sizes) == [Substring(size)], "\(path)")
        #expect(try decodeComplaints(path) == "")
        frames += sizes.count
      }
      #expect(frames == 50)
    }

    private func frameSizes(_ path: String) throws -> [Substring] {
      let words = ["-v", "error", "-show_entries", "frame=width,height", "-of", "csv=p=0", path]
      return String(decoding: try tool("ffprobe", words, inSilence: true), as: UTF8.self)
        .split(whereSeparator: \.isNewline).map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
    }

    @Test func aTranscodeHasOneSize() async throws {
      let path = folder.path("a.mp4")
      let run = try pipeline(
        """
        { "nodes": { "file": { "type": "file", "path": "\(input)" },
                     "pictures": { "type": "decoder", "media": "video" }, "video": { "type": "h264Encoder" },
                     "movie": { "type": "mp4Sink", "path": "\(path)" } },
          "wires": ["file.video -> pictures -> video -> movie.video"] }
        """)
      let report = await { () async -> Report in
        run.start()
        return await run.report()
      }()
      #expect(report.unbalanced == [])
      #expect(report.state == .completed || report.failure?.message.contains("format") == true)
      #expect(try decodeComplaints(path) == "")
    }
  }
}
