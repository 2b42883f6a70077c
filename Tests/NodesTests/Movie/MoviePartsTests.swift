import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers
@testable import Nodes

/// Movies in parts.
@Suite(.inTurn) struct MoviePartsTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func record(
    _ name: String, _ parameters: String = "", seconds: Int = 7, isLive: Bool = false
  ) throws -> Pipeline {
    try pipeline(
      """
      { "nodes": {
          "pictures": { "type": "testVideo", "width": 160, "height": 120, "seconds": \(seconds),
                        "frameRate": "30000/1001", "live": \(isLive) },
          "video": { "type": "h264Encoder", "bFrames": 2, "keyFrameInterval": 1000, "threads": 1 },
          "tone": { "type": "testAudio", "seconds": \(seconds), "live": \(isLive) },
          "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(scratch.path(name))"\(parameters) } },
        "wires": ["pictures -> video -> movie.video", "tone -> audio -> movie.audio"] }
      """)
  }

  private var parts: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: scratch.folder)) ?? [])
      .filter { $0.hasPrefix("p-") }.sorted()
  }

  /// The samples of a track: a checksum of each.
  private func samples(_ name: String, _ track: String) throws -> [Substring] {
    let words = ["-v", "error", "-select_streams", track, "-show_entries", "packet=data_hash"]
    let output = try tool(
      "ffprobe", words + ["-show_data_hash", "md5", "-of", "csv=p=0", scratch.path(name)])
    return String(decoding: output, as: UTF8.self).split(separator: "\n").map {
      $0.drop { $0 != "M" }.prefix(36)
    }
  }

  @Test func thePartsAreTheMovie() async throws {
    // The same key frames, in a single file.
    _ = try await record("whole.mp4", #", "playlist": true, "segmentDuration": 2"#).run()
    let report = try await record("p-{number}.mp4", #", "splitEvery": 2"#).run()
    #expect(report.unbalanced == [] && report.warnings == nil)
    #expect(parts == (1...4).map { "p-0000\($0).mp4" })
    #expect(report.outputs.map(\.path) == parts.map(scratch.path))
    for track in ["v", "a"] {
      let all = try parts.flatMap { try samples($0, track) }
      #expect(all.count > 200)
      #expect(try all == samples("whole.mp4", track))
    }
    for part in parts {
      #expect(try decodeComplaints(scratch.path(part)) == "")
      let movie = try MovieReader.read(scratch.path(part))
      #expect(!movie.isFragmented && movie.tracks.map(\.codec) == ["avc1", "mp4a"])
      #expect(movie.tracks[0].start == 0 && movie.tracks[1].start < 0.022, "\(movie)")
      #expect(abs(movie.tracks[0].duration - movie.tracks[1].duration) < 0.06, "\(movie)")
    }
  }

  /// Records six seconds of parts of two, with texts; returns what ffmpeg reads of each part.
  private func texts(_ text: String) async throws -> [[Subtitle]] {
    let file = try scratch.write(Array(text.utf8), to: "a.srt")
    let run = try pipeline(
      """
      { "nodes": { "pictures": { "type": "testVideo", "width": 160, "height": 120, "seconds": 6 },
          "video": { "type": "h264Encoder" }, "text": { "type": "subtitles", "path": "\(file)" },
          "movie": { "type": "mp4Sink", "path": "\(scratch.path("p-{number}.mp4"))",
                     "splitEvery": 2 } },
        "wires": ["pictures -> video -> movie.video", "text -> movie.text"] }
      """)
    let report = try await run.run()
    #expect(report.unbalanced == [] && report.warnings == nil, "\(report)")
    return try parts.map { part in
      #expect(try decodeComplaints(scratch.path(part)) == "")
      let words = ["-v", "error", "-i", scratch.path(part), "-map", "0:s", "-f", "webvtt", "-"]
      let found = String(decoding: try tool("ffmpeg", words), as: UTF8.self)
      return found.contains("-->") ? try SubtitleFile.parse(found[...], part) : []
    }
  }

  @Test func aTextThatIsShownWhereAPartBeginsIsInBoth() async throws {
    let found = try await texts(
      """
      1
      00:00:00,500 --> 00:00:01,000
      first

      2
      00:00:01,500 --> 00:00:04,500
      long

      3
      00:00:03,000 --> 00:00:03,500
      beside

      4
      00:00:05,000 --> 00:00:05,500
      last
      """)
    #expect(
      found == [
        [
          Subtitle(start: 500, end: 1_000, text: "first"),
          Subtitle(start: 1_500, end: 2_000, text: "long"),
        ],
        [
          Subtitle(start: 0, end: 1_000, text: "long"),
          Subtitle(start: 1_000, end: 1_500, text: "long\nbeside"),
          Subtitle(start: 1_500, end: 2_000, text: "long"),
        ],
        [
          Subtitle(start: 0, end: 500, text: "long"),
          Subtitle(start: 1_000, end: 1_500, text: "last"),
        ],
      ])
  }

  /// When the packets of a track are presented, in milliseconds, in order.
  private func times(_ name: String, _ track: String) throws -> [Int] {
    let words = ["-v", "error", "-select_streams", track, "-show_entries", "packet=pts_time"]
    let output = try tool("ffprobe", words + ["-of", "csv=p=0", scratch.path(name)])
    return String(decoding: output, as: UTF8.self).split(whereSeparator: { ",\n".contains($0) })
      .compactMap { Double($0) }.map { Int(($0 * 1_000).rounded()) }.sorted()
  }

  private func start(_ name: String) throws -> Double {
    let words = ["-v", "error", "-show_entries", "format=start_time", "-of", "csv=p=0"]
    let output = try tool("ffprobe", words + [scratch.path(name)])
    return Double(String(decoding: output, as: UTF8.self).dropLast()) ?? -1
  }

  /// With their times kept, the parts are the movie packet by packet; also those of a killed process,
  /// and those that were repaired.
  @Test func partsGoOnInTime() async throws {
    _ = try await record("whole.mp4", #", "playlist": true, "segmentDuration": 2"#).run()
    let keep = #", "splitEvery": 2, "keepTimes": true"#
    let report = try await record("p-{number}.mp4", keep).run()
    #expect(report.unbalanced == [] && report.warnings == nil && parts.count == 4)
    for part in parts {
      let cut = try scratch.write(fragments(of: scratch.path(part)), to: "cut-\(part)")
      let repaired = try scratch.write(fragments(of: scratch.path(part)), to: "whole-\(part)")
      #expect(try MovieRepair.repair(repaired).wasFragmented)
      for path in [scratch.path(part), cut, repaired] {
        #expect(try decodeComplaints(path) == "")
      }
      for path in [scratch.path(part), repaired] { #expect(try BoxChecker(path).faults == []) }
    }
    for track in ["v", "a"] {
      let whole = try times("whole.mp4", track)
      for kind in ["", "cut-", "whole-"] {
        let found = try parts.flatMap { try times(kind + $0, track) }
        #expect(found.count == whole.count, "\(track) of \(kind)")
        #expect(zip(found, whole).allSatisfy { abs($0 - $1) <= 1 }, "\(kind): \(found), \(whole)")
      }
    }
    for (number, part) in parts.enumerated() {
      for kind in ["", "cut-", "whole-"] {
        #expect(abs(try start(kind + part) - 2.002 * Double(number)) < 0.04, "\(kind)\(part)")
      }
    }
  }

  @Test func partsHaveTheirSize() async throws {
    let report = try await record("p-{number}.mp4", #", "splitSize": 150000"#, seconds: 20).run()
    #expect(report.unbalanced == [] && report.warnings == nil && parts.count > 3)
    for output in report.outputs { #expect((output.bytes ?? 0) < 160_000, "\(output)") }
    let counts = try parts.map { try samples($0, "v").count }
    #expect(counts.reduce(0, +) == 600 || counts.reduce(0, +) == 599, "\(counts)")
  }

  @Test func theOldestPartsGo() async throws {
    _ = try scratch.write([1, 2, 3], to: "p-00007.mp4")
    let keep = #", "splitEvery": 1, "keepParts": 3"#
    let report = try await record("p-{number}.mp4", keep).run()
    #expect(parts == ["p-00012.mp4", "p-00013.mp4", "p-00014.mp4"])
    #expect(report.outputs.map(\.path) == parts.map(scratch.path))
  }

  @Test func aPartBeginsOnRequest() async throws {
    let run = try record("p-{date}-{time}-{number}.mp4", seconds: 5, isLive: true)
    run.start()
    #expect(await run.reaches(1.5))
    try run.split()
    let report = try await run.end()
    #expect(report.unbalanced == [] && parts.count == 2)
    #expect(parts.allSatisfy { $0.contains(/^p-20\d\d-\d\d-\d\d-\d\d-\d\d-\d\d-0000[12].mp4$/) })
    for (track, input) in [("v", "video"), ("a", "audio")] {
      let wire = report.wires.first { $0.key.hasSuffix("-> movie.\(input)") }
      let count = try parts.reduce(0) { try $0 + samples($1, track).count }
      #expect(count == wire?.value.samplesOut)
    }
    for part in parts { #expect(try decodeComplaints(scratch.path(part)) == "") }
  }

  @Test(arguments: [
    (#", "splitEvery": 2"#, "a.mp4", "splitEvery"), (#", "keepParts": 2"#, "a.mp4", "keepParts"),
    (#", "playlist": true"#, "{number}.mp4", "playlist"),
    (#", "keepTimes": true"#, "a.mp4", "keepTimes"),
    (#", "optimizeForNetworkUse": true"#, "{time}.mp4", "optimizeForNetworkUse"),
  ])
  func whatDoesNotGoTogetherIsAProblem(_ parameters: String, _ name: String, _ key: String) {
    let error = #expect(throws: GraphErrors.self) { try record(name, parameters) }
    #expect(error?.diagnostics.first?.key == key)
  }

  @Test func aSingleFileIsNotSplit() async throws {
    let run = try record("a.mp4", seconds: 1)
    #expect(throws: NodeError.self) { try run.split() }
    run.cancel()
    _ = await run.report()
  }

  /// However the tracks are interleaved, each sample is written once, in its track's order, and a
  /// part's first sample of each track is a key frame from its beginning on.
  @Test(arguments: 0..<40)
  func everySampleIsWrittenOnce(_ seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var splitter = PartSplitter(trackCount: 3, leader: 1)
    var next = [0, 0, 0]
    var written: [[Int]] = [[], [], []]
    var part = 0
    var parts: [[Int]] = [[], [], []]
    var borders: [Int] = [0]
    func take() {
      while let step = splitter.next() {
        switch step {
        case .split: part += 1
        case .write(let held, let track):
          written[track].append(Int(held.sample.presentation))
          if parts[track].count == part { parts[track].append(Int(held.sample.presentation)) }
        }
      }
    }
    while next.contains(where: { $0 < 200 }) {
      let track = Int(random.next() % 3)
      guard next[track] < 200 else { continue }
      // A leader of key frames at every tenth sample; others have some of their own.
      let isKey = track == 0 || next[track] % (track == 1 ? 10 : 7) == 0
      let begins = track == 1 && isKey && next[track] > 0 && next[track] % 30 == 0
      if begins { borders.append(next[track]) }
      let sample = MovieSample(
        presentation: Int64(next[track]), decode: Int64(next[track]), duration: 1, isSync: isKey)
      splitter.append(.init(sample: sample, bytes: []), to: track, beginsPart: begins)
      next[track] += 1
      take()
    }
    for track in 0..<3 { splitter.end(track) }
    take()
    #expect(written == Array(repeating: Array(0..<200), count: 3))
    #expect(parts[1] == borders && part == borders.count - 1)
    #expect(parts[0] == borders)
    for (first, border) in zip(parts[2], borders) { #expect(first >= border && first % 7 == 0) }
  }
}

/// Numbers that a seed decides.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
