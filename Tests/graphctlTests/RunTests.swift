import Foundation
import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct RunTests {
  @Test func writesAMovieAndSaysWhatIsInIt() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["run", "small.json"], in: folder)
    #expect(result.status == 0, "\(result)")
    let size = #/small\.mp4: 0\.5\d s, [\d.]+ kB: video avc1, 15 samples, 0\.00 to 0\.50 s; /#
    let sound = #/audio mp4a, 2\d samples, 0\.00 to 0\.5\d s\n/#
    #expect(result.output.firstMatch(of: size) != nil, "\(result.output)")
    #expect(result.output.firstMatch(of: sound) != nil, "\(result.output)")
  }

  @Test func replacesAFileOnlyWhereToldTo() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    try folder.write("small.mp4", "precious")
    let refused = try await Graphctl.run(["run", "small.json"], in: folder)
    #expect(refused.status == 73 && folder.text("small.mp4") == "precious")
    let allowed = try await Graphctl.run(["run", "small.json", "--overwrite"], in: folder)
    #expect(allowed.status == 0)
    #expect(try MovieReader.read("\(folder.path)/small.mp4").tracks.count == 2)
  }

  @Test func isSilentWhereAskedToBe() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["run", "small.json", "--quiet"], in: folder)
    #expect(result == .init(status: 0, output: "", messages: ""))
  }

  @Test func writesEventsAsLines() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["run", "small.json", "--events", "--quiet"], in: folder)
    let events = try result.output.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    let states = events.filter { $0["event"] as? String == "state" }
    #expect(states.map { $0["state"] as? String } == ["preparing", "running", "completed"])
    #expect(events.last?["event"] as? String == "end")
    #expect(events.last?["state"] as? String == "completed")
    let times = events.compactMap { $0["time"] as? Double }
    #expect(times.count == events.count && times.min() ?? -1 >= 0)
  }

  @Test(arguments: [
    ["small.json", "--events", "state,end"], ["--events=end,state", "small.json"],
    ["--events", "state,end", "small.json", "--format", "text"],
  ])
  func writesEventsOfSomeKinds(words: [String]) async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["run", "--quiet"] + words, in: folder)
    let kinds = result.output.split(separator: "\n").map { $0.contains("\"event\": \"end\"") }
    #expect(result.status == 0 && kinds == [false, false, false, true], "\(result)")
    #expect(result.output.matches(of: /"event": "state"/).count == 3, "\(result)")
  }

  /// The word after `--events` may also be the graph.
  @Test func writesEventsOfAllKinds() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["run", "--events", "small.json"], in: folder)
    #expect(result.status == 0 && folder.has("small.mp4"), "\(result)")
    for kind in ["state", "end"] {
      #expect(result.output.contains("\"event\": \"\(kind)\""), "\(result)")
    }
  }

  @Test(arguments: ["errors", "state,", "end,stat", ","])
  func knowsTheKindsOfEvents(list: String) async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["run", "small.json", "--events", list], in: folder)
    #expect(result.status == 64 && result.output.isEmpty && !folder.has("small.mp4"), "\(result)")
    let known =
      "state, progress, readiness, drop, parameter, economy, mark, connection, measurement, "
      + "warning, end"
    #expect(result.messages.contains("is no kind of event; there are \(known), "), "\(result)")
  }

  @Test func writesAReport() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(
      ["run", "small.json", "--report", "report.json", "--quiet"], in: folder)
    #expect(result.status == 0)
    let report = try JSONDecoder().decode(Report.self, from: folder.data("report.json"))
    #expect(report.state == .completed && report.unbalanced.isEmpty && report.wires.count == 4)
    #expect(report.outputs.map(\.path) == ["small.mp4"])
    #expect(report.outputs[0].contents?.tracks.map(\.sampleCount).first == 15)
    #expect(report.wires["video.out -> movie.video"]?.samplesIn == 15)
  }

  @Test func writesTheReportToStandardOutput() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(["run", "small.json", "--format", "json"], in: folder)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    #expect(report.state == .completed)
  }

  @Test func writesATrace() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph.replacing("0.5", with: "4"))
    let result = try await Graphctl.run(
      ["run", "small.json", "--trace", "trace.json"], in: folder)
    let trace = try JSONSerialization.jsonObject(with: folder.data("trace.json")) as? [String: Any]
    let entries = try #require(trace?["traceEvents"] as? [[String: Any]])
    let phases = Set(entries.compactMap { $0["ph"] as? String })
    #expect(phases == ["M", "X"])
    #expect(entries.contains { $0["name"] as? String == "wait" && $0["dur"] as? Double != nil })
    // Why threads stood still is said of each wait.
    for (name, cause) in [("wait", /(?:full|ahead) of .*/), ("idle", /no sample to take/)] {
      let causes = entries.filter { $0["name"] as? String == name }.map {
        ($0["args"] as? [String: String])?["cause"]
      }
      #expect(!causes.isEmpty && causes.allSatisfy { $0 != nil }, "\(name)")
      #expect(causes.allSatisfy { $0?.wholeMatch(of: cause) != nil }, "\(causes)")
    }
    #expect(result.messages.contains("limited by: "), "\(result)")
  }

  @Test func saysWhyARunFailed() async throws {
    let folder = try Folder()
    try folder.write("small.json", smallGraph)
    let result = try await Graphctl.run(
      ["run", "small.json", "--report", "none/report.json"], in: folder)
    #expect(
      result
        == .init(
          status: 73, output: "",
          messages: "`none/report.json` can't be written: No such file or directory; "
            + "give another path\n"))
  }

  @Test func endsARunThatStandsStill() async throws {
    let folder = try Folder()
    try folder.write("still.json", stillGraph)
    let result = try await Graphctl.run(
      ["run", "still.json", "--stall-timeout", "1", "--quiet"], in: folder)
    #expect((result.status, result.output) == (75, ""))
    #expect(result.messages.hasPrefix("still.json: error: out: nothing moved for 1 s: no program"))
  }
}

/// Nobody reads its output.
let stillGraph = """
  {
    "nodes": {
      "tone": { "type": "testAudio" },
      "out":  { "type": "appOutput" }
    },
    "wires": ["tone -> out"]
  }
  """
