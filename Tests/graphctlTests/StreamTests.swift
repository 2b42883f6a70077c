import Foundation
import GraphKit
import TestTools
import Testing

/// Streams as the program writes them: what it says of them, and what a failure leaves.
@Suite(.inTurn) struct StreamTests {
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
  /// the movie has no room for more, and the third segment can't be written.
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
      "mkdir -p live/video1-00003.m4s/full; ulimit -f 9000; "
      + "\"$0\" run long.json --overwrite --quiet 2> said; echo $? > status"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    #expect(folder.text("status") == status, "\(folder.text("said"))")
    let list = folder.text(playlist)
    #expect(list.contains("#EXTINF:") && list.hasSuffix("#EXT-X-ENDLIST\n"), "\(list)")
    #expect(await Decoded.complaints(of: playlist, in: folder) == "")
  }

  /// Parts are cut while a recording is killed: those before are whole, the last can be played.
  @Test func everyPartOfAKilledRecordingCanBePlayed() async throws {
    let folder = try Folder()
    let sink = #""type": "mp4Sink", "path": "p-{number}.mp4", "splitEvery": 1"#
    try folder.write(
      "long.json", longGraph(sink).replacing("\"snow\"", with: "\"ball\", \"live\": true"))
    let words =
      "\"$0\" run long.json --quiet & run=$!; "
      + "until [ -s p-00003.mp4 ]; do sleep 0.02; done; kill -9 $run; wait $run; true"
    try await Tool.run("sh", ["-c", words, Graphctl.executable.path], in: folder.url)
    for number in 1...3 {
      let part = "p-0000\(number).mp4"
      #expect(await Decoded.complaints(of: part, in: folder) == "")
      let movie = try MovieReader.read("\(folder.path)/\(part)")
      #expect(movie.isFragmented == (number == 3))
    }
  }
}
