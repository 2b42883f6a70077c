import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

/// Every graph that comes with GraphKit is right, on a machine where its inputs are.
@Suite(.inTurn) struct GraphFolderTests {
  /// A machine without devices, on which every file is a movie with sound.
  struct Machine: Environment {
    func isInstalled(_ element: ElementSpec) -> Bool { true }
    func inspect(_ factory: String) throws(NodeError) -> ElementInspection {
      try LiveEnvironment().inspect(factory)
    }
    func discover(_ path: String) throws(NodeError) -> [DiscoveredStream] {
      var picture = EncodedFormat(.h264)
      (picture.width, picture.height, picture.frameRate) = (1280, 720, Rational(30))
      return [
        DiscoveredStream(identifier: "1", format: .encoded(picture), duration: nil),
        DiscoveredStream(identifier: "2", format: .encoded(EncodedFormat(.aac)), duration: nil),
      ]
    }
    func devices(_ kind: DeviceKind) -> [Device] { [] }
    func outputPlace(_ path: String) -> OutputPlace { .free }
    func names(in folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
  }

  static let graphs = Repository.files(in: "graphs", suffix: ".json")
    .filter { !$0.hasSuffix(".schema.json") && !$0.hasPrefix("graphs/parts/") }

  static func graph(_ file: String) throws -> Graph {
    let document = try GraphDocument(
      json: Repository.text(file), file: Repository.root.appending(path: file).path)
    // One of them looks into the index of what it cuts.
    let movie = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).mp4")
    defer { try? FileManager.default.removeItem(at: movie) }
    if try Repository.text(file).contains("\"exact\": true") { try makeMovie(movie.path) }
    let images = Repository.root.appending(path: "graphs/assets/l*.png").path
    let inputs = ["input": movie.path, "images": images].filter { name, _ in
      document.parameters.contains { $0.name.value == name }
    }
    return try Graph(
      checking: document, catalog: .builtIn, environment: Machine(), set: inputs)
  }

  private static func makeMovie(_ path: String) throws {
    let words = [
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=1", "-c:v", "libx264",
    ]
    let ffmpeg = Process()
    ffmpeg.executableURL = URL(filePath: "/usr/bin/env")
    ffmpeg.arguments = ["ffmpeg"] + words + [path]
    try ffmpeg.start()
    ffmpeg.waitUntilExit()
    try #require(ffmpeg.terminationStatus == 0)
  }

  @Test(arguments: graphs)
  func checksAndPlans(_ file: String) throws {
    let graph = try Self.graph(file)
    #expect(graph.warnings.isEmpty, "\(graph.warnings)")
    let plan = try Plan(graph)
    #expect(plan.nodes.count >= graph.nodes.count)
    #expect(plan.wires.count >= graph.wires.count)
    #expect(try GraphDocument(json: Repository.text(file)).schema == "./graph.schema.json")
  }

  @Test(
    "each graph that is a part is a node of another",
    arguments: Repository.files(in: "graphs/parts", suffix: ".json"))
  func partsAreUsed(_ file: String) throws {
    let name = file.dropFirst("graphs/".count)
    #expect(try Self.graphs.contains { try Repository.text($0).contains("\"path\": \"\(name)\"") })
    #expect(try GraphDocument(json: Repository.text(file)).schema == "../graph.schema.json")
  }

  @Test func theMainGraphsAreThere() {
    let names = [
      "record", "m4a", "screen", "transcode", "remux", "softer", "podcast", "waveform-image",
    ]
    #expect(Set(names.map { "graphs/\($0).json" }).isSubset(of: Self.graphs))
  }
}
