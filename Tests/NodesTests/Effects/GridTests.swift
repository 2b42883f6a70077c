import Foundation
import GraphKit
import GraphTesting
import Nodes
import TestTools
import Testing

@Suite("grid", .inTurn) struct GridTests {
  private func plain(_ luma: UInt8, _ width: Int, _ height: Int, _ format: PixelFormat = .i420)
    -> RawPicture
  {
    .plain(
      format, width, height, format == .bgra ? [luma, luma, luma, 255] : [luma, 128, 128])
  }

  private func grid(_ count: Int, _ change: (inout Grid) -> Void = { _ in }) -> NodeHarness<Grid> {
    var node = Grid.with { ($0.cellWidth, $0.cellHeight) = (32, 16) }
    change(&node)
    return NodeHarness(node, inputs: ["in"] + (2..<count + 1).map { "in.\($0)" })
  }

  @Test("each input fills its cell, with bars where its shape is another")
  func cells() throws {
    let harness = grid(3) { ($0.spacing, $0.background) = (4, "ffffff") }
    try harness.push(plain(50, 64, 32).sample(), to: "in")
    try harness.push(plain(100, 16, 16).sample(), to: "in.2")
    try harness.push(plain(150, 128, 64, .bgra).sample(), to: "in.3")
    try harness.finish()
    let samples = try harness.samples()
    let rows = try #require(samples.first.flatMap(RawPicture.init)).planes[0]
    #expect(samples.count == 1 && rows.count == 36 && rows[0].count == 68)
    for (row, values) in rows.enumerated() {
      for (column, value) in values.enumerated() {
        let (inFirst, inRight) = ((0..<32).contains(column), (36..<68).contains(column))
        let wanted: UInt8? =
          switch (row, column) {
          case (0..<16, _) where inFirst: 50
          case (0..<16, _) where inRight: (44..<60).contains(column) ? 100 : 16
          case (20..<36, _) where inFirst: 145
          default: 235
          }
        #expect(wanted.map { abs(Int($0) - Int(value)) < 3 } ?? true, "\(column), \(row): \(value)")
      }
    }
  }

  @Test("the first gives the times and the end; what isn't there is empty")
  func times() throws {
    let harness = grid(2)
    for number in 0..<6 {
      try harness.push(plain(50, 32, 16).sample(at: Double(number) * 0.04), to: "in")
    }
    #expect(try harness.samples().isEmpty)
    try harness.push(plain(90, 32, 16).sample(at: 0.08, lasting: 0.08), to: "in.2")
    try harness.finish("in.2")
    try harness.finish("in")
    let rows = try harness.samples().map { try #require(RawPicture($0)).planes[0][8] }
    #expect(rows.map { $0[8] } == Array(repeating: 50, count: 6))
    #expect(rows.map { $0[40] } == [16, 16, 90, 90, 16, 16])
    #expect(harness.hasEnded)
  }

  @Test("columns are as many as asked for, or about as many as rows")
  func columns() throws {
    for (count, columns, size) in [(2, nil, (64, 16)), (5, nil, (96, 32)), (4, 1, (32, 64))] {
      let harness = grid(count) { $0.columns = columns }
      for input in harness.inputs { try harness.push(plain(9, 32, 16).sample(), to: input) }
      try harness.finish()
      let picture = try #require(try harness.samples().first.flatMap(RawPicture.init))
      #expect((picture.format.width, picture.format.height) == size)
    }
  }

  @Test("grids that are too large, and no colours, are problems")
  func problems() {
    #expect(Grid.with { $0.background = "red" }.problem?.key == "background")
    let large = Grid.with { ($0.cellWidth, $0.columns) = (8_192, 3) }
    let formats = ["in", "in.2", "in.3", "out"].map { ($0, FormatConstraint(.video)) }
    #expect(large.problem(formats: Dictionary(uniqueKeysWithValues: formats))?.key == "cellWidth")
  }
}
