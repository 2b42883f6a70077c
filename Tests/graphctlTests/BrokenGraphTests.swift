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
}
