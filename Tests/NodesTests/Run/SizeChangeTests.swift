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

    /// An encoder holds frames back only once some have come: after few of them, those of the next size
    /// would be decoded before.
    @Test("frames of a size that comes soon are all there", arguments: [1, 2, 3])
    func comesSoon(count: Int) async throws {
      let path = folder.path("a.mp4")
      var graph = GraphBuilder(catalog: .builtIn)
      let source = graph.add("sizes", Sizes.with { $0.first = count })
      let encoder = graph.add("encoder", H264Encoder())
      let movie = graph.add("movie", MP4Sink()) { $0.path = path }
      graph.connect(source.port("out", as: Video.self), to: encoder.port("in", as: Video.self))
      graph.connect(
        encoder.port("out", as: EncodedVideo.self),
        to: movie.port("video", as: EncodedVideo.self))
      let report = try await Pipeline(
        Plan(graph.build(in: LiveEnvironment())), environment: LiveEnvironment()
      ).run()
      #expect(report.unbalanced == [] && report.warnings == nil)
      #expect(try decodeComplaints(path) == "")
      let sizes = (0..<50).map { $0 < count ? "320,240" : "160,120" }
      #expect(try frameSizes(path).map(String.init) == sizes)
      #expect(try BoxChecker(path).faults == [])
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

/// Two seconds of grey frames, of which the first are larger.
private struct Sizes: SourceNode {
  var first = 1
  private var sent = 0

  static let declaration = NodeDeclaration<Sizes>(
    "sizes", role: .source, help: "Frames.", example: "sizes -> nullSink", parameters: [])
  static let ports = SourcePorts<Video>(.video([.i420]), help: "Frames.")

  func start(to outputs: NodeOutputs) {}

  mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard sent < 50 else { return false }
    let (width, height) = sent < first ? (320, 240) : (160, 120)
    let format = VideoFormat(.i420, width: width, height: height, frameRate: Rational(25))
    let bytes = [UInt8](repeating: UInt8(60 + sent), count: width * height * 3 / 2)
    var frame = SampleBuffer(bytes: bytes, format: try FormatDescription(.video(format)))
    frame.presentationTime = MediaTime(value: Int64(sent), timescale: 25)
    frame.duration = MediaTime(value: 1, timescale: 25)
    sent += 1
    try outputs.send(frame)
    return true
  }
}
