import GraphKit
import TestTools
import Testing

@testable import Nodes

@Suite(.inTurn) struct TextTemplateTests {
  private func text(_ template: String, _ seconds: Double = 0, frame: Int = 0, clock: Int = 0)
    -> String
  {
    TextTemplate(template).text(.init(seconds: seconds, frame: frame, clock: clock))
  }

  @Test(arguments: [
    (0.0, "00:00:00.000"), (1.5, "00:00:01.500"), (59.9996, "00:00:59.999"),
    (0.033333333, "00:00:00.033"), (0.1, "00:00:00.100"), (3661.25, "01:01:01.250"),
    (360_000, "100:00:00.000"), (-0.5, "-00:00:00.500"),
  ])
  func time(_ seconds: Double, _ wanted: String) { #expect(text("{time}", seconds) == wanted) }

  @Test(arguments: [
    (0, "1970-01-01 00:00:00"), (951_782_400, "2000-02-29 00:00:00"),
    (1_767_225_599, "2025-12-31 23:59:59"), (1_772_323_200, "2026-03-01 00:00:00"),
    (-1, "1969-12-31 23:59:59"), (4_107_542_400, "2100-03-01 00:00:00"),
  ])
  func date(_ clock: Int, _ wanted: String) { #expect(text("{date}", clock: clock) == wanted) }

  @Test func wordsStandAmongOtherText() {
    #expect(text("frame {frame} of {seconds} s", 2.25, frame: 54) == "frame 54 of 2.250 s")
    #expect(text("a\n{frame}\n\nb", frame: 3) == "a\n3\n\nb")
    #expect(text("{{time} {", 1) == "{time} {")
    #expect(text("") == "")
  }

  @Test func unknownWordsAreFound() {
    #expect(TextTemplate("{tme} {frame} {}").unknown == ["tme", ""])
    #expect(text("{tme}") == "{tme}")
    var node = TextOverlay()
    node.text = "{hour}"
    #expect(node.problem?.message == "`{hour}` in the text stands for nothing")
  }
}
