import Foundation
import GraphKit
import Nodes
import Testing

/// Everything that runs whole graphs: one at a time, so that live ones keep up.
@Suite(.serialized) enum RunTests {}

/// A folder of a test's own, gone when the test is over.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "graphkit-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }
}

/// Reads a graph, checks it and plans it, on the real machine.
func plan(_ json: String, passes: [any PlanPass] = Plan.standardPasses, catalog: Catalog = .builtIn)
  throws -> Plan
{
  let graph = try Graph(
    checking: GraphDocument(json: json), catalog: catalog, environment: LiveEnvironment())
  return try Plan(graph, passes: passes)
}

func pipeline(
  _ json: String, catalog: Catalog = .builtIn,
  configuration: Pipeline.Configuration = Pipeline.Configuration()
) throws -> Pipeline {
  try Pipeline(
    plan(json, catalog: catalog), environment: LiveEnvironment(), configuration: configuration)
}

/// What `ffprobe` says of one stream.
struct ProbedStream: Decodable, Equatable {
  var codec_name: String
  var codec_type: String
  var start_time: String
  var duration: String
  var nb_frames: String?

  var start: Double { Double(start_time) ?? .nan }
  var end: Double { start + (Double(duration) ?? .nan) }
  var frames: Int { nb_frames.flatMap { Int($0) } ?? -1 }
}

/// The streams of a file, as `ffprobe` reads it.
func probe(_ path: String) throws -> [ProbedStream] {
  struct Answer: Decodable { var streams: [ProbedStream] }
  let output = try command(
    "ffprobe", "-v", "error", "-show_streams", "-of", "json", path)
  return try JSONDecoder().decode(Answer.self, from: Data(output.utf8)).streams
}

/// What a full decode complains about: nothing, for a sound file.
func decodeComplaints(_ path: String) throws -> String {
  try command("ffmpeg", "-v", "error", "-i", path, "-f", "null", "-")
}

/// Decoded samples of a file's sound, as f32, mono.
func decodedSound(_ path: String, sampleRate: Int = 48000) throws -> [Float] {
  let raw = path + ".f32"
  _ = try command(
    "ffmpeg", "-v", "error", "-y", "-i", path, "-vn", "-ac", "1", "-ar", "\(sampleRate)", "-f",
    "f32le", raw)
  let data = try Data(contentsOf: URL(filePath: raw))
  return unsafe data.withUnsafeBytes { bytes in unsafe Array(bytes.bindMemory(to: Float.self)) }
}

/// Runs a program and returns what it printed, errors included.
func command(_ arguments: String...) throws -> String {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = arguments
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  return String(decoding: data, as: UTF8.self)
}

extension Pipeline {
  /// Returns when the sinks have got to a media time; `false` where the run ended before.
  func reaches(_ seconds: Double) async -> Bool {
    for await event in events() {
      if case .progress(let progress) = event.kind, progress.position >= seconds { return true }
    }
    return false
  }

  /// Returns once the pipeline is in a state; `false` where it ended in another.
  func enters(_ wanted: PipelineState) async -> Bool {
    let events = events()
    if state == wanted { return true }
    for await event in events {
      if case .state(wanted) = event.kind { return true }
    }
    return state == wanted
  }
}

extension Report {
  /// Pictures of a live source that were dropped before the encoder.
  var droppedFrames: Int {
    wires.filter { $0.key.hasPrefix("camera.") }.values
      .flatMap { $0.dropped.filter { $0.key != DropReason.afterSessionEnd.rawValue }.values }
      .reduce(0, +)
  }
}
