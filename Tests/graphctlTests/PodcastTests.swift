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
    let movie = try MovieReader.read("\(folder.path)/podcast.m4a")
    #expect(movie.tracks.map(\.codec) == ["mp4a"] && abs(movie.duration - 8) < 0.05, "\(movie)")
    for name in ["podcast.m4a", "podcast.mp3", "podcast.opus"] {
      #expect(await Decoded.complaints(of: name, in: folder) == "")
      let loudness = try await loudness(of: name, in: folder)
      // LAME makes all softer where it has few bits, and so it does for ffmpeg.
      let target = name.hasSuffix("mp3") ? -16.45 : -16
      #expect(abs(loudness - target) <= 0.2, "\(name): \(loudness)")
    }
  }

  private func loudness(of name: String, in folder: Folder) async throws -> Double {
    let words = "ffmpeg -nostdin -hide_banner -i \(name) -af ebur128 -f null - > log 2>&1"
    try await Tool.run("sh", ["-c", words], in: folder.url)
    let summary = folder.text("log").components(separatedBy: "Summary:").last ?? ""
    let line = summary.split(separator: "\n").first { $0.contains("I:") }
    return line?.split(separator: " ").compactMap { Double($0) }.first ?? 0
  }

  /// Each format is as long as ffmpeg's own of the same audio, and begins and ends with it.
  @Test func itsFilesAreAsLongAsThoseOfFFmpeg() async throws {
    let folder = try Folder()
    try await makeInput(in: folder, seconds: 2)
    let result = try await Graphctl.run(
      ["run", Self.graph, "--set", "input=talk.wav", "--set", "title=A talk", "--quiet"],
      in: folder)
    #expect(result.status == 0, "\(result)")
    for (name, codec) in [("mp3", "libmp3lame"), ("opus", "libopus"), ("m4a", "aac")] {
      let words =
        "ffmpeg -nostdin -v error -i talk.wav -c:a \(codec) theirs.\(name) && "
        + "for file in podcast theirs; do ffmpeg -nostdin -v error -i $file.\(name) -f s16le -ac 1 "
        + "-ar 48000 - "
        + "| wc -c; done > sizes; ffprobe -v error -show_entries format_tags=title:stream_tags=title "
        + "podcast.\(name) > title 2>&1"
      try await Tool.run("sh", ["-c", words], in: folder.url)
      let sizes = folder.text("sizes").split(separator: "\n").compactMap { Int($0) }
      // Resamplers differ in the last frame, and ffmpeg gives all of the last packet of AAC.
      let most = name == "m4a" ? 2 * 1_200 : 2
      #expect(sizes.count == 2 && abs(sizes[0] - sizes[1]) <= most, "\(name): \(sizes)")
      #expect(folder.text("title").lowercased().contains("title=a talk"))
    }
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
