import Foundation
import TestTools

/// A folder with short files of audio, each of another length, and a graph that reduces one.
struct AudioBatch {
  let folder: Folder

  /// What the graph does takes no time worth it.
  private static let graph = """
    {
      "parameters": { "input": null, "output": "waveform.dat", "samplesPerPixel": 64 },
      "nodes": {
        "source":   { "type": "file", "path": "${input}" },
        "waveform": { "type": "waveform", "samplesPerPixel": "${samplesPerPixel}" },
        "points":   { "type": "peaksSink", "path": "${output}" }
      },
      "wires": ["source.audio -> waveform -> points"]
    }
    """

  /// The options of nearly every test.
  static let words = [
    "batch", "waveform.json", "media/**/*.wav", "--set", "output=peaks/{path}.dat",
  ]

  init(_ names: [String]) throws {
    folder = try Folder()
    try folder.write("waveform.json", Self.graph)
    for (index, name) in names.enumerated() {
      try write(name, frames: 800 + 37 * index)
    }
  }

  /// Files called `media/00.wav` and so on.
  init(count: Int) throws {
    try self.init((0..<count).map { "media/\($0 / 10)\($0 % 10).wav" })
  }

  func write(_ name: String, frames: Int) throws {
    let file = folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let samples = PCM.sweep(frames: frames, sampleRate: 8_000, channels: 1)
    try Data(PCM.waveFile(samples, sampleRate: 8_000, channels: 1)).write(to: file)
  }

  func run(_ words: [String], input: String = "") async throws -> Graphctl.Result {
    try await Graphctl.run(words, in: folder, input: input)
  }

  /// The last line of a run without the time that it took.
  static func account(_ result: Graphctl.Result) -> String {
    let line = result.output.split(separator: "\n").last.map(String.init) ?? ""
    return line.range(of: ", in ").map { String(line[..<$0.lowerBound]) } ?? line
  }

  /// All paths below a folder, hidden ones too, sorted.
  func files(below name: String, suffix: String = "") -> [String] {
    let names = FileManager.default.enumerator(atPath: folder.url.appending(path: name).path)
    return (names?.allObjects as? [String] ?? []).filter { $0.hasSuffix(suffix) }.sorted()
  }

  /// What attempts have left behind.
  var hiddenFiles: [String] {
    files(below: ".").filter { path in
      path.split(separator: "/").contains { $0.hasPrefix(".graphkit-") }
    }
  }

  /// What a run for each file alone writes.
  func expected(_ input: String) async throws -> Data {
    let output = "single-\(UUID().uuidString).dat"
    let result = try await run(
      ["run", "waveform.json", "--set", "input=\(input)", "--set", "output=\(output)", "-q"])
    guard result.status == 0 else { throw Tool.Failure(output: result.messages) }
    return try folder.data(output)
  }
}
