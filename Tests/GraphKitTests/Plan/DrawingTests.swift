import Foundation
import Testing

@testable import GraphKit

@Suite struct DrawingTests {
  private func write(_ drawing: Drawing, _ name: String) throws {
    guard let folder = ProcessInfo.processInfo.environment["DRAW"] else { return }
    try drawing.svg.write(toFile: "\(folder)/\(name).svg", atomically: true, encoding: .utf8)
    try drawing.mermaid.write(toFile: "\(folder)/\(name).mmd", atomically: true, encoding: .utf8)
    try drawing.dot.write(toFile: "\(folder)/\(name).dot", atomically: true, encoding: .utf8)
  }

  @Test func pictures() throws {
    let record = try Plan(Pictures.record.graph)
    print(record)
    try write(Drawing(record), "record")
    try write(Drawing(Pictures.record.graph), "record-graph")
    try write(Drawing(try Plan(Pictures.fanOut.graph)), "fanout")
    try write(Drawing(try Plan(Pictures.studio.graph)), "studio")
    try write(Drawing(Pictures.studio.graph), "studio-graph")
  }
}
