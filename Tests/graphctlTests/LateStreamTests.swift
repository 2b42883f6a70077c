import TestTools
import Testing

/// Ranges of a movie whose video begins later than its audio.
@Suite(.inTurnOrAlone) struct LateStreamTests {
  @Test(arguments: [0.0, 0.5])
  func aRangeKeepsVideoBesideTheAudio(from: Double) async throws {
    let folder = try Folder()
    let words =
      "-f lavfi -i testsrc2=s=64x48:r=25:d=4 -f lavfi -i sine=d=5 -vf setpts=PTS+1/TB "
      + "-c:v libx264 -bf 2 -c:a aac"
    try Tool.generate(words.split(separator: " ").map(String.init), to: "late.mp4", in: folder)
    try folder.write(
      "part.json",
      """
      { "nodes": {
          "in": { "type": "file", "path": "late.mp4", "from": \(from), "to": 4 },
          "v": { "type": "decoder" }, "video": { "type": "h264Encoder" },
          "a": { "type": "decoder" }, "audio": { "type": "aacEncoder" },
          "out": { "type": "mp4Sink", "path": "part.mp4" } },
        "wires": ["in.video -> v -> video -> out.video", "in.audio -> a -> audio -> out.audio"] }
      """)
    let result = try await Graphctl.run(["run", "part.json", "-q"], in: folder)
    #expect(result.status == 0, "\(result.messages)")
    // What is heard before the first frame is in the movie, too.
    let times = try await Tool.result(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=start_time,duration", "-of", "csv=p=0", "part.mp4"],
      in: folder.url
    ).output.split(separator: "\n").map { $0.split(separator: ",").compactMap { Double($0) } }
    let expected = [[1 - from, 3], [0, 4 - from]]
    #expect(times.map(\.count) == [2, 2])
    let errors = zip(times.joined(), expected.joined()).map { abs($0 - $1) }
    #expect(errors.allSatisfy { $0 < 0.03 }, "\(times)")
  }
}
