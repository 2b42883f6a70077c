import GraphKit
import Kernels
import TestTools
import Testing

@testable import Nodes

/// Scripts whose letters change with their neighbours, judged by Pango's own viewer.
@Suite(.inTurn) struct TextShapingTests {
  private func block(
    _ text: String, _ change: (inout TextLook) -> Void = { _ in }
  ) throws -> TextBlock {
    var look = TextLook()
    change(&look)
    return try TextBlock(text, look)
  }

  /// The opacity of each inked pixel, from the upper left corner of the ink.
  private func alphas(_ picture: Picture) throws -> [[Int]] {
    let ink = try #require(Ink(picture))
    return ink.rows.map { row in
      ink.columns.map { Int(picture.pixels[(row * picture.width + $0) * 4 + 3]) }
    }
  }

  @Test(arguments: [
    ("سلام عليكم", "DejaVu Sans"), ("हिन्दी क्षत्रिय", "Lohit Devanagari"),
    ("Åfjord e\u{301}ȩ̈", "DejaVu Sans"), ("שלום, world", "DejaVu Sans"), ("office", "DejaVu Serif"),
  ])
  func linesAreWhatPangoDraws(_ text: String, _ font: String) async throws {
    let folder = try TestFolder()
    try tool(
      "pango-view",
      [
        "--no-display", "--font=\(font) 48px", "--antialias=gray", "--hinting=none",
        "--background=transparent", "--text=\(text)", "--output=\(folder.path("text.png"))",
      ])
    let wanted = try alphas(PictureFile.picture(folder.path("text.png")))
    let drawn = try alphas(block(text) { ($0.family, $0.size) = (font, 48) }.picture)
    #expect(drawn.count == wanted.count && drawn.first?.count == wanted.first?.count)
    let differences = zip(drawn, wanted).flatMap { zip($0, $1).map { abs($0 - $1) } }
    let total = wanted.joined().reduce(0, +)
    #expect(differences.reduce(0, +) * 50 < total, "\(differences.reduce(0, +)) of \(total)")
  }

  @Test(arguments: [("سلام", "DejaVu Sans"), ("क्षत्रि", "Lohit Devanagari")])
  func lettersAreJoined(_ word: String, _ font: String) throws {
    func width(_ text: String) throws -> Int { try block(text) { $0.family = font }.width }
    let apart = try word.unicodeScalars.map { try width(String($0)) }.reduce(0, +)
    let joined = try width(word)
    #expect(joined * 10 < apart * 9, "\(joined) of \(apart)")
  }

  @Test func linesAreWrappedBetweenWords() throws {
    let text = "one two three four five six seven"
    let (line, wrapped) = (try block(text), try block(text) { $0.wrapWidth = 200 })
    #expect(line.width > 400 && (100...200).contains(wrapped.width))
    #expect(wrapped.height == line.height * 4)
    #expect(try block("one two\nthree four\nfive six\nseven").height == wrapped.height)
    // A word that is too long is broken anywhere.
    let word = try block(String(repeating: "m", count: 20)) { $0.wrapWidth = 200 }
    #expect(word.width <= 200 && word.height > line.height)
  }

  @Test func shortLinesAreAlignedInEitherDirection() throws {
    func columns(_ text: String, _ alignment: Double) throws -> Range<Int> {
      let block = try block(text) { $0.alignment = alignment }
      let ink = try #require(Ink(block.picture)).columns
      return ink.lowerBound + block.corner.x..<ink.upperBound + block.corner.x
    }
    for short in ["ab", "אב"] {
      // The long line is too small to be seen.
      let lines = short + "\n" + String(repeating: "\u{2003}", count: 10) + "\u{200B}"
      let (left, middle, right) = (
        try columns(lines, 0), try columns(lines, 0.5), try columns(lines, 1)
      )
      #expect(left.lowerBound < 5 && right.upperBound > 310, "\(short)")
      #expect(abs(middle.lowerBound * 2 - left.lowerBound - right.lowerBound) <= 1, "\(short)")
    }
  }

  @Test(arguments: [
    "🙂👩‍👩‍👧", "\u{10FFFD}\u{E000}\u{FFFE}\u{FFFF}", "\u{202E}abc\u{202C}\u{2066}",
    "a\u{0}b\u{7}c\u{1B}",
    "e" + String(repeating: "\u{301}", count: 500), "\u{FDFD}\u{2028}\u{2029}\r\n\u{85}x",
  ])
  func oddCharactersAreDrawnSomehow(_ text: String) throws {
    for size in [4.0, 60, 500] {
      let block = try block(text) { ($0.size, $0.outline, $0.shadow) = (size, 2, 3) }
      #expect(block.picture.width > 0 && block.width > 0 && block.height > 0)
    }
  }

  @Test func aZeroEndsNothing() throws {
    #expect(try block("a\u{0}b").picture == block("a b").picture)
    #expect(try block("a\u{0}b").width > block("a").width)
  }

  @Test func fontsWithTallLettersHaveTheirRoom() throws {
    let (latin, hindi) = (try block("ab\nab"), try block("हि\nहि") { $0.family = "Lohit Devanagari" })
    #expect(latin.height == 78 && hindi.height >= 78)
    let stacked = try block("\u{301}\n" + "क्ष्म्य") { ($0.family, $0.size) = ("Lohit Devanagari", 100) }
    #expect(try #require(Ink(stacked.picture)).rows.upperBound + stacked.corner.y <= stacked.height)
  }

  @Test func veryLargeTextIsCutAndCostsABoundedPicture() throws {
    let block = try block(String(repeating: "W", count: 1900) + String(repeating: "\nW", count: 50))
    {
      ($0.size, $0.outline, $0.background) = (500, 50, 0xFF)
    }
    #expect(block.picture.width * block.picture.height <= PictureFile.largestPixelCount)
    #expect(block.picture.width > 10_000)
  }
}
