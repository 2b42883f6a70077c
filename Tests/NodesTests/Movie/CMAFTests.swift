import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers
@testable import Nodes

/// CMAF tracks, in the segments of streams and in files of their own; and the brands of files.
@Suite(.inTurn) struct CMAFTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func record(
    _ sinks: String, _ wires: String, video: String = "h264Encoder", bFrames: Int = 2,
    seconds: Int = 5
  ) throws -> Pipeline {
    let camera = """
      "camera": { "type": "testVideo", "width": 160, "height": 128, "frameRate": "30000/1001",
                  "seconds": \(seconds) },
      "video": { "type": "\(video)", "bFrames": \(bFrames), "keyFrameInterval": 1000 },
      """
    let tone = """
      "tone": { "type": "testAudio", "seconds": \(seconds) }, "audio": { "type": "aacEncoder" },
      """
    return try pipeline(
      """
      { "nodes": { \(wires.contains("camera") ? camera : "") \(wires.contains("tone") ? tone : "")
          \(sinks) },
        "wires": [\(wires)] }
      """)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))))
  }

  private func complaints(_ name: String) throws -> String {
    let words = "ffmpeg -v warning -i '\(scratch.path(name))' -f null - 2>&1 || echo failed"
    return String(decoding: try tool("sh", ["-c", words]), as: UTF8.self)
  }

  /// Segments of several tracks are CMAF where frames are decoded in the order in which they are shown.
  @Test(arguments: ["h264Encoder", "hevcEncoder"], [0, 2])
  func segmentsOfAStreamAreCMAF(_ video: String, bFrames: Int) async throws {
    let sink =
      #""stream": { "type": "hlsSink", "path": "\#(scratch.path("live"))", "segmentDuration": 1 }"#
    _ = try await record(
      sink, #""camera -> video -> stream.video", "tone -> audio -> stream.audio""#, video: video,
      bFrames: bFrames
    ).run()
    for (name, scale) in [("video1", 90_000.0), ("audio1", 48_000)] {
      let files = StreamFolder(folder: scratch.path("live"))
      let segments = files.names.filter { $0.hasPrefix(name) && $0.hasSuffix("m4s") }
      let checker = CMAFChecker(
        try files.bytes("\(name)-init.mp4"), segments: try segments.map(files.bytes),
        keepsDecodeTimes: bFrames > 0 && name == "video1")
      #expect(checker.faults == [])
      // The audio that the encoder holds back goes past the last border.
      #expect(checker.fragments.count == (name == "video1" ? 5 : 6), "\(checker.fragments)")
      #expect(checker.fragments.dropLast().allSatisfy { abs(Double($0.count) / scale - 1) < 0.04 })
    }
  }

  private static let tracks = [
    ("a.cmfv", "camera -> video -> movie.video", 150),
    ("a.cmfa", "tone -> audio -> movie.audio", 236),
  ]

  @Test(arguments: tracks) func aTrackFileIsCMAF(_ name: String, _ wire: String, _ count: Int)
    async throws
  {
    let sink = """
      "movie": { "type": "mp4Sink", "path": "\(scratch.path(name))", "segmentDuration": 1,
        "title": "A talk" }
      """
    let report = try await record(sink, "\"\(wire)\"").run()
    #expect(report.unbalanced == [] && report.warnings == nil)
    let bytes = try bytes(name)
    let checker = CMAFChecker(bytes, segments: [])
    #expect(checker.faults == [] && [5, 6].contains(checker.fragments.count))
    let wire = report.wires.first { $0.key.contains("movie") }
    #expect(checker.sampleCount == wire?.value.samplesOut)
    #expect(checker.sampleCount >= count)
    #expect(try complaints(name) == "" && packetCount(scratch.path(name)) == checker.sampleCount)
    let tags = ["-v", "error", "-show_entries", "format_tags", scratch.path(name)]
    let said = String(decoding: try tool("ffprobe", tags), as: UTF8.self)
    #expect(said.contains("major_brand=cmf2") && said.contains("title=A talk"), "\(said)")
    // A process that is killed leaves a fragment without its first eight bytes.
    let starts = bytes.ranges(of: Array("styp".utf8)).map { $0.lowerBound - 4 }
    for start in starts.dropFirst() {
      let rest = [UInt8](repeating: 0, count: 8) + bytes[(start + 8)...].prefix(300)
      _ = try scratch.write(bytes[..<start] + rest, to: "cut.mp4")
      #expect(try complaints("cut.mp4") == "" && packetCount(scratch.path("cut.mp4")) > 20)
    }
  }

  /// The checker finds what it is for.
  @Test func whatIsNotCMAFIsFound() async throws {
    let path = scratch.path("a.cmfv")
    let sink = #""movie": { "type": "mp4Sink", "path": "\#(path)", "segmentDuration": 1 }"#
    _ = try await record(sink, #""camera -> video -> movie.video""#, seconds: 2).run()
    let bytes = try bytes("a.cmfv")
    #expect(CMAFChecker(bytes, segments: []).faults == [])
    for (type, place) in [
      ("cmfc", 3), ("cmfs", 3), ("mvhd", 23), ("tkhd", 27), ("tfhd", 5), ("tfdt", 15), ("trun", 15),
      ("trex", 15), ("stsd", 11), ("mdat", 0),
    ] {
      var broken = bytes
      let start = try #require(bytes.ranges(of: Array(type.utf8)).last?.lowerBound)
      broken[start + place] ^= 2
      #expect(CMAFChecker(broken, segments: []).faults.count > 0, "\(type)")
    }
    let log = WriteLog()
    _ = try await EncodedTracks().write(to: log)
    #expect(CMAFChecker(log.file, segments: []).faults.count > 0)
  }

  @Test(arguments: [
    ("a.cmfv", #", "chapters": [{ "time": 0, "title": "x" }]"#, "chapters"),
    ("a.cmfv", #", "playlist": true"#, "playlist"),
    ("a.cmfv", #", "crashSafe": false"#, "crashSafe"), ("{number}.cmfv", "", "path"),
    ("a.cmfa", "", "path"), ("a.cmfv", #", "brand": "isom""#, "brand"),
    ("a.mov", #", "brand": "isom""#, "brand"), ("a.mp4", #", "brand": "long one""#, "brand"),
    ("a.mp4", #", "brand": "mé4""#, "brand"), ("a.cmfx", "", "path"),
  ])
  func whatDoesNotGoTogetherIsAProblem(_ name: String, _ more: String, _ key: String) throws {
    let sink = #""movie": { "type": "mp4Sink", "path": "\#(scratch.path(name))"\#(more) }"#
    let error = #expect(throws: GraphErrors.self) {
      try record(sink, #""camera -> video -> movie.video""#)
    }
    #expect(error?.diagnostics.first?.key == key, "\(String(describing: error))")
  }

  @Test func aTrackFileHoldsOneTrack() throws {
    let sink = #""movie": { "type": "mp4Sink", "path": "\#(scratch.path("a.cmfv"))" }"#
    let error = #expect(throws: GraphErrors.self) {
      try record(sink, #""camera -> video -> movie.video", "tone -> audio -> movie.audio""#)
    }
    #expect("\(String(describing: error))".contains("by itself, and audio, video are wired"))
  }

  /// The first is the file's own, and all are those that it is compatible with.
  @Test(arguments: [
    ("a.mp4", "", "isom isom iso2 iso6 avc1 mp41"),
    ("a.m4v", "", "M4V  M4V  mp42 isom iso2 iso6 avc1 mp41"),
    ("a.m4a", "", "M4A  M4A  mp42 isom iso2 iso6 mp41"),
    ("a.m4b", "", "M4B  M4B  mp42 isom iso2 iso6 mp41"), ("a.mov", "", "qt   qt  "),
    ("a.mp4", #", "brand": "mp42""#, "mp42 mp42 isom iso2 iso6 avc1 mp41"),
  ])
  func filesSayWhatTheyAre(_ name: String, _ more: String, _ brands: String) async throws {
    let sink = #""movie": { "type": "mp4Sink", "path": "\#(scratch.path(name))"\#(more) }"#
    let isAudio = name.hasSuffix("a") || name.hasSuffix("b")
    let wire = isAudio ? #""tone -> audio -> movie.audio""# : #""camera -> video -> movie.video""#
    _ = try await record(sink, wire, seconds: 1).run()
    let bytes = try bytes(name)
    let type = bytes[8..<Int(bytes[3])]
    let words = stride(from: 8, to: type.endIndex, by: 4).filter { $0 != 12 }.map {
      String(decoding: bytes[$0..<$0 + 4], as: UTF8.self)
    }
    #expect(words.joined(separator: " ") == brands)
    #expect(try complaints(name) == "")
  }
}
