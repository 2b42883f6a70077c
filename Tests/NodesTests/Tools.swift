import Foundation
import GraphKit
import TestTools

/// A folder for one test's files, removed with it.
final class TestFolder {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "graphkit-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func write(_ bytes: some Collection<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }
}

/// A program failed.
struct ToolFailure: Error { var words: String }

/// Runs a program to its end, at most for 300 s; returns what it wrote to its standard output. With
/// `inSilence`, a word on its standard error is a failure, too.
@discardableResult
func tool(_ name: String, _ arguments: [String], inSilence: Bool = false) throws -> Data {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["timeout", "300", name] + arguments
  let (output, errors) = (Pipe(), FileManager.default.temporaryDirectory)
  let errorFile = errors.appendingPathComponent("graphkit-\(UUID().uuidString).txt")
  _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
  defer { try? FileManager.default.removeItem(at: errorFile) }
  process.standardOutput = output
  process.standardError = try FileHandle(forWritingTo: errorFile)
  process.standardInput = FileHandle.nullDevice
  try process.start()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let words = (try? String(contentsOf: errorFile, encoding: .utf8)) ?? ""
  guard process.terminationStatus == 0, !inSilence || words.isEmpty else {
    throw ToolFailure(words: "\(name) \(arguments.joined(separator: " ")): \(words.suffix(2000))")
  }
  return data
}

/// Runs ffmpeg, silent; what it makes of nothing but its words is made once for all tests.
func ffmpeg(_ arguments: String..., to path: String) throws {
  let command = arguments.joined(separator: " ")
  let words = command.split(separator: " ").map(String.init)
  func make(_ path: String) throws {
    try tool("ffmpeg", ["-v", "error", "-nostdin", "-y"] + words + [path])
  }
  let readsFiles = zip(words, words.dropFirst()).contains { $0 == "-i" && $1.hasPrefix("/") }
  guard !readsFiles, !path.contains("%") else { return try make(path) }
  try GeneratedMedia.copy(of: command, to: path, making: make)
}

/// A WAV file with what a graph reads of a file's audio, and the run's report.
func readSound(
  of path: String, in scratch: TestFolder
) async throws -> (wave: String, report: Report) {
  let wave = scratch.path("out.wav")
  let report = try await pipeline(
    """
    { "nodes": { "in": { "type": "file", "path": "\(path)" },
        "out": { "type": "wavSink", "path": "\(wave)", "overwrite": true } },
      "wires": ["in.audio -> out"] }
    """
  ).run()
  return (wave, report)
}

/// The samples of a file's sound in mono at 48 kHz, as ffmpeg decodes it; read as they are where they
/// are that already.
func decodedSound(of path: String) throws -> [Int16] {
  if path.hasSuffix(".wav"), let wave = try? PCM.Wave(path), wave.sampleRate == 48_000,
    wave.channels == 1
  {
    return wave.samples
  }
  let data = try tool(
    "ffmpeg",
    ["-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-ac", "1", "-ar", "48000", "-"])
  return integers(Array(data))
}
