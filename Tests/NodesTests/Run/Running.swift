import Foundation
import GraphKit
import Nodes
import Synchronization
import TestTools
import Testing

/// What runs whole graphs: one at a time, so that live ones keep up.
@Suite(.serialized, .onOwnThreads) enum RunTests {}

/// What reads whole files, as fast as it can.
@Suite(.inTurnOrAlone) enum FileTests {}

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

/// What programs have said of files, by their words and the state of the file.
private let answers = Mutex<[String: Data]>([:])

/// What a program says of a file. It is asked once for as long as nobody writes to the file: it
/// takes longer to start than to read one.
private func answer(of name: String, _ words: [String], on path: String) throws -> Data {
  let file = try FileManager.default.attributesOfItem(atPath: path)
  let written = (file[.modificationDate] as? Date)?.timeIntervalSince1970 ?? .nan
  let state = "\(file[.size] ?? "") \(file[.systemFileNumber] ?? "") \(written)"
  let key = "\(name) \(words) \(path) \(state)"
  if let known = answers.withLock({ $0[key] }) { return known }
  let answer = try tool(name, words)
  answers.withLock { $0[key] = answer }
  return answer
}

/// The streams of a file, as `ffprobe` reads it.
func probe(_ path: String) throws -> [ProbedStream] {
  struct Answer: Decodable { var streams: [ProbedStream] }
  let words = ["-v", "error", "-show_streams", "-of", "json", path]
  let output = try answer(of: "ffprobe", words, on: path)
  return try JSONDecoder().decode(Answer.self, from: output).streams
}

/// How many packets the first stream of a file has.
func packetCount(_ path: String) throws -> Int {
  let words = ["-v", "quiet", "-show_packets", "-select_streams", "0", "-of", "csv", path]
  return String(decoding: try tool("ffprobe", words), as: UTF8.self)
    .split(whereSeparator: \.isNewline).count { $0.hasPrefix("packet") }
}

/// What a full decode complains about: nothing, for a sound file.
func decodeComplaints(_ path: String) throws -> String {
  let words = ["-c", "ffmpeg -nostdin -v error -i \"$1\" -f null - 2>&1", "sh", path]
  return String(decoding: try answer(of: "sh", words, on: path), as: UTF8.self)
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
