import Glibc
import GStreamer

import GraphKitSystem
@testable import GraphKit
@testable import JSON
@testable import Media
@testable import Nodes

/// What is fuzzed: all that reads bytes which others wrote, each by a name. Whatever the bytes are,
/// a target returns; errors are as good as results.
enum Targets {
  typealias Target = @Sendable ([UInt8]) -> Void

  static let all: [String: Target] = [
    "graph": graph, "parameters": parameters, "control": control, "caps": caps,
    "wav": wav, "heads": heads, "containers": containers, "mp3": mp3, "flac": flac, "adts": adts,
    "configurations": configurations, "movie": movie, "movieRepair": movieRepair,
    "movieWriter": movieWriter, "gif": gif, "png": png, "jpeg": jpeg, "cube": cube, "peaks": peaks,
    "pictureSize": pictureSize, "subtitles": subtitles, "items": items, "parts": parts,
    "encodedParts": encodedParts,
    "isolation": isolation, "web": web,
  ]

  /// Where the bytes of an input are, for what reads a file: in memory, each process's its own.
  static let filePath = "/dev/shm/graphkit-fuzz-\(getpid())"

  /// Calls `body` with the path of a file that holds some bytes.
  static func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) {
    do {
      try File.replace(filePath, with: bytes)
      try body(filePath)
    } catch {
      _ = "\(error)"
    }
    File.remove(filePath)
  }

  /// Calls `body`; errors are as good as results, and are worded.
  static func attempt(_ body: () throws -> Void) {
    do { try body() } catch { _ = "\(error)" }
  }
}
