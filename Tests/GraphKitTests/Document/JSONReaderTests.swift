import TestTools
import Testing

@testable import GraphKit

@Suite("Reading JSON", .inTurn)
struct JSONReaderTests {
  private func read(_ text: String) throws -> JSONTree {
    try JSONReader.read(Array(text.utf8)).tree
  }

  @Test(
    "values",
    arguments: [
      ("null", JSONValue.null), (" true ", .bool(true)), ("-0.5e+1", .number(-5)),
      ("0", .number(0)),
      ("9007199254740991", .number(0x1p53 - 1)), ("[]", .array([])), ("{ }", .object([:])),
      ("[1,[2]]", .array([.number(1), .array([.number(2)])])),
      (#""\"\\\/\b\f\n\r\t\u00e9\uD83C\uDFAC""#, .string("\"\\/\u{8}\u{C}\n\r\té🎬")),
      (#"{"b":1,"a":{"c":null}}"#, .object(["b": .number(1), "a": .object(["c": .null])])),
    ])
  func value(_ text: String, _ value: JSONValue) throws {
    #expect(try read(text).value == value)
  }

  @Test("the place of each key and value is its line and column, in characters from 1")
  func places() throws {
    let tree = try read("{\n  \"é🎬\": [10,\t true],\r\n\"b\": \"x\" }")
    let members = try #require(tree.members)
    #expect(tree.place == SourcePlace(line: 1, column: 1))
    #expect(members[0].key.place == SourcePlace(line: 2, column: 3))
    #expect(members[0].value.place == SourcePlace(line: 2, column: 9))
    guard case .array(let items) = members[0].value.content else {
      Issue.record("no list")
      return
    }
    #expect(items.map(\.place) == [.init(line: 2, column: 10), .init(line: 2, column: 15)])
    #expect(members[1].key.place == SourcePlace(line: 3, column: 1))
    #expect(members[1].value.place == SourcePlace(line: 3, column: 6))
  }

  @Test("a place inside a string counts its escapes as they are written")
  func placesInStrings() throws {
    let tree = try read(#""a\u00e9b\n\uD83C\uDFACc""#)
    #expect(tree.text == "aéb\n🎬c")
    #expect((0...5).map { tree.place(ofScalar: $0)?.column } == [2, 3, 9, 10, 12, 24])
  }

  @Test("64 levels are read, 65 aren't")
  func depth() throws {
    let deep = { (levels: Int) in
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    _ = try read(deep(64))
    #expect(throws: JSONReader.Fault.self) { try read(deep(65)) }
    _ = try read("[" + Array(repeating: "[]", count: 100).joined(separator: ",") + "]")
  }

  @Test("of a key that stands twice the first holds, and both places are told")
  func duplicates() throws {
    let (tree, duplicates) = try JSONReader.read(Array(#"{"a":1,"a":2,"a":3}"#.utf8))
    #expect(tree.value == .object(["a": .number(1)]))
    #expect(duplicates.map(\.place.column) == [8, 14])
    #expect(
      duplicates.allSatisfy {
        $0.problem == .duplicateKey("a", first: SourcePlace(line: 1, column: 2))
      })
  }
}
