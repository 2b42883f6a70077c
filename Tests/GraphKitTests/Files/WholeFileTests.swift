import Foundation
import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct WholeFileTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  private func text(_ name: String) -> String? {
    try? String(contentsOfFile: path(name), encoding: .utf8)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func write(_ text: String, to name: String) throws {
    var file = try WholeFile(path(name))
    try file.write(Array(text.utf8))
    try file.complete()
  }

  @Test func hasItsNameOnceItIsWhole() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var file = try WholeFile(path("a"))
    try file.write([UInt8](repeating: UInt8(ascii: "x"), count: 200_000))
    #expect(text("a") == nil)
    try file.write(Array("y".utf8))
    try file.complete()
    #expect(text("a")?.count == 200_001 && text("a")?.hasSuffix("xy") == true)
    #expect(try names == ["a"])
  }

  @Test func oneThatIsGivenUpLeavesNothing() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("old", to: "a")
    do {
      var file = try WholeFile(path("a"))
      try file.write([UInt8](repeating: 0, count: 200_000))
    }
    #expect(text("a") == "old")
    #expect(try names == ["a"])
  }

  @Test func keepsPermissionsAndLinks() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try write("old", to: "a")
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path("a"))
    try files.createSymbolicLink(atPath: path("link"), withDestinationPath: "a")
    try write("new", to: "link")
    #expect(text("a") == "new")
    #expect(try files.destinationOfSymbolicLink(atPath: path("link")) == "a")
    let mode = try files.attributesOfItem(atPath: path("a"))[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test func namesAsLongAsTheyMayBe() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let name = String(repeating: "n", count: 255)
    try write("long", to: name)
    #expect(text(name) == "long")
  }

  @Test func devicesAreWrittenTo() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var file = try WholeFile("/dev/null")
    try file.write(Array("gone".utf8))
    try file.complete()
    #expect(throws: NodeError.self) {
      var full = try WholeFile("/dev/full")
      try full.write(Array("no room".utf8))
      try full.complete()
    }
  }
}
