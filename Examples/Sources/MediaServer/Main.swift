import Foundation
import Hummingbird

/// Serves waveforms, M4A files and frames on a port of this machine.
@main struct Main {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard words.count == 2, let folder = words.first, let port = words.last.flatMap({ Int($0) })
    else {
      print("Usage: MediaServer FOLDER PORT")
      exit(64)
    }
    // Writing into a pipe whose reader has gone is an error, and not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    let server = MediaServer(folder: URL(filePath: folder)).application(port: port) { port in
      FileHandle.standardOutput.write(Data("Listening on http://127.0.0.1:\(port)\n".utf8))
    }
    try await server.runService()
  }
}
