import Foundation
import GraphKit
import TestTools
import Testing

@testable import Containers
@testable import Nodes

/// Moments of a run that are marked while it records.
@Suite(.inTurn) struct MarkedRunTests {
  private let scratch: TestFolder
  init() throws { scratch = try TestFolder() }

  /// Records some live seconds into a movie with some parameters, and into a second one.
  private func record(
    _ name: String, _ parameters: String = "", seconds: Int = 3, lookahead: Int = 5,
    second: String = ""
  ) throws -> Pipeline {
    let other =
      second.isEmpty
      ? "" : #", "other": { "type": "mp4Sink", "path": "\#(scratch.path(second))" }"#
    return try pipeline(
      """
      { "nodes": {
          "pictures": { "type": "testVideo", "width": 160, "height": 120, "live": true,
                        "seconds": \(seconds) },
          "video": { "type": "h264Encoder", "threads": 1, "lookahead": \(lookahead) },
          "tone": { "type": "testAudio", "seconds": \(seconds), "live": true },
          "audio": { "type": "aacEncoder" },
          "movie": { "type": "mp4Sink", "path": "\(scratch.path(name))"\(parameters) }\(other) },
        "wires": ["pictures -> video -> movie.video", "tone -> audio -> movie.audio"
          \(second.isEmpty ? "" : #", "audio -> other.audio""#)] }
      """)
  }

  private func complaints(_ path: String) throws -> String {
    let words = "ffmpeg -v warning -i '\(path)' -f null - 2>&1 || echo failed"
    return String(decoding: try tool("sh", ["-c", words]), as: UTF8.self)
  }

  @Test(arguments: ["a.mp4", "a.mov"], ["", #", "crashSafe": false"#])
  func marksAreChaptersOfEveryMovie(_ name: String, _ parameters: String) async throws {
    let run = try record(name, parameters, seconds: 60, second: "b.m4a")
    let titles = ["Tor für 𝄞", "👩‍👩‍👧 “x”\n\u{1}y", String(repeating: "é", count: 100_000)]
    let kept = ["Tor für 𝄞", "👩‍👩‍👧 “x”  y", String(repeating: "é", count: 512)]
    var events = run.events().makeAsyncIterator()
    run.start()
    var marks: [Mark] = []
    for (title, time) in zip(titles, [0.4, 1.0, 1.6]) {
      #expect(await run.reaches(time))
      marks += try run.mark("  \(title) ")
    }
    run.finish()
    let report = try await run.end()
    #expect(report.unbalanced == [] && report.warnings == nil && report.marks == marks)
    #expect(marks.map(\.node) == ["movie", "other", "movie", "other", "movie", "other"])
    #expect(marks.filter { $0.node == "movie" }.map(\.title) == kept)
    for (node, path) in [("movie", scratch.path(name)), ("other", scratch.path("b.m4a"))] {
      let found = try chapters(of: path)
      let own = marks.filter { $0.node == node }
      #expect(found.map(\.title) == kept)
      #expect(try complaints(path) == "" && BoxChecker(path).faults == [])
      // To the lengths of what comes before the first frame.
      for (chapter, mark) in zip(found, own) {
        #expect(abs(Double(chapter.start) / 1_000 - mark.time.seconds) < 0.1)
      }
    }
    var told: [Mark] = []
    while let event = await events.next() {
      if case .mark(let mark) = event.kind { told.append(mark) }
    }
    #expect(told == marks)
  }

  @Test func aThousandMarksAreAllThere() async throws {
    let run = try record("a.mp4", seconds: 60)
    run.start()
    #expect(await run.reaches(0.5))
    for number in 0..<1_000 { try run.mark("\(number)") }
    // So long that all of them are before the end.
    #expect(await run.reaches(2))
    run.finish()
    let report = try await run.end()
    #expect(report.marks?.count == 1_000 && report.warnings == nil)
    let path = scratch.path("a.mp4")
    let cut = try scratch.write(fragments(of: path), to: "cut.mp4")
    #expect(try complaints(cut) == "" && chapters(of: cut) == [])
    _ = try MovieRepair.repair(cut)
    for path in [path, cut] {
      #expect(try chapters(of: path).map(\.title) == (0..<1_000).map { "\($0)" })
      #expect(try BoxChecker(path).faults == [] && complaints(path) == "")
    }
  }

  /// A mark is a chapter of the part that it falls in, at its time there, also where the part's first
  /// frame is still in the encoder.
  @Test(arguments: [false, true]) func marksAreInTheirParts(keepsTimes: Bool) async throws {
    let run = try record(
      "p-{number}.mp4", #", "splitEvery": 1, "keepTimes": \#(keepsTimes)"#, seconds: 60,
      lookahead: 20)
    run.start()
    var marks: [Mark] = []
    for number in 1...16 {
      #expect(await run.reaches(0.25 * Double(number)))
      marks += try run.mark("\(number)")
    }
    run.finish()
    let report = try await run.end()
    #expect(report.unbalanced == [] && report.outputs.count >= 4)
    var (start, found) = (0.0, [(title: String, time: Double)]())
    for output in report.outputs {
      #expect(try complaints(output.path) == "" && BoxChecker(output.path).faults == [])
      let length = try #require(output.contents?.tracks.first { $0.codec == "avc1" }?.duration)
      for chapter in try chapters(of: output.path) {
        let time = Double(chapter.start) / 1_000
        let begin = keepsTimes ? start : 0
        // Chapters are at whole milliseconds: one just before the end may be rounded to it.
        #expect(time >= begin && time <= begin + length, "\(chapter), \(begin), \(length)")
        found.append((chapter.title, start + time - begin))
      }
      start += length
    }
    #expect(found.map(\.title) == marks.map(\.title))
    for (chapter, mark) in zip(found, marks) {
      #expect(abs(chapter.time - mark.time.seconds) < 0.1, "\(chapter), \(mark.time.seconds)")
    }
  }

  @Test func aStreamsMovieHasTheMarks() async throws {
    let run = try record("a.mp4", #", "playlist": true, "segmentDuration": 1"#, seconds: 60)
    run.start()
    #expect(await run.reaches(1.2))
    try run.mark("goal")
    run.finish()
    _ = try await run.end()
    let found = try chapters(of: scratch.path("a.mp4"))
    #expect(found.map(\.title) == ["goal"] && found[0].start > 1_000)
    for name in ["a.m3u8", "a.mp4"] { #expect(try complaints(scratch.path(name)) == "") }
  }

  private func refusal(of title: String = "x", by run: Pipeline) -> String {
    do {
      _ = try run.mark(title)
      return ""
    } catch { return error.message }
  }

  @Test func whatCannotBeMarkedIsRefusedInWords() async throws {
    let run = try record("a.mp4", seconds: 60)
    #expect(refusal(by: run) == "the run hasn't begun")
    run.start()
    #expect(await run.reaches(0.3))
    for title in ["", " \n\t", "\u{0}\u{7f}"] {
      #expect(refusal(of: title, by: run) == "the mark has no title")
    }
    run.pause()
    #expect(await run.enters(.paused))
    #expect(refusal(by: run) == "the run is paused")
    run.resume()
    #expect(await run.enters(.running))
    #expect(refusal(of: "after", by: run) == "")
    run.finish()
    let report = await run.report()
    #expect(report.marks?.map(\.title) == ["after"])
    #expect(refusal(by: run) == "the run is over")
    #expect(try chapters(of: scratch.path("a.mp4")).map(\.title) == ["after"])
  }

  @Test func aRunWithoutAMovieHasNoMarks() async throws {
    let run = try pipeline(
      """
      { "nodes": { "tone": { "type": "testAudio", "live": true }, "end": { "type": "nullSink" } },
        "wires": ["tone -> end"] }
      """)
    run.start()
    #expect(await run.reaches(0.1))
    #expect(refusal(by: run) == "no sink of the graph writes a file that has marks")
    run.cancel()
    _ = await run.report()
  }

  @Test func aMovieHasSoManyMarks() async throws {
    let run = try record("a.mp4", seconds: 60)
    run.start()
    #expect(await run.reaches(0.3))
    for number in 0..<ChapterMarks.most { try run.mark("\(number)") }
    #expect(refusal(by: run).hasSuffix("has 10000 marks, as many as a movie can have"))
    run.finish()
    #expect(await run.report().state == .completed)
    #expect(try chapters(of: scratch.path("a.mp4")).count == ChapterMarks.most)
  }
}
