import Foundation

/// ffmpeg and ffprobe, which are loaded once and forked for each run.
///
/// The dynamic linker takes 60 ms with their two hundred libraries, and the tests run them more than a
/// thousand times, mostly on files that they read in a tenth of that.
enum ForkServers {
  /// Where the programs are that have a server run what they stand for; `nil` where there is no ffmpeg
  /// or no compiler, so that programs are started as ever.
  static var folder: String? { servers == nil ? nil : place }

  /// A variable list in which the programs are found before all others.
  static func variables(_ given: [String: String]?) -> [String: String] {
    var variables = given ?? ProcessInfo.processInfo.environment
    guard let folder, let paths = variables["PATH"] else { return variables }
    variables["PATH"] = "\(folder):\(paths)"
    return variables
  }

  /// The servers and what keeps each alive: its standard input, which ends with this process.
  private static let servers: [(Process, Pipe)]? = try? start()

  private static let place =
    NSTemporaryDirectory() + "graphkit-forks-\(ProcessInfo.processInfo.processIdentifier)"

  private struct NotMade: Error {}

  private static func start() throws -> [(Process, Pipe)] {
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: ForkServers.place) }
    try compile("server.c", to: "server.so", ["-shared", "-fPIC"])
    return try ["ffmpeg", "ffprobe"].map { name in
      try compile("client.c", to: name, ["-DFORK_SERVER=\"\(place)/\(name).socket\""])
      return try startServer(of: name)
    }
  }

  private static func compile(_ source: String, to name: String, _ words: [String]) throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Fixtures/ForkServer")
    let clang = Process()
    clang.executableURL = URL(filePath: "/usr/bin/env")
    clang.arguments =
      ["clang", "-O1", "-o", "\(place)/\(name)", sources.appending(path: source).path] + words
    try clang.run()
    clang.waitUntilExit()
    guard clang.terminationStatus == 0 else { throw NotMade() }
  }

  private static func startServer(of name: String) throws -> (Process, Pipe) {
    let (server, lifeline, said) = (Process(), Pipe(), Pipe())
    server.executableURL = URL(filePath: "/usr/bin/env")
    server.arguments = [
      "LD_PRELOAD=\(place)/server.so", "FORK_SERVER=\(place)/\(name).socket", name,
    ]
    (server.standardInput, server.standardOutput) = (lifeline, said)
    server.standardError = FileHandle.nullDevice
    try server.run()
    // It says a line once it listens.
    guard said.fileHandleForReading.availableData.count == 1 else { throw NotMade() }
    return (server, lifeline)
  }
}
