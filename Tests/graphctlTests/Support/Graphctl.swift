import Foundation
import TestTools

/// The executable that was built with the tests.
struct Graphctl {
  /// How a run of it ended.
  struct Result: Equatable {
    /// The exit code, or the negated number of the signal that ended it.
    var status: Int32
    var output: String
    var messages: String
  }

  /// The repository.
  static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What `GRAPHCTL` names, such as a release build; else what lies beside the test bundle.
  static let executable =
    ProcessInfo.processInfo.environment["GRAPHCTL"].map { URL(filePath: $0) }
    ?? Bundle.allBundles.map(\.bundleURL.path)
    .map { URL(filePath: $0).deletingLastPathComponent() }
    .first { FileManager.default.fileExists(atPath: $0.appending(path: "graphctl").path) }
    .map { $0.appending(path: "graphctl") } ?? besideThisProcess

  /// Whether it was built for a sanitizer, which takes time and files of its own: by the folder, as
  /// `make sanitize` names it.
  static var isSanitized: Bool { executable.path.contains("san/") }

  private static var besideThisProcess: URL {
    let process = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: process ?? ".build/debug/x").deletingLastPathComponent()
      .appending(path: "graphctl")
  }

  /// Runs it in a folder, without devices, and waits for its end.
  static func run(
    _ arguments: [String], in folder: Folder, environment: [String: String] = [:],
    input: String = ""
  ) async throws -> Result {
    let running = try Running(arguments, in: folder, environment: environment, input: input)
    return try await running.result()
  }

  /// It, while it runs.
  final class Running: Sendable {
    let process: Process
    private let ended: AsyncStream<Void>
    private let folder: Folder
    private let name = UUID().uuidString

    init(
      _ arguments: [String], in folder: Folder, environment: [String: String] = [:],
      input: String = "", inputPipe: Pipe? = nil, output: Pipe? = nil, through: [String] = []
    ) throws {
      self.folder = folder
      process = Process()
      // A parent that ignores signals, such as nohup, hands that on.
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments =
        ["--default-signal=HUP,INT,TERM,XFSZ"] + through + [Graphctl.executable.path] + arguments
      process.currentDirectoryURL = folder.url
      // No device is to be found, whatever machine the tests run on.
      // And what GLib or GStreamer calls critical ends the process.
      let nowhere = [
        "PULSE_SERVER": "unix:/nowhere", "PATH": "/usr/bin:/bin", "HOME": folder.path,
        "XDG_CACHE_HOME": Process.cacheFolder, "G_DEBUG": "fatal-criticals",
      ]
      process.environment = nowhere.merging(sanitizers) { $1 }.merging(environment) { $1 }
      let files = try [
        folder.reading(folder.write("\(name).in", input)), folder.writing("\(name).out"),
        folder.writing("\(name).err"),
      ]
      process.standardInput = inputPipe ?? files[0]
      process.standardOutput = output ?? files[1]
      process.standardError = files[2]
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      ended = stream
      process.terminationHandler = { _ in continuation.finish() }
      try process.start()
      // It has them now; Foundation would keep them open for as long as this process runs.
      for file in files { try file.close() }
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits for the end.
    func result() async throws -> Result {
      for await _ in ended {}
      let status = process.terminationStatus
      return Result(
        status: process.terminationReason == .uncaughtSignal ? -status : status,
        output: folder.text("\(name).out"), messages: folder.text("\(name).err"))
    }
  }
}

/// What tells a sanitizer in this process how to behave holds for those that it starts.
private let sanitizers = ProcessInfo.processInfo.environment.filter {
  $0.key.hasSuffix("SAN_OPTIONS")
}
