import Foundation
import GStreamer
import GraphKitSystem
import TestTools
import Testing

@Suite("A local server and those who connect to it", .inTurn)
struct LocalServerTests {
  private let folder: URL
  private var path: String { folder.appending(path: "s").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "local-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A server that answers with the line itself.
  private func server(_ connections: Int = 4) throws -> LocalServer {
    var limits = LocalServer.Limits()
    (limits.connections, limits.lineBytes) = (connections, 10_000)
    return try LocalServer(at: path, limits: limits, refusal: Array("too long".utf8)) { $0 }
  }

  private func ask(_ text: String, _ socket: LocalSocket) -> String? {
    guard socket.send(Array(text.utf8)) else { return nil }
    return socket.receiveLine(limit: 100_000, within: 20).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private func greets() throws -> Bool { try ask("hello\n", connect()) == "hello" }

  /// Connects as soon as the server has time: a full backlog refuses for a moment.
  private func connect() throws -> LocalSocket {
    while true {
      let socket = try LocalSocket(connectingTo: path)
      if !socket.isBusy { return socket }
    }
  }

  @Test("answers each line, however it is cut")
  func answers() throws {
    let server = try server()
    let socket = try LocalSocket(connectingTo: path)
    #expect(ask("one\n\n \r\ntwo\nth", socket) == "one")
    #expect(ask("ree\n", socket) != nil)
    #expect(try ask("\n", LocalSocket(connectingTo: path)) == "")
    server.stop()
    server.stop()
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(throws: File.Failure.self) { try LocalSocket(connectingTo: path) }
    try FileManager.default.removeItem(at: folder)
  }

  @Test("is its owner's alone, and refuses to take the place of one that lives")
  func isAlone() throws {
    let server = try server()
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(throws: LocalListener.Failure.self) { try LocalListener(path) }
    #expect(try greets())
    server.stop()
    try "x".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: LocalListener.Failure.self) { try LocalListener(path) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "x")
    #expect(throws: LocalListener.Failure.self) { try LocalListener(path + "/x") }
    #expect(throws: LocalListener.Failure.self) { try LocalListener("") }
    let long = path + String(repeating: "x", count: 108)
    #expect(throws: LocalListener.Failure.self) { try LocalListener(long) }
    try FileManager.default.removeItem(at: folder)
  }

  @Test("takes the place of one that is dead")
  func replaces() throws {
    // The second name of a socket is left behind, with nobody who listens.
    let first = try LocalListener(path + ".first")
    try FileManager.default.linkItem(atPath: path + ".first", toPath: path)
    _ = consume first
    #expect(FileManager.default.fileExists(atPath: path))
    let server = try server()
    #expect(try greets())
    server.stop()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    try FileManager.default.removeItem(at: folder)
  }

  @Test("a line without an end is refused")
  func endless() throws {
    let server = try server()
    let socket = try LocalSocket(connectingTo: path)
    let block = String(repeating: "x", count: 10_001)
    let answer = ask(block, socket)
    #expect(answer == "too long" || answer == nil)
    #expect(try greets())
    server.stop()
    try FileManager.default.removeItem(at: folder)
  }

  @Test("one that never reads keeps nobody waiting, and is not read from")
  func silent() throws {
    let server = try server()
    let socket = try LocalSocket(connectingTo: path)
    let line = Array((String(repeating: "x", count: 9_000) + "\n").utf8)
    // The system's buffers are full some time, if the server's own don't grow.
    var sent = 0
    while sent < 10_000, socket.send(line) { sent += 1 }
    #expect(sent < 10_000)
    #expect(try greets())
    server.stop()
    try FileManager.default.removeItem(at: folder)
  }

  @Test("a thousand that say nothing don't keep out one that does")
  func crowd() throws {
    let server = try server()
    var crowd: [LocalSocket] = []
    for number in 0..<1000 {
      let socket = try connect()
      if number < 100 { crowd.append(socket) }
    }
    #expect(try greets())
    // Nobody was heard that connected before the last few: they have been let go.
    #expect(crowd[0].receiveLine(limit: 10, within: 20) == nil)
    server.stop()
    try FileManager.default.removeItem(at: folder)
  }
}
