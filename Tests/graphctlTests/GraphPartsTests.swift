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
}
