import Foundation
import TestTools
import Testing

/// Each command line of `docs/from-ffmpeg.md` and its graph write files that are alike.
@Suite(.inTurn) struct FromFFmpegTests {
  struct Job: CustomTestStringConvertible, Sendable {
    var command: String
    var graph: String
    var testDescription: String { command }
    /// What both write.
    var output: String {
      let words = command.split(whereSeparator: { $0 == " " || $0 == "=" }).map(String.init)
      return words.last { $0.hasPrefix("out.") } ?? "out"
    }
  }

  static let jobs: [Job] = {
    let page = Graphctl.repository.appending(path: "docs/from-ffmpeg.md")
    let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
    let blocks = text.matches(of: /```(sh|json)\n([^`]*)```/).map { ("\($0.1)", "\($0.2)") }
    return zip(blocks, blocks.dropFirst()).compactMap { command, graph in
      command.0 == "sh" && graph.0 == "json"
        ? Job(command: command.1.trimmingCharacters(in: .newlines), graph: graph.1) : nil
    }
  }()

  @Test func thePageHasThem() { #expect(Self.jobs.count >= 50) }

  private func input() throws -> Folder {
    let folder = try Folder()
    func make(_ words: String, _ name: String) throws {
      try Tool.generate(words.split(separator: " ").map(String.init), to: name, in: folder)
    }
    try make(
      "-f lavfi -i testsrc2=d=1:s=160x120:r=25 -f lavfi -i sine=d=1:r=48000 -ac 2 -c:v libx264 "
        + "-preset veryfast -pix_fmt yuv420p -g 10 -c:a aac", "in.mp4")
    try make("-f lavfi -i sine=d=1:r=44100 -ac 1", "in.wav")
    try make("-f lavfi -i testsrc2=s=32x16 -frames:v 1", "logo.png")
    try make("-f lavfi -i testsrc2=s=64x48:r=10 -frames:v 1", "image-01.png")
    for number in 2...5 {
      try make("-f lavfi -i testsrc2=s=64x48:r=\(number) -frames:v 1", "image-0\(number).png")
    }
    let texts = "1\n00:00:00,200 --> 00:00:00,800\nHello\n"
    try texts.write(to: folder.url.appending(path: "texts.srt"), atomically: true, encoding: .utf8)
    let script =
      "[Script Info]\n[V4+ Styles]\n[Events]\nFormat: Start, End, Text\n"
      + "Dialogue: 0:00:00.20,0:00:00.80,Hello\n"
    try script.write(to: folder.url.appending(path: "texts.ass"), atomically: true, encoding: .utf8)
    return folder
  }

  private struct Probe: Decodable {
    struct Stream: Decodable {
      var codec_type: String
      var codec_name: String
      var width: Int?
      var height: Int?
      var sample_rate: String?
      var channels: Int?
    }
    struct Format: Decodable { var duration: String? }
    var streams: [Stream]
    var format: Format

    /// The tracks in words that are to be the same of both.
    var tracks: [String] {
      streams.map { stream in
        let size = [stream.width, stream.height, stream.channels].compactMap { $0 }
        let rate = stream.sample_rate ?? ""
        return "\(stream.codec_type) \(stream.codec_name) \(size) \(rate)"
      }.sorted()
    }
    var seconds: Double { format.duration.flatMap { Double($0) } ?? 0 }
  }

  private func probe(_ name: String, in folder: Folder) async throws -> Probe {
    let words = ["-v", "error", "-of", "json", "-show_format", "-show_streams", name]
    let result = try await Tool.result("ffprobe", words, in: folder.url)
    return try JSONDecoder().decode(Probe.self, from: Data(result.output.utf8))
  }

  @Test(arguments: jobs) func bothWriteTheSame(_ job: Job) async throws {
    let folder = try input()
    let isFFmpeg = job.command.hasPrefix("ffmpeg ")
    let quiet =
      isFFmpeg ? job.command.replacing("ffmpeg ", with: "ffmpeg -v error -nostdin ") : job.command
    try await Tool.run("sh", ["-c", quiet], in: folder.url)
    let theirs = try await probe(job.output, in: folder)
    try FileManager.default.removeItem(at: folder.url.appending(path: job.output))
    let result = try await Graphctl.run(["run", "-"], in: folder, input: job.graph)
    #expect(result.status == 0, "\(result)")
    let ours = try await probe(job.output, in: folder)
    #expect(ours.tracks == theirs.tracks)
    // A packet of AAC, or a frame at 10 a second, is what the programs differ by in their ends.
    #expect(abs(ours.seconds - theirs.seconds) < 0.11, "\(ours.seconds) \(theirs.seconds)")
  }
}
