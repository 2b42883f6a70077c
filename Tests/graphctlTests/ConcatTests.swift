import Foundation
import TestTools
import Testing

/// `graphs/concat.json` beside ffmpeg's concat filter.
@Suite(.inTurn) struct ConcatTests {
  private static let graph = GraphFileTests.graphs.appending(path: "concat.json").path

  private func make(_ words: String, _ name: String, in folder: Folder) throws {
    let coded = " -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac"
    try Tool.generate(
      (words + coded).split(separator: " ").map(String.init), to: name, in: folder)
  }

  private func join(_ inputs: String, in folder: Folder) async throws {
    let result = try await Graphctl.run(
      ["run", Self.graph, "--set", "inputs=\(inputs)", "--set", "output=out.mp4"], in: folder)
    try #require(result.status == 0, "\(result)")
  }

  /// What decoding a stream gives: its frames, or samples of mono audio at 48 kHz.
  private func decoded(_ file: String, _ words: [String], in folder: Folder) async throws -> Data {
    try await Tool.run(
      "ffmpeg", ["-nostdin", "-y", "-v", "error", "-i", file] + words + ["decoded"],
      in: folder.url)
    return try Data(contentsOf: folder.url.appending(path: "decoded"))
  }

  /// The number of frames, when the first bright one is shown, the length of the audio and when its
  /// first loud sample comes.
  private func account(_ file: String, in folder: Folder) async throws -> [Double] {
    let times = try await Tool.result(
      "ffprobe",
      ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
        + [file], in: folder.url
    ).output.split(separator: "\n").compactMap { Double($0.filter { $0 != "," }) }.sorted()
    let gray = [UInt8](
      try await decoded(
        file, "-an -fps_mode passthrough -vf scale=1:1 -pix_fmt gray -f rawvideo".words,
        in: folder))
    let bright = try #require(gray.firstIndex { $0 > 100 })
    let levels = try await decoded(file, "-vn -ac 1 -ar 48000 -f s8".words, in: folder)
    let loud = try #require(levels.firstIndex { abs(Int(Int8(bitPattern: $0))) > 8 })
    return [
      Double(times.count), times[bright], Double(levels.count) / 48_000, Double(loud) / 48_000,
    ]
  }

  @Test func aFlashAndABeepInTheSecondFileAreWhereFFmpegHasThem() async throws {
    let folder = try Folder()
    // The audio of the first ends 0.3 s before its video, and the second is of another size and rate.
    try make(
      "-f lavfi -i color=black:s=160x120:r=25:d=1 -f lavfi -i anullsrc=r=48000:d=0.7 -t 1",
      "a.mp4", in: folder)
    try make(
      "-f lavfi -i color=black:s=96x96:r=30:d=1,drawbox=c=white:t=fill:enable='gte(t,0.49)' "
        + "-f lavfi -i aevalsrc='gte(t,0.5)*sin(6000*t)':s=44100:d=1.2", "b.mp4", in: folder)
    try await join("a.mp4,b.mp4", in: folder)
    let filters =
      "[1:v]scale=120:120,pad=160:120:20:0,setsar=1[v];[1:a]aresample=48000[a];"
      + "[0:v]setsar=1[w];[w][0:a][v][a]concat=n=2:v=1:a=1"
    try await Tool.run(
      "ffmpeg",
      ["-nostdin", "-v", "error", "-i", "a.mp4", "-i", "b.mp4", "-filter_complex", filters]
        + "-fps_mode vfr -c:v libx264 -c:a aac ff.mp4".words, in: folder.url)
    let ours = try await account("out.mp4", in: folder)
    let theirs = try await account("ff.mp4", in: folder)
    // The last frame of the second file is shown until its audio has ended.
    #expect(ours[0] == theirs[0] + 6, "\(ours) \(theirs)")
    #expect(abs(ours[1] - theirs[1]) < 1.0 / 30, "\(ours) \(theirs)")
    #expect(abs(ours[2] - theirs[2]) < 1024.0 / 44_100, "\(ours) \(theirs)")
    #expect(abs(ours[3] - theirs[3]) < 0.001, "\(ours) \(theirs)")
    #expect(abs(ours[3] - 1.5) < 0.005, "\(ours)")
  }

  @Test func aFileWithoutAudioIsSilent() async throws {
    let folder = try Folder()
    try make("-f lavfi -i color=black:s=64x48:r=25:d=0.6", "a.mp4", in: folder)
    try make(
      "-f lavfi -i color=white:s=64x48:r=25:d=0.4 -f lavfi -i sine=d=0.4:r=48000", "b.mp4",
      in: folder)
    try await join("a.mp4,b.mp4", in: folder)
    let ours = try await account("out.mp4", in: folder)
    #expect(ours[0] == 25 && abs(ours[1] - 0.6) < 0.001, "\(ours)")
    #expect(abs(ours[3] - 0.6) < 0.005, "\(ours)")
  }

  @Test func manyFiles() async throws {
    let folder = try Folder()
    try make(
      "-f lavfi -i color=white:s=64x48:r=25:d=1 -f lavfi -i sine=d=1:r=48000 -t 1", "a.mp4",
      in: folder)
    try await join([String](repeating: "a.mp4", count: 30).joined(separator: ","), in: folder)
    let ours = try await account("out.mp4", in: folder)
    #expect(ours[0] == 750, "\(ours)")
    #expect(abs(ours[2] - 30) < 0.2, "\(ours)")
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
