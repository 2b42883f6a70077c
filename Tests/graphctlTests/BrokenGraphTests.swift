import Foundation
import TestTools
import Testing

/// Twenty graphs that are wrong, each in its own way.
@Suite(.inTurn) struct BrokenGraphTests {
  private static let place = Graphctl.repository.appending(path: "Tests/Fixtures/BrokenGraphs")

  @Test func eachIsAnsweredWithItsPlaceAndARemedy() async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.place.path).sorted()
    #expect(names.count == 20)
    let folder = try Folder()
    var answers = ""
    for name in names {
      try folder.write(name, String(contentsOf: Self.place.appending(path: name), encoding: .utf8))
      let result = try await Graphctl.run(["check", name], in: folder)
      #expect((result.status, result.output) == (65, ""), "\(name): \(result)")
      answers += result.messages.replacing(/.*: note: .*\n/, with: "")
    }
    try expect(answers, matches: "broken-graphs.txt")
  }

  /// Processor time, which is the same however busy the machine is. A sanitizer takes its own.
  @Test(.disabled(if: Graphctl.isSanitized))
  func noneTakesOver100Milliseconds() async throws {
    let folder = try Folder()
    try folder.write(
      "time.sh",
      """
      TIMEFORMAT='%U %S'
      for graph in "$2"/*.json; do
        time "$1" check "$graph" > answer 2>&1
      done 2> times
      true
      """)
    try await Tool.run(
      "bash", ["time.sh", Graphctl.executable.path, Self.place.path], in: folder.url)
    let times = folder.text("times").split(separator: "\n").map { line in
      line.split(separator: " ").compactMap { Double($0) }.reduce(0, +)
    }
    #expect(times.count == 20 && times.allSatisfy { $0 > 0 && $0 < 0.1 }, "\(times)")
  }
}
