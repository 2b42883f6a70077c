import AssetIO
import Foundation
import GraphKit
import GraphKitSystem
import TestTools
import Testing

/// A folder for one test's files, removed with it.
final class Scratch: Sendable {
  private let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "graphkit-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// A file that ffmpeg makes; the same command makes it once for all tests.
  func media(_ name: String, _ command: String) throws -> String {
    try GeneratedMedia.copy(of: command, to: path(name)) { path in
      let words = command.split(separator: " ").map(String.init)
      _ = try run("ffmpeg", ["-v", "error", "-nostdin", "-y"] + words + [path])
    }
    return path(name)
  }
}

/// A program failed.
struct ToolFailure: Error { var words: String }

/// Runs a program to its end; returns what it wrote to its standard output. A word on its standard
/// error is a failure.
func run(_ name: String, _ arguments: [String]) throws -> Data {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["timeout", "300", name] + arguments
  let output = Pipe()
  // A file, since nobody reads a second pipe while the first is read.
  let errors = FileManager.default.temporaryDirectory
    .appendingPathComponent("graphkit-\(UUID().uuidString).txt")
  _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
  defer { try? FileManager.default.removeItem(at: errors) }
  process.standardOutput = output
  process.standardError = try FileHandle(forWritingTo: errors)
  process.standardInput = FileHandle.nullDevice
  try process.start()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  let words = try String(contentsOf: errors, encoding: .utf8)
  guard process.terminationStatus == 0, words.isEmpty else {
    throw ToolFailure(words: "\(name) \(arguments.joined(separator: " ")): \(words.suffix(2000))")
  }
  return data
}

/// Samples of a stream whose blocks have 20 ms at 48 kHz each, one after the other.
func soundBlock(_ number: Int, _ values: [Int16], _ format: AudioFormat) throws -> SampleBuffer {
  var block = SampleBuffer(
    bytes: PCM.bytes(of: values), format: try FormatDescription(.audio(format)))
  block.presentationTime = MediaTime(frames: number * 960, at: 48_000)
  block.duration = MediaTime(frames: 960, at: 48_000)
  return block
}

/// What ffprobe says of a file, a line for each part.
func probe(_ path: String, _ entries: String, _ options: String...) throws -> [Substring] {
  let words = ["-v", "error"] + options + ["-show_entries", entries, "-of", "csv=p=0", path]
  return String(decoding: try run("ffprobe", words), as: UTF8.self).split(separator: "\n")
}

/// Random numbers that are the same in each run.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 32) ^ state
  }
}

extension ReadySampleBuffer {
  /// A copy of the bytes.
  var bytes: [UInt8] {
    withBytes { Array(copying: $0) }
  }
}

/// Copies the tracks of a file, or a part of them, by a reader and a writer, whose session begins at
/// `start`. A sample that is unaccounted for is a failure.
func copyStored(
  _ source: String, to path: String, _ range: MediaTimeRange? = nil, from start: MediaTime = .zero
) async throws {
  let asset = try await MediaAsset(path: source)
  let reader = try range.map { try AssetReader(asset, timeRange: $0) } ?? AssetReader(asset)
  let providers = try asset.tracks.map { try reader.outputProvider(for: .stored($0)) }
  try reader.start()
  let writer = AssetWriter(path: path)
  var pumps: [(SampleProvider, ReadySampleBuffer, SampleReceiver)] = []
  for provider in providers {
    let first = try #require(try await provider.next())
    pumps.append((provider, first, try writer.inputReceiver(for: .stored(first.format))))
  }
  try writer.start()
  try writer.startSession(at: start)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (provider, first, receiver) in pumps {
      group.addTask {
        try await receiver.append(first)
        for try await packet in provider { try await receiver.append(packet) }
        receiver.finish()
      }
    }
    try await group.waitForAll()
  }
  let report = try await writer.finishWriting()
  #expect(report.unbalanced == [])
}

/// Frames that have their number as their brightness.
enum PaintedFrame {
  static func make(_ number: Int, _ format: VideoFormat) throws -> SampleBuffer {
    let luma = format.width * format.height
    var frame = SampleBuffer(
      bytes: [UInt8](repeating: UInt8(16 + number % 200), count: luma)
        + [UInt8](repeating: 128, count: luma / 2),
      format: try FormatDescription(.video(format)))
    frame.presentationTime = MediaTime(value: Int64(number), timescale: 25)
    frame.duration = MediaTime(value: 1, timescale: 25)
    return frame
  }

  /// The numbers of a movie's frames of 64 x 48 pixels, as ffmpeg decodes them.
  static func numbers(of path: String) throws -> [Int] {
    let words = ["-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough"]
    let bytes = Array(try run("ffmpeg", words + ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-"]))
    return stride(from: 0, to: bytes.count, by: 64 * 48 * 3 / 2).map { Int(bytes[$0]) - 16 }
  }
}

extension AssetWriter {
  /// A writer of a movie of one input whose session has begun, and its input.
  static func started(
    _ path: String, _ input: AssetWriterInput, at start: MediaTime = .zero
  ) throws -> (writer: AssetWriter, receiver: SampleReceiver) {
    let writer = AssetWriter(path: path)
    let receiver = try writer.inputReceiver(for: input)
    try writer.start()
    try writer.startSession(at: start)
    return (writer, receiver)
  }
}
