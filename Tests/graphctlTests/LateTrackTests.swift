import Foundation
import TestTools
import Testing

/// Movies of which one track begins later than the other stay in sync.
@Suite(.inTurnOrAlone) struct LateTrackTests {
  /// Makes `a.mkv`, whose pictures begin later than its tone, which begins at a second and a half.
  private func makeFile(
    in folder: Folder, delay: String, seconds: Int, _ video: [String], _ audio: [String]
  ) async throws {
    let tone = "aevalsrc=if(gte(t\\,1.5)\\,0.5*sin(2*PI*1000*t)\\,0):s=48000:d=\(seconds)"
    let frames = "testsrc=s=64x48:r=25:d=\(seconds)"
    try await Tool.run(
      "ffmpeg",
      ["-v", "error", "-itsoffset", delay, "-f", "lavfi", "-i", frames]
        + ["-f", "lavfi", "-i", tone, "-c:v"] + video + ["-c:a"] + audio + ["a.mkv"],
      in: folder.url)
  }

  private func transcode(
    _ name: String, in folder: Folder, movie: String = ""
  ) async throws {
    try folder.write(
      "g.json",
      """
      { "nodes": { "in": { "type": "file", "path": "\(name)" }, "video": { "type": "h264Encoder" },
          "audio": { "type": "aacEncoder" }, "movie": { "type": "mp4Sink", "path": "a.mp4"\(movie) } },
        "wires": ["in.video -> video -> movie.video", "in.audio -> audio -> movie.audio"] }
      """)
    let result = try await Graphctl.run(["run", "g.json", "--quiet"], in: folder)
    try #require(result.status == 0, "\(result)")
  }

  /// When a file's pictures are presented, in order.
  private func pictureTimes(of name: String, in folder: Folder) async throws -> [Double] {
    let words =
      "ffprobe -v error -select_streams v -show_entries packet=pts_time -of csv=p=0 \(name) > times"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    return folder.text("times").split(whereSeparator: { ",\n".contains($0) })
      .compactMap { Double($0) }.sorted()
  }

  /// The encoder's first packet is left out where the sound before the first picture is longer.
  @Test(arguments: ["0.02", "0.1", "0.3"]) func soundThatIsLeftOut(delay: String) async throws {
    let folder = try Folder()
    let first = try await makeLateVideo(by: delay, in: folder)
    try await transcode("a.mkv", in: folder, movie: #", "seconds": 100"#)
    let begin = try await toneStart(in: folder)
    #expect(abs(begin - (1.5 - first)) < 0.002, "\(begin), \(first)")
  }

  /// A movie without a length keeps it, and all pictures are as late as they were.
  @Test(arguments: ["0.02", "0.1", "0.3"]) func soundThatIsKept(delay: String) async throws {
    let folder = try Folder()
    let first = try await makeLateVideo(by: delay, in: folder)
    try await transcode("a.mkv", in: folder)
    let begin = try await toneStart(in: folder)
    #expect(abs(begin - 1.5) < 0.002, "\(begin)")
    let found = try #require(await pictureTimes(of: "a.mp4", in: folder).first)
    #expect(abs(found - first) < 0.002, "\(found), \(first)")
  }

  /// The time of the first picture.
  private func makeLateVideo(by delay: String, in folder: Folder) async throws -> Double {
    try await makeFile(
      in: folder, delay: delay, seconds: 3, ["libx264", "-bf", "0"], ["pcm_s16le"])
    return try #require(await pictureTimes(of: "a.mkv", in: folder).first)
  }

  private func toneStart(in folder: Folder) async throws -> Double {
    let sound = try await Decoded.sound(of: "a.mp4", in: folder)
    let begin = try #require(sound.firstIndex { abs(Int($0)) > 4000 })
    return Double(begin) / 48_000
  }

  /// Matroska's demuxer begins at the first packet, and learns from the second that one of another
  /// stream is earlier.
  @Test(arguments: [
    ["libvpx-vp9"], ["libvpx"], ["libaom-av1", "-cpu-used", "8"], ["libx264", "-bf", "0"],
  ])
  func picturesThatLieFirst(codec: [String]) async throws {
    let folder = try Folder()
    try await makeFile(in: folder, delay: "0.3", seconds: 1, codec, ["libopus"])
    try await Tool.run(
      "ffmpeg",
      ["-v", "error", "-i", "a.mkv", "-map", "0:v", "-map", "0:a", "-c", "copy"]
        + ["-bsf:v", "setts=dts=DTS-0.4/TB", "b.mkv"], in: folder.url)
    let expected = try await pictureTimes(of: "b.mkv", in: folder)
    try await transcode("b.mkv", in: folder)
    let found = try await pictureTimes(of: "a.mp4", in: folder)
    #expect(found.count == expected.count)
    let errors = zip(found, expected).map { abs($0 - $1) }
    #expect((errors.max() ?? 1) < 0.002, "\(found)")
  }
}
