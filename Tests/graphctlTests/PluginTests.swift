import Foundation
import GraphKit
import TestTools
import Testing

/// A plug-in that is a package of its own, built and loaded.
@Suite(.serialized, .inTurn) struct PluginTests {
  /// Where the plug-ins are; `nil` where they aren't built, as only `make test` does.
  private static let folder = ProcessInfo.processInfo.environment["GRAPHKIT_TEST_PLUGINS"]

  @Test(.enabled(if: folder != nil)) func aPluginAddsANodeType() async throws {
    let library = try Self.library("InvertPlugin")
    let folder = try Folder()
    try folder.write("invert.json", invertGraph)

    let page = try await Graphctl.run(["nodes", "negative", "--plugin", library], in: folder)
    try expect(page.output, matches: "nodes-negative.txt")

    let run = try await Graphctl.run(["run", "invert.json", "--plugin", library], in: folder)
    #expect(run.status == 0, "\(run)")
    // Black turns white: three frames of 32x32 pixels of four bytes.
    #expect(try folder.data("white.raw") == Data(repeating: 255, count: 3 * 32 * 32 * 4))

    let fromPath = try await Graphctl.run(
      ["check", "invert.json", "--overwrite"], in: folder,
      environment: ["GRAPHKIT_PLUGIN_PATH": library])
    #expect(fromPath.status == 0, "\(fromPath)")

    // The library that plug-ins are linked against is in their folder, too.
    let place = URL(filePath: library).deletingLastPathComponent().path
    let fromFolder = try await Graphctl.run(
      ["check", "invert.json", "--overwrite"], in: folder,
      environment: ["GRAPHKIT_PLUGIN_PATH": place])
    #expect(fromFolder.status == 0, "\(fromFolder)")

    let twice = try await Graphctl.run(
      ["nodes", "--plugin", library, "--plugin", library], in: folder)
    #expect(twice.status == 69)
    #expect(twice.messages.hasSuffix("and that name is taken; rename the node type\n"))
  }

  /// A sink of a plug-in says what it needs as the built-in nodes do.
  @Test(.enabled(if: folder != nil))
  func aPluginsSinkTakesTheNewestFramesAndClosesItsFile() async throws {
    let library = try Self.library("BrightnessPlugin")
    let folder = try Folder()
    try folder.write("log.json", logGraph)
    let plan = try await Graphctl.run(["plan", "log.json", "--plugin", library], in: folder)
    #expect(plan.output.contains("keeps the newest"), "\(plan)")

    let run = try await Graphctl.run(["run", "log.json", "--plugin", library], in: folder)
    #expect(run.status == 0, "\(run)")
    let lines = String(decoding: try folder.data("log.txt"), as: UTF8.self).split(separator: "\n")
    // It is given the last frame at least, and takes no third.
    #expect((1...2).contains(lines.count) && lines.allSatisfy { $0 == "255" }, "\(lines)")

    let again = try await Graphctl.run(["check", "log.json", "--plugin", library], in: folder)
    #expect(again.messages.contains("`log.txt` is there already"), "\(again)")
  }

  @Test func refusesWhatIsNoLibrary() async throws {
    let folder = try Folder()
    try folder.write("text.so", "not a library")
    let result = try await Graphctl.run(["nodes", "--plugin", "text.so"], in: folder)
    #expect(
      result
        == .init(
          status: 69, output: "",
          messages: "graphctl: error: plug-in `text.so` can't be loaded: ./text.so: "
            + "file too short; give a plug-in's shared library\n"))
  }

  @Test(arguments: [
    ("void other(void) {}", "is no plug-in: it has no function `graphkit_plugin_1`; "),
    ("void graphkit_plugin_7(void) {}", "is for version 7 of the plug-in interface, and this is "),
    ("void graphkit_plugin_1(void) {}", "registered no node type with this process; "),
  ])
  func refusesALibraryThatIsNoPlugin(source: String, text: String) async throws {
    let folder = try Folder()
    try folder.write("plugin.c", source)
    try await Tool.run(
      "clang", ["-shared", "-fPIC", "-o", "plugin.so", "plugin.c"], in: folder.url)
    let result = try await Graphctl.run(["nodes", "--plugin", "plugin.so"], in: folder)
    #expect((result.status, result.output) == (69, ""))
    #expect(result.messages.hasPrefix("graphctl: error: plug-in `plugin.so` \(text)"), "\(result)")
  }

  @Test func aFolderMayHoldLibrariesThatPluginsNeed() async throws {
    let folder = try Folder()
    try folder.write("needed.c", "void other(void) {}")
    try folder.write("plugin.c", "void graphkit_plugin_7(void) {}")
    try FileManager.default.createDirectory(
      at: folder.url.appending(path: "both"), withIntermediateDirectories: true)
    func build(_ name: String) async throws {
      try await Tool.run(
        "clang", ["-shared", "-fPIC", "-o", "both/\(name).so", "\(name).c"], in: folder.url)
    }
    func nodes() async throws -> Graphctl.Result {
      try await Graphctl.run(["nodes"], in: folder, environment: ["GRAPHKIT_PLUGIN_PATH": "both"])
    }
    #expect(try await nodes().status == 0)
    try await build("needed")
    let without = try await nodes()
    #expect(without.status == 69)
    #expect(
      without.messages
        == "graphctl: error: plug-in `both` holds no plug-in: both/needed.so has no function "
        + "`graphkit_plugin_1`; give its entry point that name with `@_cdecl`\n")
    try await build("plugin")
    let with = try await nodes()
    #expect(with.status == 69)
    #expect(
      with.messages.hasPrefix("graphctl: error: plug-in `both/plugin.so` is for version 7"),
      "\(with)")
  }

  /// One of the plug-ins of `Tests/Fixtures/InvertPlugin`.
  private static func library(_ name: String) throws -> String {
    "\(try #require(folder))/lib\(name).so"
  }
}

private let invertGraph = """
  {
    "nodes": {
      "black":  { "type": "testVideo", "pattern": "black", "pixelFormat": "bgra",
                  "width": 32, "height": 32, "frames": 3 },
      "invert": { "type": "negative" },
      "file":   { "type": "gst", "element": "filesink", "properties": { "location": "white.raw" } }
    },
    "wires": ["black -> invert -> file"]
  }
  """

private let logGraph = """
  {
    "nodes": {
      "white": { "type": "testVideo", "pattern": "white", "pixelFormat": "bgra",
                 "width": 32, "height": 32, "frames": 30 },
      "log":   { "type": "brightnessLog", "path": "log.txt", "lines": 2 }
    },
    "wires": ["white -> log"]
  }
  """
