import Foundation
import TestTools
import Testing

@Suite("Wires that don't compile", .enabled(if: Compiler.isThere), .inTurn)
struct WrongWiresTests {
  @Test("a wire between the same media compiles, and one that the planner decodes")
  func right() throws {
    #expect(try Compiler.errors("graph.connect(tone.output, to: encoder.input)").isEmpty)
    #expect(try Compiler.errors("graph.connect(encoder.output, to: movie.audio[2])").isEmpty)
    #expect(try Compiler.errors("graph.connect(encoder.output, to: second.input)").isEmpty)
    #expect(try Compiler.errors("graph.connect(encoder.output, to: anything.input)").isEmpty)
  }

  @Test(
    "a wire between different media doesn't, nor one from an input",
    arguments: [
      "graph.connect(tone.output, to: movie.video)",
      "graph.connect(tone.output, to: movie.audio)",
      "graph.connect(encoder.output, to: movie.video)",
      "graph.connect(picture.output, to: encoder.input)",
      "graph.connect(encoder.input, to: movie.audio)",
      "graph.connect(tone.output, to: encoder.inputt)",
    ])
  func wrong(wire: String) throws {
    let errors = try Compiler.errors(wire)
    #expect(!errors.isEmpty)
    #expect(errors.allSatisfy { $0.contains("wire.swift:10:") }, "\(errors)")
  }
}

/// The Swift compiler, on a graph with one wire more.
private enum Compiler {
  /// The modules that this very program was built from, where the build left them beside it.
  static let modules: String? = {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let folder = program.deletingLastPathComponent().appending(path: "Modules").path
    return FileManager.default.fileExists(atPath: folder + "/Nodes.swiftmodule") ? folder : nil
  }()

  static var isThere: Bool { modules != nil }

  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private static func program(_ wire: String) -> String {
    """
    import GraphKit
    import Nodes
    func compose() {
      var graph = GraphBuilder(catalog: .builtIn)
      let (tone, picture) = (graph.add("tone", TestAudio()), graph.add("picture", TestVideo()))
      let encoder = graph.add("encoder", AACEncoder())
      let (second, anything) = (graph.add("second", Gain()), graph.add("null", NullSink()))
      let movie = graph.add("movie", MP4Sink())
      _ = (tone, picture, second, anything, movie)
      \(wire)
    }
    """
  }

  /// The lines of the compiler's errors.
  static func errors(_ wire: String) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "wire.swift")
    try Data(program(wire).utf8).write(to: file)
    let flags = try output(
      "pkg-config", ["--cflags", "gstreamer-video-1.0", "gstreamer-audio-1.0"]
    )
    .split(whereSeparator: \.isWhitespace).filter { $0.hasPrefix("-I") }
    .flatMap { ["-Xcc", String($0)] }
    let sources = URL(fileURLWithPath: package + "/Sources")
    let maps = try FileManager.default
      .contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
      .map { $0.appending(path: "module.modulemap").path }
      .filter(FileManager.default.fileExists(atPath:))
      .flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    let text = try output(
      "swiftc",
      ["-typecheck", file.path, "-I", modules ?? ""] + maps + flags)
    return text.split(separator: "\n").map(String.init).filter { $0.contains(": error:") }
  }

  /// What a program prints, errors included.
  private static func output(_ program: String, _ arguments: [String]) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.start()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
