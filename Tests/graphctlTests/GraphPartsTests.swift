import Foundation
import TestTools
import Testing

/// Graphs of several files, of lists, and for files that lack something.
@Suite(.inTurn) struct GraphPartsTests {
  private static func graph(_ name: String) -> String {
    GraphFileTests.graphs.appending(path: "\(name).json").path
  }

  private func folder(sound: Bool) async throws -> Folder {
    let folder = try Folder()
    let tone = sound ? ["-f", "lavfi", "-i", "sine=d=0.4", "-c:a", "aac"] : []
    try Tool.generate(
      ["-f", "lavfi", "-i", "testsrc=d=0.4:s=160x120"] + tone
        + ["-c:v", "libx264", "-preset", "ultrafast"],
      to: "talk.mov", in: folder)
    return folder
  }

  /// Of each stream of a movie its kind, height and packets.
  private func streams(_ name: String, in folder: Folder) async throws -> [String] {
    let probed = try await Tool.result(
      "ffprobe",
      [
        "-v", "error", "-count_packets", "-show_entries",
        "stream=codec_type,height,nb_read_packets",
        "-of", "csv=p=0", name,
      ], in: folder.url)
    return probed.output.split(separator: "\n").map(String.init)
  }

  @Test func aListMakesAMovieOfEachItem() async throws {
    let folder = try await folder(sound: true)
    let result = try await Graphctl.run(
      ["run", Self.graph("renditions"), "--set", "input=talk.mov", "--set", "heights=120,60"],
      in: folder)
    #expect(result.status == 0, "\(result)")
    for height in [120, 60] {
      let found = try await streams("talk-\(height)p.mp4", in: folder)
      #expect(found.count == 2 && found.first == "video,\(height),10", "\(found)")
      #expect(await Decoded.complaints(of: "talk-\(height)p.mp4", in: folder) == "")
    }
  }

  @Test func whatAFileLacksIsLeftOutAndSaid() async throws {
    let folder = try await folder(sound: false)
    let result = try await Graphctl.run(
      ["run", Self.graph("renditions"), "--set", "input=talk.mov", "--set", "heights=60"],
      in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(
      result.messages == "source: note: it has no `audio`, so the wire to `sound` is left out\n")
    #expect(try await streams("talk-60p.mp4", in: folder) == ["video,60,10"])
  }

  @Test(
    "what a file lacks is an error where its node isn't optional, with the remedy",
    arguments: ["", #", "from": 0.1"#])
  func whatAFileLacks(of range: String) async throws {
    let folder = try await folder(sound: false)
    let graph = """
      { "nodes": { "in": { "type": "file", "path": "talk.mov"\(range) },
          "movie": { "type": "mp4Sink", "path": "a.mp4" } },
        "wires": ["in.video -> movie.video", "in.audio -> movie.audio"] }
      """
    try graph.write(to: folder.url.appending(path: "g.json"), atomically: true, encoding: .utf8)
    let result = try await Graphctl.run(["check", "g.json"], in: folder)
    #expect(result.status == 65)
    #expect(
      result.messages.hasPrefix(
        "g.json:3:41: error: `in` has no `audio`; it has `video`; leave out the wire, or give `in` "
          + "`\"optional\": true`, so that what it lacks is left out"), "\(result)")
    #expect(!result.messages.contains("as it is encoded"), "\(result)")
    let remux = try await Graphctl.run(
      ["run", Self.graph("remux"), "--set", "input=talk.mov"], in: folder)
    #expect(remux.status == 0, "\(remux)")
    #expect(try await streams("remuxed.mp4", in: folder) == ["video,120,10"])
  }

  @Test func aGraphIsUsedTwice() async throws {
    let folder = try await folder(sound: false)
    let result = try await Graphctl.run(
      ["run", Self.graph("looks"), "--set", "input=talk.mov"], in: folder)
    #expect(result.status == 0, "\(result)")
    for name in ["talk-dark.mp4", "talk-warm.mp4"] {
      #expect(try await streams(name, in: folder) == ["video,360,10"])
    }
    // Of the two only the one in noir has no colour.
    func saturation(_ name: String) async throws -> Double {
      let words = "movie=\(name),signalstats,metadata=print:key=lavfi.signalstats.SATAVG:file=-"
      let shown = try await Tool.result(
        "ffprobe", ["-v", "error", "-f", "lavfi", "-i", words, "-show_entries", "frame=pts"],
        in: folder.url)
      let values = shown.output.split(separator: "\n").compactMap { line in
        line.hasPrefix("lavfi") ? line.split(separator: "=").last.flatMap { Double($0) } : nil
      }
      return values.reduce(0, +) / Double(max(1, values.count))
    }
    let (dark, warm) = (
      try await saturation("talk-dark.mp4"), try await saturation("talk-warm.mp4")
    )
    #expect(dark < 2 && warm > 10, "\(dark) \(warm)")
  }

  @Test func aPartShowsItsPortsAndParameters() async throws {
    let folder = try Folder()
    let part = GraphFileTests.graphs.appending(path: "parts/look.json").path
    let result = try await Graphctl.run(["nodes", part], in: folder)
    #expect(result.status == 0, "\(result)")
    for words in ["video  input   raw video", "Leads to `light`.", "Leads to `size`.", "= noir"] {
      #expect(result.output.contains(words), "\(result.output)")
    }
    let run = try await Graphctl.run(["run", part], in: folder)
    #expect(run.status == 65 && run.messages.contains("open ports: `video`"), "\(run)")
  }

  /// A graph within a graph, each of which has nodes of its own.
  private func nested() throws -> Folder {
    let folder = try Folder()
    try folder.write(
      "top.json",
      """
      { "nodes": { "source": { "type": "testVideo", "seconds": 1, "width": 320, "height": 180 },
          "look": { "type": "graph", "path": "outer.json" }, "end": { "type": "nullSink" } },
        "wires": ["source -> look -> end"] }
      """)
    try folder.write(
      "outer.json",
      """
      { "inputs": { "video": "dark" }, "outputs": { "video": "tone" },
        "nodes": { "dark": { "type": "exposure", "stops": -1 },
          "tone": { "type": "graph", "path": "inner.json" } }, "wires": ["dark -> tone"] }
      """)
    try folder.write(
      "inner.json",
      """
      { "inputs": { "video": "soft" }, "outputs": { "video": "small" },
        "nodes": { "soft": { "type": "blur", "radius": 2 },
          "small": { "type": "scale", "height": 90 } }, "wires": ["soft -> small"] }
      """)
    return folder
  }

  private func drawing(_ format: String, opening names: [String]) async throws -> String {
    let options = names.flatMap { ["--open", $0] }
    let result = try await Graphctl.run(
      ["draw", "top.json", "--format", format] + options, in: nested())
    #expect((result.status, result.messages) == (0, ""))
    return result.output
  }

  @Test func aGraphIsDrawnAsABox() async throws {
    #expect(
      try await drawing("mermaid", opening: []).hasPrefix(
        """
        flowchart LR
          n0("<b>source</b><br>testVideo"):::source_
          n1[["<b>look</b><br>outer.json"]]:::general_
          n2("<b>end</b><br>nullSink"):::sink_
          n0 -->|"I420 320x180 30/s"| n1
          n1 -->|"I420 160x90 30/s"| n2

        """))
    let picture = try await drawing("svg", opening: [])
    #expect(
      picture.contains(
        "<title>look: outer.json dark: exposure tone/small: scale tone/soft: blur</title>"))
    #expect(!picture.contains("class=\"frame\""))
  }

  @Test(arguments: [["look"], ["look/tone"], ["all"]])
  func anOpenedGraphIsDrawnWithItsNodes(_ names: [String]) async throws {
    let isWhole = names != ["look"]
    let text = try await drawing("dot", opening: names)
    let inner =
      isWhole
      ? """
          subgraph "cluster look/tone" {
            label="tone"; style=rounded; color="#7a7266";
            subgraph "cluster_0 look/tone" {
              label="stage 0"; style="rounded,dashed";
              "look/tone/soft" [label="soft\\nblur", fillcolor="#efe9fb"];
              "look/tone/small" [label="small\\nscale", fillcolor="#efe9fb"];
            }
          }
        }

      """ : "  }\n"
    #expect(text.contains("  subgraph \"cluster look\" {\n"))
    #expect(text.contains(inner), "\(text)")
    #expect(text.contains("\"look/tone\" [label=\"tone\\ninner.json\"") == !isWhole)
    let picture = try await drawing("svg", opening: names)
    for name in isWhole ? ["look", "look/tone"] : ["look"] {
      #expect(picture.contains("<g class=\"frame\"><title>\(name): "), "\(picture)")
    }
    let page = try await drawing("mermaid", opening: names)
    #expect(page.contains("  subgraph g0[\"look\"]\n"))
    #expect(page.contains("    subgraph g1[\"tone\"]\n") == isWhole, "\(page)")
  }

  @Test(arguments: [
    ("lok", "did you mean `look`?"), ("source", "it has `look`, `look/tone`"),
  ])
  func onlyGraphsCanBeOpened(_ name: String, _ remedy: String) async throws {
    let result = try await Graphctl.run(["draw", "top.json", "--open", name], in: nested())
    let message = "graphctl: error: `\(name)` is no node of the type `graph`; \(remedy)\n"
    #expect(result == .init(status: 64, output: "", messages: message))
  }
}
