import TestTools
import Testing

@testable import GraphKit

@Suite(.inTurn) struct ParameterTextTests {
  private func complaints(_ fields: String, set: [String: String] = [:]) -> [String] {
    CheckerNodes.complaints(
      """
      { "parameters": { "p": null },
        "nodes": { "t": { "type": "tone" }, "e": { "type": "soundEncoder" },
          "m": { "type": "movieSink", \(fields) } },
        "wires": ["t -> e -> m"] }
      """, set: set)
  }

  @Test(
    "text with a NUL is refused",
    arguments: [
      #""path": "a\u0000b.mp4", "tags": { "n": "${p}" }"#,
      #""path": "${p}.mp4", "tags": { "list": ["x", "a\u0000"] }"#,
      #""path": "${p}.mp4", "tags": { "a\u0000": 1 }"#,
    ])
  func nul(fields: String) {
    let found = complaints(fields, set: ["p": "x"])
    #expect(found.count == 1, "\(found)")
    #expect(
      found.allSatisfy {
        $0.hasSuffix("holds the character U+0000, which no text or path can have; remove it")
      })
  }

  @Test("and so is one from the command line")
  func set() {
    let found = complaints(#""path": "x.mp4", "tags": "${p}""#, set: ["p": #"{"a": "\u0000"}"#])
    #expect(found.count == 1 && found[0].contains("`tags` holds the character U+0000"), "\(found)")
  }
}
