import TestTools
import Testing

@testable import GraphKit

@Suite("Diagnostics of JSON that isn't", .inTurn)
struct SyntaxDiagnosticTests {
  private func complaint(_ bytes: [UInt8]) -> String {
    do {
      let document = try GraphDocument(json: bytes, file: "g.json")
      return document.diagnostics.map(\.description).joined(separator: "\n")
    } catch {
      return error.description
    }
  }

  @Test(
    "text, line and column",
    arguments: [
      ("", "1:1: error: the file is empty; write a graph: `nodes` and `wires`"),
      (" \n ", "2:2: error: the file is empty; write a graph: `nodes` and `wires`"),
      (
        "\u{FEFF}{}",
        "1:1: error: the file starts with a byte order mark; save it as UTF-8 without one"
      ),
      ("{\n  \"nodes\": {},\n}", "2:14: error: a comma with nothing after it; remove the comma"),
      ("{\"nodes\": [1 , ] }", "1:14: error: a comma with nothing after it; remove the comma"),
      ("{ // x\n}", "1:3: error: JSON has no comments; remove the comment"),
      ("{ # x\n}", "1:3: error: JSON has no comments; remove the comment"),
      (
        "{\"a\": \"x\u{1}\"}",
        "1:9: error: a control character (0x01) in a string; write it as `\\u0001`, or close the string before it"
      ),
      (
        "{\"a\": \"x\0\"}",
        "1:9: error: a control character (0x00) in a string; write it as `\\u0000`, or close the string before it"
      ),
      (
        "{\"a\": \"x\n\"}",
        "1:9: error: a control character (0x0A) in a string; write it as `\\u000A`, or close the string before it"
      ),
      ("{\"a\": \0}", "1:7: error: `\\u{0}` where a value should be; write a value here"),
      (#"{"a": "x\qy"}"#, #"1:9: error: `\q` is no escape; write `\\` for a backslash"#),
      (#"{"a": "C:\Users"}"#, #"1:10: error: `\U` is no escape; write `\\` for a backslash"#),
      (#"{"a": "\u12G4"}"#, #"1:8: error: `\u12G4` is no escape; write `\\` for a backslash"#),
      (
        #"{"a": "\uD83C"}"#,
        #"1:8: error: `\uD83C` is half a character; write the character itself, or both halves"#
      ),
      (
        #"{"a": "é\uDFAC"}"#,
        #"1:9: error: `\uDFAC` is half a character; write the character itself, or both halves"#
      ),
      (
        #"{"a": "\uD83C\u0041"}"#,
        #"1:8: error: `\uD83C` is half a character; write the character itself, or both halves"#
      ),
      ("{\"a\": 007}", "1:7: error: `007` starts with a zero; remove the zeros at its start"),
      ("{\"a\": -01}", "1:7: error: `-01` starts with a zero; remove the zeros at its start"),
      (
        "{\"a\": 1.}",
        "1:7: error: `1.` is no number; write digits on both sides of the point and after the `e`"
      ),
      (
        "{\"a\": 1e}",
        "1:7: error: `1e` is no number; write digits on both sides of the point and after the `e`"
      ),
      ("{\"a\": .5}", "1:7: error: `.` where a value should be; write a value here"),
      ("{\"a\": NaN}", "1:7: error: JSON has no `NaN`; write a number"),
      ("{\"a\": -Infinity}", "1:7: error: JSON has no `-Infinity`; write a number"),
      (
        "{\"a\": 1e400}",
        "1:7: error: `1e400` is too large to be held exactly; write a smaller number, or text"
      ),
      (
        "{\"a\": 9007199254740993}",
        "1:7: error: `9007199254740993` is too large to be held exactly; write a smaller number, or text"
      ),
      ("{\"a\": 'x'}", "1:7: error: `'` where a value should be; write text in double quotes"),
      ("{\"a\": True}", "1:7: error: `True` where a value should be; write a value here"),
      ("{a: 1}", "1:2: error: `a` where a key in quotes should be; write a key in quotes here"),
      (
        "{\"a\" 1}",
        "1:6: error: `1` where `:` after the key should be; write `:` after the key here"
      ),
      ("{\"a\": 1 \"b\": 2}", "1:9: error: `\"` where `,` or `}` should be; write `,` or `}` here"),
      ("{\"a\": 1]", "1:8: error: `]` where `,` or `}` should be; write `,` or `}` here"),
      ("{} {}", "1:4: error: `{` after the end of the graph; remove what follows the last `}`"),
      ("{\"a\": [1,", "1:10: error: the file ends too early; a value is missing here"),
      ("{\"a\": \"x", "1:9: error: the file ends too early; the closing quote is missing here"),
      (
        "{\"a\": \"x\\",
        "1:10: error: the file ends too early; the rest of an escape is missing here"
      ),
      (
        String(repeating: "[", count: 65),
        "1:65: error: nested more than 64 deep; a graph needs four levels; remove brackets"
      ),
      (
        #"{"nodes": {}, "nodes": {}}"#,
        "1:15: error: `nodes` is already given in line 1, column 2; remove or rename one of the two"
      ),
    ])
  func text(_ text: String, _ complaint: String) {
    #expect(self.complaint(Array(text.utf8)) == "g.json:" + complaint)
  }

  @Test(
    "bytes that aren't UTF-8",
    arguments: [
      (
        [0x7B, 0x0A, 0x22, 0xC3, 0x28],
        "2:2: error: the byte 0xC3 isn't UTF-8 here; save the file as UTF-8"
      ),
      (
        [0x22, 0xED, 0xA0, 0x80, 0x22],
        "1:2: error: the byte 0xED isn't UTF-8 here; save the file as UTF-8"
      ),
      ([0xFF, 0xFE, 0x7B, 0x00], "1:1: error: the file isn't UTF-8 but UTF-16; save it as UTF-8"),
    ] as [([UInt8], String)])
  func encoding(_ bytes: [UInt8], _ complaint: String) {
    #expect(self.complaint(bytes) == "g.json:" + complaint)
  }

  @Test("a file over 1 MiB isn't read")
  func size() {
    let bytes = [UInt8](repeating: 0x20, count: (1 << 20) + 1)
    #expect(
      complaint(bytes)
        == "g.json:1:1: error: the file has 1048577 bytes; a graph file may have up to 1048576")
  }
}
