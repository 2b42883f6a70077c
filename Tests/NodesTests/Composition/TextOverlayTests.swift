import GraphKit
import GraphTesting
import Kernels
import TestTools
import Testing

@testable import Nodes

@Suite("text", .inTurn) struct TextOverlayTests {
  private func text(_ text: String, _ change: (inout TextOverlay) -> Void = { _ in }) -> TextOverlay
  {
    var node = TextOverlay()
    (node.text, node.color, node.margin) = (text, "ff0000", 10)
    change(&node)
    return node
  }

  private static let frame = FlatFrame(.rgba, 320, 120)

  /// The columns and rows that text changed.
  private func ink(_ sample: CollectedSample) -> Ink? {
    let bytes = sample.bytes
    return Ink(width: 320, height: 120) { index in
      bytes[index * 4] != 10 || bytes[index * 4 + 1] != 20 || bytes[index * 4 + 2] != 30
    }
  }

  private func ink(_ node: TextOverlay, at seconds: Double = 0) throws -> Ink {
    try #require(ink(result(of: node, on: Self.frame, at: seconds)))
  }

  /// No font has a character that is free for any use, such as this one.
  @Test("a character without a font is a warning")
  func missingFonts() throws {
    var node = text("a\u{10FFFD}b{frame}")
    let wanted =
      "no font on this machine has `\u{10FFFD}` (U+10FFFD), which is drawn as a box: install a font "
      + "that has it"
    #expect(try node.resolve(in: FakeEnvironment()) == [wanted])
    var usual = text("Größe 5 €\n\tand {date}\u{200D}\u{FE0F}")
    #expect(try usual.resolve(in: FakeEnvironment()) == [])
  }

  @Test("lies where its position says", arguments: TextOverlay.Position.allCases)
  func positions(_ position: TextOverlay.Position) throws {
    let ink = try ink(text("Hxg") { $0.position = position })
    let name = position.rawValue.lowercased()
    let middle = (
      x: (ink.columns.lowerBound + ink.columns.upperBound) / 2,
      y: (ink.rows.lowerBound + ink.rows.upperBound) / 2
    )
    if name.hasSuffix("left") {
      #expect((10...14).contains(ink.columns.lowerBound))
    } else if name.hasSuffix("right") {
      #expect((304...310).contains(ink.columns.upperBound))
    } else {
      #expect((157...163).contains(middle.x))
    }
    if name.hasPrefix("top") {
      #expect((10...22).contains(ink.rows.lowerBound))
    } else if name.hasPrefix("bottom") {
      #expect((100...110).contains(ink.rows.upperBound))
    } else {
      #expect((55...66).contains(middle.y))
    }
  }

  @Test("has its colour, and that of its outline and box")
  func colors() throws {
    func count(_ color: [UInt8], _ change: (inout TextOverlay) -> Void) throws -> Int {
      let sample = try result(of: text("MMM", change), on: Self.frame)
      let bytes = sample.bytes
      return (0..<320 * 120).count {
        bytes[$0 * 4] == color[0] && bytes[$0 * 4 + 1] == color[1] && bytes[$0 * 4 + 2] == color[2]
      }
    }
    let plain = try count([255, 0, 0, 255]) { _ in }
    #expect(plain > 100)
    let outlined = try count([255, 0, 0, 255]) { $0.outline = 3 }
    #expect(abs(outlined - plain) < plain / 10)
    #expect(try count([0, 0, 0, 255]) { $0.outline = 3 } > 200)
    #expect(try count([0, 0, 255, 255]) { $0.background = "0000ff" } > 1000)
    #expect(try count([255, 0, 0, 255]) { $0.bold = true } > plain)
  }

  @Test("what looks like markup is text")
  func markup() throws {
    let tagged = try ink(text("<b>x</b> & \"y\""))
    let plain = try ink(text("x"))
    #expect(tagged.columns.count > 6 * plain.columns.count)
  }

  @Test("lines lie below each other, and spaces count")
  func lines() throws {
    let (one, two) = (try ink(text("Hx")), try ink(text("Hx\nHx")))
    #expect(two.rows.count - one.rows.count == 39)
    let narrow = try ink(text("HH"))
    let wide = try ink(text("H  H"))
    #expect((18...24).contains(wide.columns.count - narrow.columns.count))
    let left = try ink(text("H\nHHHH") { $0.position = .topLeft })
    let right = try ink(text("H\nHHHH") { ($0.position, $0.align) = (.topLeft, .right) })
    #expect(left.columns == right.columns)
  }

  @Test("words that change are drawn as others are")
  func counters() throws {
    let template = try result(of: text("at {time}"), on: Self.frame, at: 61.25)
    let plain = try result(of: text("at 00:01:01.250"), on: Self.frame, at: 61.25)
    #expect(template.bytes == plain.bytes && ink(plain) != nil)
    let harness = NodeHarness(text("{frame}"))
    for _ in 0..<3 { try harness.push(Self.frame.sample()) }
    let frames = try harness.samples().map(\.bytes)
    #expect(Set(frames).count == 3)
    let first = NodeHarness(text("1"))
    try first.push(Self.frame.sample())
    #expect(try first.samples().first?.bytes == frames[1])
  }

  @Test("the text changes while it runs, and the time of day is the machine's")
  func live() throws {
    let harness = NodeHarness(text("{date}") { $0.clock = { 0 } })
    try harness.push(Self.frame.sample())
    #expect(harness.set("text", to: .string("1970-01-01 00:00:00")))
    try harness.push(Self.frame.sample())
    #expect(harness.set("text", to: .string("")))
    try harness.push(Self.frame.sample())
    let inks = try harness.samples().map { ink($0) }
    #expect(inks[0] != nil && inks[0] == inks[1] && inks[2] == nil)
  }

  @Test("a font that isn't there is told, and one that is, isn't")
  func fonts() throws {
    var node = text("x") { $0.font = "No Such Font" }
    #expect(
      try node.resolve(in: FakeEnvironment()) == [
        "the font `No Such Font` isn't installed; another font is used instead"
      ])
    for font in ["DejaVu Sans", "DejaVu Serif", "sans-serif"] {
      node.font = font
      #expect(try node.resolve(in: FakeEnvironment()) == [])
    }
  }

  @Test("says what is wrong with colours")
  func errors() {
    #expect(text("x") { $0.color = "reddish" }.problem?.key == "color")
    #expect(text("x") { $0.background = "12" }.problem?.key == "background")
  }

  @Test("says which library isn't installed, or has too few functions")
  func libraries() {
    for library in ["libnothing.so.7", "libm.so.6"] {
      let failure = #expect(throws: TextRenderer.Failure.self) {
        try TextRenderer(library: library)
      }
      #expect(failure == .missing(library))
    }
    let error = TextBlock.problem(.missing("libnothing.so.7"))
    #expect(error.message == "text needs the library `libnothing.so.7`")
  }

  @Test("text without letters changes nothing, and text larger than the frame is cut")
  func extremes() throws {
    let frame = FlatFrame(.i420, 33, 17)
    let plain = CollectedSample(try frame.sample()).bytes
    for words in ["\n\n", "   ", "{frame}", "🙂 ŵ 漢字 עברית", String(repeating: "W", count: 40)] {
      for size in [4.0, 150] {
        let bytes = try result(of: text(words) { $0.size = size }, on: frame).bytes
        #expect(bytes.count == plain.count)
        let hasLetters = words.contains { !$0.isWhitespace }
        #expect((bytes != plain) == hasLetters || size == 150, "\(words) \(size)")
      }
    }
  }
}
