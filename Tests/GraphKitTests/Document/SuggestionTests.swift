import TestTools
import Testing

@testable import GraphKit

@Suite("Did you mean", .inTurn)
struct SuggestionTests {
  private static let words = ["noir", "sepia", "mono", "camera", "testVideo", "testAudio"]

  @Test(
    "the nearest word, and none where all are far",
    arguments: [
      ("noirr", "noir"), ("nior", "noir"), ("NOIR", "noir"), ("sepai", "sepia"), ("n", nil),
      ("warm", nil), ("", nil), ("mon", "mono"), ("x", nil), ("sepia", nil),
      ("cam", "camera"), ("CAME", "camera"), ("ca", nil), ("tes", nil), ("testv", "testVideo"),
    ] as [(String, String?)])
  func nearest(_ word: String, _ meant: String?) {
    #expect(closest(to: word, among: Self.words) == meant)
  }

  @Test(
    "distances: changed, added, left out, swapped",
    arguments: [
      ("", "", 0), ("a", "", 1), ("", "ab", 2), ("abc", "abd", 1), ("abc", "abcd", 1),
      ("abcd", "acd", 1), ("abcd", "acbd", 1), ("kitten", "sitting", 3),
    ])
  func distance(_ a: String, _ b: String, _ distance: Int) {
    #expect(editDistance(Array(a.unicodeScalars), Array(b.unicodeScalars)) == distance)
    #expect(editDistance(Array(b.unicodeScalars), Array(a.unicodeScalars)) == distance)
  }

  @Test("a quotation is short, and moves no cursor")
  func quotation() {
    #expect(excerpt("a\u{1B}[2J\u{202E}b") == #"a\u{1B}[2J\u{202E}b"#)
    #expect(excerpt(String(repeating: "é", count: 41)) == String(repeating: "é", count: 40) + "…")
  }
}
