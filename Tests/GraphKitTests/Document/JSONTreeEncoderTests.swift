import Foundation
import TestTools
import Testing

@testable import GraphKit

/// What Foundation's decoder reads must be what was written.
@Suite(.inTurn) struct JSONTreeEncoderTests {
  struct Everything: Codable, Equatable {
    var text = "tab\tquote\" é🎬\u{1}"
    var number = -1.5
    var whole = 9_007_199_254_740_991
    var flag = true
    var missing: Int?
    var list = [[1, 2], [], [3]]
    var names = ["b": 2, "a": 1]
    var place = SourcePlace(line: 3, column: 4)
    var empty: [String: Int] = [:]
    var choice = PipelineState.running
  }

  @Test func writesWhatFoundationReads() throws {
    let value = Everything()
    let tree = try JSONTree(encoding: value)
    for text in [tree.json, tree.jsonLine] {
      #expect(try JSONDecoder().decode(Everything.self, from: Data(text.utf8)) == value)
    }
    #expect(!tree.jsonLine.contains("\n"))
  }

  @Test func keepsTheOrderOfKeysAndSortsThoseOfDictionaries() throws {
    struct Value: Encodable {
      var z = 1
      var a = ["y": 1, "x": 2, "w": 3]
    }
    #expect(
      try JSONTree(encoding: Value()).jsonLine
        == #"{ "z": 1, "a": { "w": 3, "x": 2, "y": 1 } }"#)
  }

  @Test func hasNoNumberThatJSONLacks() throws {
    #expect(try JSONTree(encoding: [Double.nan, .infinity, 0.1]).jsonLine == "[null, null, 0.1]")
  }

  @Test func writesJSONValuesAsThemselves() throws {
    let value = JSONValue.object(["a": .array([.null, .bool(true), .number(2), .string("x")])])
    #expect(try JSONTree(encoding: value).jsonLine == #"{ "a": [null, true, 2, "x"] }"#)
  }

  @Test func writesNestedContainers() throws {
    struct Nested: Encodable {
      enum Key: String, CodingKey { case inner, list, parent }
      func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Key.self)
        var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .inner)
        try inner.encodeNil(forKey: .list)
        var list = outer.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        try list.encodeNil()
        try 5.encode(to: outer.superEncoder(forKey: .parent))
      }
    }
    #expect(
      try JSONTree(encoding: Nested()).jsonLine
        == #"{ "inner": { "list": null }, "list": [1, null], "parent": 5 }"#)
  }
}
