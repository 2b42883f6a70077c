import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers
@testable import Nodes

/// Movies that are streams in segments, with a playlist beside them.
@Suite(.inTurn) struct PlaylistTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  private func record(_ parameters: String) throws -> Pipeline {
    try pipeline(
      """
      { "nodes": {
          "pictures": { "type": "testVideo", "width": 160, "height": 120, "seconds": 7 },
          "video": { "type": "h264Encoder", "bFrames": 2, "keyFrameInterval": 30 },
          "tone": { "type": "testAudio", "seconds": 7 }, "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(scratch.path("a.mp4"))"\(parameters) } },
        "wires": ["pictures -> video -> movie.video", "tone -> audio -> movie.audio"] }
      """)
  }

  private func decoded(_ path: String, _ map: String) throws -> [Substring] {
    let output = try tool(
      "ffmpeg", ["-v", "error", "-i", path, "-map", map, "-f", "framemd5", "-"])
    return String(decoding: output, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.compactMap { $0.split(separator: ",").last }
  }

  @Test func theStreamIsTheMovie() async throws {
    let run = try record(#", "playlist": true, "segmentDuration": 2"#)
    #expect(try await run.run().unbalanced == [])
    let list = try String(contentsOfFile: scratch.path("a.m3u8"), encoding: .utf8)
    let lengths = list.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
    #expect(
      lengths.prefix(3) == ["#EXTINF:2.000000,", "#EXTINF:2.000000,", "#EXTINF:2.000000,"])
    #expect(lengths.count == 4 && list.contains("#EXT-X-TARGETDURATION:2\n"))
    #expect(list.hasSuffix("#EXT-X-ENDLIST\n"))
    for path in [scratch.path("a.m3u8"), scratch.path("a.mp4")] {
      let words = "ffmpeg -v warning -i '\(path)' -f null - 2>&1 || echo failed"
      #expect(try tool("sh", ["-c", words]).isEmpty)
    }
    #expect(try decoded(scratch.path("a.m3u8"), "0:v").count == 210)
    #expect(
      try decoded(scratch.path("a.m3u8"), "0:v") == decoded(scratch.path("a.mp4"), "0:v"))
  }

  /// The lengths of all segments are that of the movie, also where the encoder holds more frames back than
  /// the last has.
  @Test(arguments: [1, 2, 5]) func theLastSegmentIsAsLongAsItsFrames(count: Int) async throws {
    let path = scratch.path("a.mp4")
    _ = try await pipeline(
      """
      { "nodes": {
          "pictures": { "type": "testVideo", "width": 64, "height": 48, "frameRate": 25,
                        "frames": \(50 + count) },
          "video": { "type": "h264Encoder" },
          "movie": { "type": "mp4Sink", "path": "\(path)", "playlist": true,
                     "segmentDuration": 1 } },
        "wires": ["pictures -> video -> movie.video"] }
      """
    ).run()
    let list = try String(contentsOfFile: scratch.path("a.m3u8"), encoding: .utf8)
    let lengths = list.matches(of: /EXTINF:([\d.]+)/).compactMap { Double($0.output.1) }
    #expect(lengths.prefix(2) == [1, 1])
    #expect(abs((lengths.last ?? 0) - Double(count) / 25) < 0.000_1, "\(lengths)")
  }

  /// Each range of bytes begins with a key frame, and holds what its length says.
  @Test func everySegmentIsIndependent() async throws {
    _ = try await record(#", "playlist": true, "segmentDuration": 1"#).run()
    let list = try String(contentsOfFile: scratch.path("a.m3u8"), encoding: .utf8)
    let data = Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("a.mp4"))))
    let ranges = list.matches(of: /BYTERANGE[:=]"?(\d+)@(\d+)/).map { match in
      let (count, start) = (Int(match.output.1)!, Int(match.output.2)!)
      return start..<(start + count)
    }
    #expect(ranges.count == 8)
    let head = try #require(ranges.first)
    for range in ranges.dropFirst() {
      let path = try scratch.write(data[head] + data[range], to: "segment.mp4")
      let words = ["-v", "error", "-select_streams", "v", "-show_entries", "packet=flags"]
      let flags = String(
        decoding: try tool("ffprobe", words + ["-of", "csv=p=0", path]), as: UTF8.self
      ).split(separator: "\n")
      #expect(flags.count == 30 && flags.first?.hasPrefix("K") == true, "\(flags.count)")
    }
    #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
  }

  @Test func itGrowsWhileTheMovieIsRecorded() async throws {
    let tracks = try await EncodedTracks(seconds: 5)
    var settings = MovieWriter.Settings()
    settings.segmentDuration = 2_000_000_000
    var movie = MovieWriter([.init(), .init()], settings: settings, to: WriteLog())
    for (track, format) in tracks.formats.enumerated() { movie.begin(track, format) }
    var playlist = Playlist(of: scratch.path("a.mp4"), segmentDuration: 2_000_000_000)
    var counts: Set<Int> = []
    for (track, sample) in tracks.interleaved() {
      try movie.append(sample.known, sample.bytes.span, to: track)
      try playlist.update(&movie.segments, isComplete: false)
      guard let list = try? String(contentsOfFile: playlist.path, encoding: .utf8) else { continue }
      #expect(list.contains("#EXT-X-PLAYLIST-TYPE:EVENT\n") && !list.contains("ENDLIST"))
      counts.insert(list.split(separator: "\n").count { $0.hasPrefix("#EXTINF") })
    }
    #expect(counts == [1, 2])
    try movie.finish()
    try playlist.update(&movie.segments, isComplete: true)
    let list = try String(contentsOfFile: playlist.path, encoding: .utf8)
    #expect(list.contains("#EXT-X-PLAYLIST-TYPE:VOD\n") && list.hasSuffix("#EXT-X-ENDLIST\n"))
    #expect(list.split(separator: "\n").count { $0.hasPrefix("#EXTINF") } == 3)
  }

  /// A batch tries again what a full disk ended.
  @Test func aFullDiskIsCalledThat() async throws {
    let tracks = try await EncodedTracks(seconds: 5)
    var settings = MovieWriter.Settings()
    settings.segmentDuration = 2_000_000_000
    var movie = MovieWriter([.init(), .init()], settings: settings, to: WriteLog())
    for (track, format) in tracks.formats.enumerated() { movie.begin(track, format) }
    var playlist = Playlist(of: scratch.path("a.mp4"), segmentDuration: 2_000_000_000)
    try FileManager.default.createSymbolicLink(
      atPath: playlist.path, withDestinationPath: "/dev/full")
    let error = try #require(throws: NodeError.self) {
      for (track, sample) in tracks.interleaved() {
        try movie.append(sample.known, sample.bytes.span, to: track)
        try playlist.update(&movie.segments, isComplete: false)
      }
    }
    #expect(error.isOutOfRoom && error.remedy.hasPrefix("make room"), "\(error)")
  }

  @Test(arguments: [
    ("a b.mp4", "a b.mp4"), ("a#1?.mp4", "a%231%3F.mp4"), ("\"50 %\".mp4", "%2250 %25%22.mp4"),
    ("grün.mp4", "grün.mp4"), ("a\nb.mp4", "a%0Ab.mp4"),
  ])
  func namesAreReferences(_ name: String, _ reference: String) {
    #expect(StreamText.reference(to: name) == reference)
  }

  @Test(arguments: [
    (#""crashSafe": false"#, "crashSafe"),
    (#""optimizeForNetworkUse": true"#, "optimizeForNetworkUse"),
  ])
  func whatHasNoSegmentsIsAProblem(_ parameter: String, _ key: String) throws {
    let error = #expect(throws: GraphErrors.self) {
      try record(#", "playlist": true, "# + parameter)
    }
    #expect(error?.diagnostics.first?.key == key)
  }
}
