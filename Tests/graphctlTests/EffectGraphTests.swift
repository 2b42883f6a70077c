import Foundation
import GraphKit
import TestTools
import Testing

/// The graphs of effects, whose movies are decoded and looked at.
@Suite(.serialized, .inTurn) struct EffectGraphTests {
  /// Every frame of a movie, small.
  private func frames(of movie: String, in folder: Folder) async throws -> [Still] {
    try await Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-i", movie, "-fps_mode", "passthrough", "-vf", "scale=64:36", "-pix_fmt",
        "rgb24", "-f", "rawvideo", "frames.rgb",
      ], in: folder.url)
    let (bytes, size) = (Array(try folder.data("frames.rgb")), 64 * 36 * 3)
    return stride(from: 0, to: bytes.count, by: size).map {
      Still(bytes: Array(bytes[$0..<$0 + size]), width: 64)
    }
  }

  private func input(in folder: Folder) throws {
    try Tool.generate(
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:r=10:d=1", "-f", "lavfi", "-i", "sine=d=1",
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac",
      ], to: "input.mp4", in: folder)
  }

  private func run(_ graph: String, _ set: [String], in folder: Folder) async throws {
    let path = GraphFileTests.graphs.appending(path: graph).path
    let result = try await Graphctl.run(
      ["run", path] + set.flatMap { ["--set", $0] }, in: folder)
    try #require(result.status == 0, "\(result)")
  }

  @Test func aTranscodeHasTheLookThatIsAskedFor() async throws {
    let folder = try Folder()
    try input(in: folder)
    let plain = try await Still(of: "input.mp4", width: 320, in: folder)
    try await run(
      "transcode.json", ["input=input.mp4", "output=same.mp4", "intensity=0"], in: folder)
    let same = try await Still(of: "same.mp4", width: 320, in: folder)
    let difference = zip(plain.bytes, same.bytes).map { abs(Int($0) - Int($1)) }.reduce(0, +)
    #expect(Double(difference) / Double(plain.bytes.count) < 6)
    try await run(
      "transcode.json",
      ["input=input.mp4", "output=gray.mp4", "intensity=1", "style=noir", "stops=-1"], in: folder)
    let gray = try await Still(of: "gray.mp4", width: 320, in: folder)
    #expect(plain.color > 60 && gray.color < 4, "\(plain.color) \(gray.color)")
    #expect(gray.brightness(0..<320, 0..<180) < plain.brightness(0..<320, 0..<180) - 20)
    let movie = try MovieReader.read("\(folder.path)/gray.mp4")
    #expect(movie.tracks.count == 2 && movie.tracks.first?.sampleCount == 10, "\(movie)")
  }

  @Test func aSquareIsCutMarkedAndNamed() async throws {
    let folder = try Folder()
    try input(in: folder)
    let assets = GraphFileTests.graphs.appending(path: "assets").path
    try await run(
      "square.json", ["input=input.mp4", "assets=\(assets)", "title=XXXXXXXX"], in: folder)
    let square = try await Still(of: "square.mp4", width: 180, in: folder)
    #expect(square.height == 180)
    try await run(
      "square.json", ["input=input.mp4", "assets=\(assets)", "output=blank.mp4", "title= "],
      in: folder)
    let blank = try await Still(of: "blank.mp4", width: 180, in: folder)
    func changed(_ rows: Range<Int>) -> Int {
      (rows.lowerBound * 540..<rows.upperBound * 540).count {
        abs(Int(square.bytes[$0]) - Int(blank.bytes[$0])) > 60
      }
    }
    #expect(changed(130..<180) > 300 && changed(40..<100) < 20, "\(changed(130..<180))")
    // The logo's dark plate is in the corner.
    #expect(blank.brightness(150..<172, 8..<26) < 110, "\(blank.brightness(150..<172, 8..<26))")
  }

  /// Where a run is once it has come so far, in seconds; `nil` where it ended before.
  private func position(
    of run: Graphctl.Running, after seconds: Double, in folder: Folder
  ) async throws -> Double? {
    struct Status: Decodable { var position: Double? }
    while run.process.isRunning {
      let words = ["control", "socket", "status", "--format", "json"]
      let answer = try await Graphctl.run(words, in: folder)
      let status = try? JSONDecoder().decode(Status.self, from: Data(answer.output.utf8))
      if let position = status?.position, position > seconds { return position }
    }
    return nil
  }

  @Test func aRecordingChangesItsLookWhileItRuns() async throws {
    let folder = try Folder()
    let path = GraphFileTests.graphs.appending(path: "filter-recording.json").path
    let run = try Graphctl.Running(
      [
        "run", path, "--set", "seconds=600", "--set", "style=tonal", "--control", "socket",
        "--report", "report.json",
      ], in: folder)
    let start = try #require(try await position(of: run, after: 0.2, in: folder))
    let set = ["control", "socket", "set", "look.intensity=0", "--at", "\(start + 1)"]
    let change = try await Graphctl.run(set, in: folder)
    #expect(change.status == 0, "\(change)")
    #expect(try await position(of: run, after: start + 2, in: folder) != nil)
    #expect(try await Graphctl.run(["control", "socket", "finish"], in: folder).status == 0)
    let result = try await run.result()
    #expect(result.status == 0, "\(result)")
    let hasColor = try await frames(of: "filtered.mp4", in: folder).map { $0.color > 20 }
    let gray = hasColor.prefix { !$0 }.count
    #expect(gray > 0 && gray < hasColor.count && !hasColor[gray...].contains(false), "\(hasColor)")
    #expect(folder.has("preview.jpg"))
    let report = String(decoding: try folder.data("report.json"), as: UTF8.self)
    #expect(report.contains("\"intensity\""))
  }
}
