import Foundation
import GraphKit
import TestTools
import Testing

/// Every graph of the repository runs.
@Suite(.serialized, .inTurn) struct GraphFileTests {
  static let graphs = Graphctl.repository.appending(path: "graphs")

  @Test func everyGraphIsRightAndCanBePlanned() async throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.graphs.path)
    let graphs = files.filter { $0.hasSuffix(".json") && !$0.contains("schema") }
    #expect(graphs.count >= 5)
    let folder = try Folder()
    try await makeInput(in: folder)
    for name in graphs.sorted() {
      let path = Self.graphs.appending(path: name).path
      let text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
      var set = text.contains("${input}") ? ["--set", "input=input.mp4"] : []
      for name in ["music", "background", "second"] where text.contains("${\(name)}") {
        set += ["--set", "\(name)=input.mp4"]
      }
      if text.contains("${inputs}") { set += ["--set", "inputs=input.mp4,input.mp4"] }
      if text.contains("${assets}") {
        set += ["--set", "assets=\(Self.graphs.appending(path: "assets").path)"]
      }
      if text.contains("${images}") {
        set += ["--set", "images=\(Self.graphs.appending(path: "assets/l*.png").path)"]
      }
      let check = try await Graphctl.run(["check", path] + set, in: folder)
      #expect(check.status == 0, "\(name): \(check)")
      let plan = try await Graphctl.run(["plan", path] + set, in: folder)
      #expect(plan.status == 0, "\(name): \(plan)")
    }
  }

  @Test(arguments: [
    ("record.json", "record.mp4", 2), ("screen.json", "screen.mp4", 1),
    ("stream.json", "stream.mp4", 2),
  ])
  func captures(graph: String, output: String, tracks: Int) async throws {
    let folder = try Folder()
    let result = try await run(graph, ["--set", "seconds=1"], folder)
    #expect(result.status == 0, "\(result)")
    let movie = try MovieReader.read("\(folder.path)/\(output)")
    #expect(movie.tracks.count == tracks && !movie.isFragmented)
    #expect(abs(movie.duration - 1) < 0.1, "\(movie)")
    #expect(movie.tracks.allSatisfy { $0.start < 0.001 })
  }

  @Test func recordsSound() async throws {
    let folder = try Folder()
    let result = try await run("m4a.json", ["--set", "seconds=1"], folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.messages.contains("using a live test tone"))
    let movie = try MovieReader.read("\(folder.path)/sound.m4a")
    #expect(movie.tracks.map(\.codec) == ["mp4a"] && abs(movie.duration - 1) < 0.1, "\(movie)")
  }

  @Test func tracksHaveFilesOfTheirOwn() async throws {
    let folder = try Folder()
    try await makeInput(in: folder)
    let result = try await run("cmaf.json", ["--set", "input=input.mp4"], folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("track.cmfv: "))
    #expect(result.output.contains(": video avc1, 15 samples"), "\(result.output)")
    for (name, codec) in [("track.cmfv", "avc1"), ("track.cmfa", "mp4a")] {
      let movie = try MovieReader.read("\(folder.path)/\(name)")
      #expect(movie.tracks.map(\.codec) == [codec] && movie.isFragmented, "\(movie)")
      #expect(await Decoded.complaints(of: name, in: folder) == "")
    }
  }

  @Test func transcodes() async throws {
    let folder = try Folder()
    try await makeInput(in: folder)
    let result = try await run("transcode.json", ["--set", "input=input.mp4"], folder)
    #expect(result.status == 0, "\(result)")
    let movie = try MovieReader.read("\(folder.path)/transcoded.mp4")
    #expect(movie.tracks.first?.sampleCount == 15 && movie.isOptimizedForNetworkUse, "\(movie)")
  }

  @Test func copiesEncodedSamples() async throws {
    let folder = try Folder()
    try await makeInput(in: folder)
    let result = try await run("remux.json", ["--set", "input=input.mp4"], folder)
    #expect(result.status == 0, "\(result)")
    let (before, after) = (
      try MovieReader.read("\(folder.path)/input.mp4"),
      try MovieReader.read("\(folder.path)/remuxed.mp4")
    )
    #expect(before.tracks.map(\.codec) == after.tracks.map(\.codec))
    #expect(before.tracks[0].sampleCount == after.tracks[0].sampleCount)
    // Packets of sound that an edit list hides aren't read.
    let sound = (before.tracks[1].sampleCount, after.tracks[1].sampleCount)
    #expect(sound.0 - sound.1 <= 2 && sound.1 <= sound.0, "\(sound)")
  }

  /// Each kind of picture, as a file and on standard output.
  @Test func drawsWaveforms() async throws {
    let folder = try Folder()
    try await makeInput(in: folder)
    let set = ["--set", "input=input.mp4", "--set"]
    let picture = try await run("waveform-image.json", set + ["style=mirrored"], folder)
    #expect(picture.status == 0 && picture.output.hasPrefix("waveform.png: "), "\(picture)")
    // The picture's kind and size: 1600 by 500 pixels.
    let head = try folder.data("waveform.png").prefix(24)
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47]
    #expect(head.starts(with: signature) && head.suffix(8) == Data([0, 0, 6, 64, 0, 0, 1, 244]))
    let again = try await run("waveform-image.json", set + ["style=bars"], folder)
    #expect(again.status != 0 && again.messages.contains("`waveform.png` is there already"))
    let drawing = try await run("waveform-image.json", set + ["output=a.svg"], folder)
    #expect(drawing.status == 0 && folder.text("a.svg").hasPrefix("<svg "), "\(drawing)")
    let text = try String(
      contentsOf: Self.graphs.appending(path: "waveform-image.json"), encoding: .utf8)
    try folder.write(
      "out.json", text.replacing("\"${output}\"", with: "\"-\", \"format\": \"svg\""))
    let output = try await Graphctl.run(
      ["run", "out.json", "--set", "input=input.mp4"], in: folder)
    #expect(output.status == 0 && output.output == folder.text("a.svg"), "\(output)")
  }

  private func run(_ graph: String, _ set: [String], _ folder: Folder) async throws
    -> Graphctl.Result
  {
    try await Graphctl.run(["run", Self.graphs.appending(path: graph).path] + set, in: folder)
  }

  private func makeInput(in folder: Folder) async throws {
    try folder.write("small.json", smallGraph)
    let made = try await Graphctl.run(
      ["run", "small.json", "--set", "output=input.mp4", "--quiet"], in: folder)
    try #require(made.status == 0, "\(made)")
  }
}
