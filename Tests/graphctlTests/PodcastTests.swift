import Foundation
import GraphKit
import TestTools
import Testing

/// The example of sound that is made ready to be heard.
@Suite(.inTurn) struct PodcastTests {
  private static let graph = GraphFileTests.graphs.appending(path: "podcast.json").path

  private func makeInput(in folder: Folder, seconds: Int) async throws {
    let words = "aevalsrc=0.05*sin(2*PI*300*t)*(0.55+0.45*sin(4*t)):s=44100:d=\(seconds)"
    try await Tool.run(
      "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", words, "talk.wav"],
      in: folder.url)
  }

  @Test func comesOutAtTheLoudnessOfPodcasts() async throws {
    let folder = try Folder()
    try await makeInput(in: folder, seconds: 8)
    let result = try await Graphctl.run(
      ["run", Self.graph, "--set", "input=talk.wav", "--quiet"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(await Decoded.complaints(of: "podcast.m4a", in: folder) == "")
    let words = "ffmpeg -nostdin -hide_banner -i podcast.m4a -af ebur128 -f null - > log 2>&1"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    let summary = folder.text("log").components(separatedBy: "Summary:").last ?? ""
    let line = summary.split(separator: "\n").first { $0.contains("I:") }
    let loudness = line?.split(separator: " ").compactMap { Double($0) }.first
    // The encoder takes a little away.
    #expect(abs((loudness ?? 0) + 16) <= 0.2, "\(summary)")
    let movie = try MovieReader.read("\(folder.path)/podcast.m4a")
    #expect(movie.tracks.map(\.codec) == ["mp4a"] && abs(movie.duration - 8) < 0.05, "\(movie)")
  }

  @Test func aDiskThatIsFullNamesTheNodeThatFilledIt() async throws {
    let folder = try Folder()
    try await makeInput(in: folder, seconds: 30)
    // Blocks of 512 bytes; the signal that would end the process is ignored, so that writing fails.
    let words =
      "trap '' XFSZ; ulimit -f 2000; TMPDIR=. \"$0\" run \"$1\" --set input=talk.wav --quiet 2> log; "
      + "echo $? > status"
    try await Tool.run(
      "sh", ["-c", words, Graphctl.executable.path, Self.graph], in: folder.url)
    #expect(folder.text("status") == "74\n" || folder.text("status") == "70\n")
    let log = folder.text("log")
    #expect(log.contains("level") && log.contains("no more can be written"), "\(log)")
    #expect(log.contains("TMPDIR"), "\(log)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasPrefix("graphkit-") })
  }
}
