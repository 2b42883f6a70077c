import Batch
import TestTools
import Testing

/// Lists of items, as they are written by people and programs.
@Suite(.inTurn) struct ItemListTests {
  private func items(
    _ text: String, _ format: ItemLines.Format
  ) throws -> [ListedItem] {
    try ItemLines.read(Array(text.utf8), format, name: "list", inputParameter: "input")
  }

  private func problems(_ text: String, _ format: ItemLines.Format) -> [String] {
    do {
      _ = try items(text, format)
      return []
    } catch { return (error as? BatchError)?.problems.map { "\($0.place): \($0.message)" } ?? [] }
  }

  /// Names of which Swift says that they are equal, though they are those of two files.
  @Test func namesOfOneLookAreTwo() throws {
    let (composed, decomposed) = ("\u{e9}.wav", "e\u{301}.wav")
    #expect(try ItemWords.items([composed, decomposed, composed]).count == 2)
  }

  @Test func readsPathsALine() throws {
    let found = try items("a b.mp3\n\n-x.mp3\n\"q\".mp3", .paths)
    #expect(found.map(\.input) == ["a b.mp3", "-x.mp3", "\"q\".mp3"])
    #expect(found.map(\.place) == ["list:1", "list:3", "list:4"])
  }

  @Test func readsLinesOfWindows() throws {
    let found = try items("a b.mp3\r\n\r\nc.mp3\r\n", .paths)
    #expect(found.map(\.input) == ["a b.mp3", "c.mp3"])
    #expect(found.map(\.place) == ["list:1", "list:3"])
    #expect(try items("a\r\0", .nullSeparated).map(\.input) == ["a\r"])
  }

  @Test func readsPathsWithLineFeedsBeforeEachNUL() throws {
    #expect(try items("a\nb.mp3\0c.mp3\0", .nullSeparated).map(\.input) == ["a\nb.mp3", "c.mp3"])
  }

  @Test func readsJSONLines() throws {
    let text = """
      "a.mp3"

      { "input": "b.mp3", "zoom": 512, "loud": true, "output": "b.dat" }
      """
    let found = try items(text, .jsonLines)
    #expect(found.map(\.input) == ["a.mp3", "b.mp3"])
    #expect(found[1].values == ["zoom": "512", "loud": "true", "output": "b.dat"])
    #expect(found[1].place == "list:3")
  }

  @Test func saysAllThatIsWrongWithJSONLines() {
    let text = "{\n[1]\n{ \"output\": \"x\" }\n{ \"input\": \"a\", \"list\": [1] }"
    #expect(
      problems(text, .jsonLines) == [
        "list:1: it isn't JSON", "list:2: it is neither text nor an object",
        "list:3: it has no `input`",
        "list:4: `list` is neither text, a number nor true or false",
      ])
  }

  @Test func readsCSVWithQuotesAndLineEnds() throws {
    let text = "\u{FEFF}input,output\r\n\"a, b\"\"c\"\".mp3\",x\r\n\n\"two\nlines\",y\nlast,"
    let found = try items(text, .csv)
    #expect(found.map(\.input) == ["a, b\"c\".mp3", "two\nlines", "last"])
    #expect(found.map(\.values) == [["output": "x"], ["output": "y"], [:]])
    #expect(found.map(\.place) == ["list:2", "list:4", "list:6"])
  }

  @Test(arguments: [
    ("input\n\"a", "list:2: a quote isn't closed"),
    ("input\n\"a\"b", "list:2: a comma is missing after a quote"),
    ("file\na", "list:1: no column is called `input`"),
    ("input,x\na", "list:2: it has 1 fields, and the head 2"),
  ])
  func saysWhatIsWrongWithCSV(_ text: String, _ problem: String) {
    #expect(problems(text, .csv) == [problem])
  }

  @Test(arguments: [ItemLines.Format.paths, .nullSeparated, .jsonLines, .csv])
  func refusesWhatIsNotUTF8(_ format: ItemLines.Format) {
    let bytes = Array("input\na".utf8) + [0xFF]
    #expect(throws: BatchError.self) {
      try ItemLines.read(bytes, format, name: "list", inputParameter: "input")
    }
  }
}

/// What differs from item to item in a value.
@Suite(.inTurn) struct ItemTemplateTests {
  private func value(_ template: String, of path: String) throws -> String {
    try ItemTemplate(template).value(for: ListedItem(path))
  }

  @Test(arguments: [
    ("peaks/{path}.dat", "media/x/a.tar.mp3", "peaks/media/x/a.tar.dat"),
    ("{folder}/{stem}-{name}", "media/x/a.mp3", "media/x/a-a.mp3"),
    ("{folder}/{stem}", ".hidden", "./.hidden"),
    ("{path}", "../../etc/a.b/c", "etc/a.b/c"),
    ("{path}", "/data/a.mp3", "data/a"),
    ("{stem}-{number}.png", "a.mp4", "a-{number}.png"),
    ("{ {x: 1} {id}", "a.mp4", "{ {x: 1} {id}"),
  ])
  func putsTheItemIn(_ template: String, _ path: String, _ expected: String) throws {
    #expect(try value(template, of: path) == expected)
  }

  @Test func whatANameHoldsIsNoField() throws {
    #expect(try value("{stem}.dat", of: "a{path}.mp3") == "a{path}.dat")
  }

  @Test func theItemsNameIsPutInOnceAlone() throws {
    let value = try value("{stem}-{id}.dat", of: "a{id}.mp3")
    #expect(ItemTemplate.complete(value, id: "7f") == "a{id}-7f.dat")
  }

  @Test func refusesAFieldThatThereIsNot() {
    #expect(throws: BatchError.self) { try ItemTemplate("{base}.dat") }
  }
}
