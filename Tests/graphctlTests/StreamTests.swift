import Foundation
import GraphKit
import TestTools
import Testing

/// Streams as the program writes them: what it says of them, and what a failure leaves.
@Suite(.inTurnOrAlone) struct StreamTests {
  @Test func theGraphOfALiveStreamRuns() async throws {
    let folder = try Folder()
    let graph = GraphFileTests.graphs.appending(path: "live-stream.json").path
    let result = try await Graphctl.run(["run", graph, "--set", "seconds=1"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("live/master.m3u8: ") && result.output.contains("live: "))
    #expect(await Decoded.complaints(of: "live/master.m3u8", in: folder) == "")
    #expect(await Decoded.complaints(of: "\(folder.path)/live/manifest.mpd", in: folder) == "")
    let again = try await Graphctl.run(["run", graph, "--set", "seconds=1"], in: folder)
    #expect(again.status != 0 && again.messages.contains("the folder `live` isn't empty"))
  }

  private func longGraph(_ sink: String) -> String {
    """
    { "nodes": {
        "camera": { "type": "testVideo", "pattern": "snow", "width": 320, "height": 240 },
        "microphone": { "type": "testAudio" },
        "video": { "type": "h264Encoder", "bitRate": 2000000, "preset": "ultrafast" },
        "audio": { "type": "aacEncoder" },
        "movie": { \(sink), "segmentDuration": 1, "seconds": 60 } },
      "wires": ["camera -> video -> movie.video", "microphone -> audio -> movie.audio"] }
    """
  }

  /// Players wait for more of a stream as long as its playlist doesn't say that it has ended. Here
  /// the movie has no room for more, and three segments in a row can't be written.
  @Test(arguments: [
    (#""type": "mp4Sink", "path": "a.mp4", "playlist": true"#, "a.m3u8", "71\n"),
    (#""type": "hlsSink", "path": "live""#, "live/video1.m3u8", "74\n"),
  ])
  func aFailedRunClosesItsPlaylist(_ sink: String, _ playlist: String, _ status: String)
    async throws
  {
    let folder = try Folder()
    try folder.write("long.json", longGraph(sink))
    let words =
      "for n in 3 4 5; do mkdir -p live/video1-0000$n.m4s/full; done; ulimit -f 9000; "
      + "\"$0\" run long.json --overwrite --quiet 2> said; echo $? > status"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    #expect(folder.text("status") == status, "\(folder.text("said"))")
    let list = folder.text(playlist)
    #expect(list.contains("#EXTINF:") && list.hasSuffix("#EXT-X-ENDLIST\n"), "\(list)")
    #expect(await Decoded.complaints(of: playlist, in: folder) == "")
  }

  /// A segment that can't be written is missing, and the stream goes on; the run has failed all the same.
  @Test func aSegmentThatCannotBeWrittenIsAGap() async throws {
    let folder = try Folder()
    let sink = #""type": "hlsSink", "path": "live""#
    try folder.write("long.json", longGraph(sink).replacing("60", with: "6"))
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "live/video1-00003.m4s/full"),
      withIntermediateDirectories: true)
    let result = try await Graphctl.run(["run", "long.json", "--overwrite"], in: folder)
    #expect(result.status == 74, "\(result)")
    let lost = "the segment `video1-00003.m4s` couldn't be written, and is a gap of the stream"
    #expect(result.messages.contains("movie: warning: \(lost)\n"), "\(result.messages)")
    #expect(result.messages.contains("`live/video1-00003.m4s` can't be written"))
    let lines = folder.text("live/video1.m3u8").split(separator: "\n")
    #expect(lines.contains("#EXT-X-VERSION:8") && lines.last == "#EXT-X-ENDLIST")
    let gap = try #require(lines.firstIndex(of: "#EXT-X-GAP"))
    #expect(lines[gap...].prefix(3) == ["#EXT-X-GAP", "#EXTINF:1.000000,", "video1-00003.m4s"])
    #expect(lines.count { $0.hasPrefix("#EXTINF") } == 6)
    #expect(lines.count { $0.hasSuffix("GAP") } == 1)
    let audio = folder.text("live/audio1.m3u8")
    #expect(audio.contains("#EXT-X-VERSION:7") && !audio.contains("GAP"))
    #expect(await Decoded.complaints(of: "live/audio1.m3u8", in: folder) == "")
    // What is there, each with the header, is whole.
    let words =
      "cd live; for n in 1 2 4 5 6; do cat video1-init.mp4 video1-0000$n.m4s > s.mp4; "
      + "ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 s.mp4; "
      + "done > ../counts"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    #expect(folder.text("counts") == String(repeating: "30\n", count: 5))
  }

  /// What a playlist of a live stream names is on the disk before it, as the system is asked, and so is
  /// all of it at the end. A disk that takes two seconds for the first segment holds nothing up.
  @Test func aLiveStreamIsFlushedBeforeItIsListed() async throws {
    let folder = try Folder()
    let sink = #""type": "hlsSink", "path": "live""#
    let graph = longGraph(sink).replacing("60", with: "3")
    let live = graph.replacing(#""snow""#, with: #""ball", "live": true"#)
    try folder.write(
      "live.json", live.replacing(#""testAudio""#, with: #""testAudio", "live": true"#))
    try folder.write("file.json", graph)
    for (name, isFlushed) in [("live", true), ("file", false)] {
      let words =
        "strace -f -o calls -e trace=fdatasync,rename,renameat,renameat2 "
        + "-e inject=fdatasync:delay_enter=2000000:when=1 "
        + "\"$0\" run \(name).json --overwrite --quiet --report r.json"
      try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
      let calls = folder.text("calls").split(separator: "\n")
      let segment = try #require(calls.firstIndex { $0.contains("video1-00001.m4s") })
      let list = try #require(calls.firstIndex { $0.contains("video1.m3u8") })
      let last = try #require(calls.lastIndex { $0.contains("rename") })
      #expect(segment < list)
      #expect(calls[..<segment].contains { $0.contains("fdatasync") } == isFlushed, "\(name)")
      #expect(calls[last - 1].contains("fdatasync") == isFlushed, "\(calls[last - 1])")
      let report = try JSONDecoder().decode(Report.self, from: folder.data("r.json"))
      if isFlushed { #expect(waited(report) < 1, "\(report)") }
    }
  }

  /// How long packets waited for the stream, in seconds.
  private func waited(_ report: Report) -> Double {
    ["video.out -> movie.video", "audio.out -> movie.audio"].reduce(0) { sum, wire in
      sum + (report.wires[wire]?.waitedSeconds ?? 10)
    }
  }

  /// Parts are cut while a recording is killed: those before are whole, the last can be played from
  /// its first fragment on.
  @Test func everyPartOfAKilledRecordingCanBePlayed() async throws {
    let folder = try Folder()
    let sink = #""type": "mp4Sink", "path": "p-{number}.mp4", "splitEvery": 1"#
    try folder.write(
      "long.json", longGraph(sink).replacing("\"snow\"", with: "\"ball\", \"live\": true"))
    let words =
      "\"$0\" run long.json --quiet & run=$!; "
      + "until grep -q moof p-00003.mp4 2> messages; do sleep 0.02; done; "
      + "kill -9 $run; wait $run; true"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    let all = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let parts = all.filter { $0.hasPrefix("p-") }.sorted()
    #expect(parts.count >= 3, "\(all)")
    for part in parts where try folder.data(part).range(of: Data("moof".utf8)) != nil {
      #expect(await Decoded.complaints(of: part, in: folder) == "", "\(part)")
      let movie = try MovieReader.read("\(folder.path)/\(part)")
      #expect(movie.isFragmented == (part == parts.last), "\(part) of \(parts)")
    }
  }
}
