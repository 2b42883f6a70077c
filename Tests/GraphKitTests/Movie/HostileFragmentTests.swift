import Foundation
import TestTools
import Testing

@testable import Containers
@testable import GraphKit

/// Movies in fragments that claim what they don't have.
@Suite(.inTurn) struct HostileFragmentTests {
  @Test("a run of four thousand million samples in no bytes is soon looked through")
  func emptyRun() throws {
    var writer = BoxWriter()
    writer.box("moov") { writer in
      writer.fullBox("mvhd") { $0.write(0, bytes: 8) }
      writer.box("mvex") { _ in }
    }
    writer.box("moof") { writer in
      writer.box("traf") { writer in
        writer.fullBox("tfhd") { $0.write(1, bytes: 4) }
        for _ in 0..<100 {
          writer.box("trun") { writer in
            writer.write(1, bytes: 4)
            writer.write(Int(UInt32.max), bytes: 4)
            writer.write(0, bytes: 4)
          }
        }
      }
    }
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).mp4")
    try Data(writer.bytes).write(to: path)
    defer { try? FileManager.default.removeItem(at: path) }
    let movie = try MovieFile(path.path, for: .changing)
    #expect(movie.fragmentStart != nil)
    #expect(throws: NodeError.self) { try movie.joinFragments() }
    #expect(try Data(contentsOf: path).count == writer.bytes.count)
  }
}
