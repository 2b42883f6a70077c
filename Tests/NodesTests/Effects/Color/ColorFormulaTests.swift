import Foundation
import GraphKit
import Nodes
import TestTools
import Testing

@Suite("Colour effects, by their formulas", .inTurn) struct ColorFormulaTests {
  func near(_ a: RGB, _ b: RGB) -> Bool {
    zip([a.x, a.y, a.z], [b.x, b.y, b.z]).allSatisfy { abs($0 - $1) < 1e-4 }
  }

  @Test func sepiaIsThatOfTheWeb() {
    #expect(near(Sepia().color(RGB(1, 0, 0)), RGB(0.393, 0.349, 0.272)))
    #expect(near(Sepia().color(RGB(0, 1, 0)), RGB(0.769, 0.686, 0.534)))
    #expect(near(Sepia(intensity: 0.5).color(RGB(0, 0, 1)), RGB(0.0945, 0.084, 0.5655)))
  }

  @Test func grayKeepsBrightness() {
    for color in [RGB(1, 0, 0), RGB(0.2, 0.5, 0.9)] {
      let gray = PhotoFilter(.tonal).color(color)
      #expect(gray.x == gray.y && gray.y == gray.z)
      #expect(abs(gray.x - (0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z)) < 1e-5)
      #expect(near(Saturation(amount: 0).color(color), gray))
    }
  }

  @Test func everyStyleIsALookOfItsOwn() {
    let color = RGB(0.7, 0.4, 0.2)
    let looks = PhotoFilter.Style.allCases.map { PhotoFilter($0).color(color) }
    for (index, look) in looks.enumerated() {
      for other in looks[..<index] { #expect(!near(look, other)) }
    }
    for style in [PhotoFilter.Style.mono, .noir, .tonal] {
      let look = PhotoFilter(style).color(color)
      #expect(near(look, RGB(repeating: look.x)))
    }
    // Cool and warm.
    let gray = RGB(repeating: 0.5)
    #expect(PhotoFilter(.process).color(gray).z > PhotoFilter(.process).color(gray).x)
    #expect(PhotoFilter(.transfer).color(gray).x > PhotoFilter(.transfer).color(gray).z)
  }

  @Test func temperatureWarmsAndKeepsWhiteAsBright() {
    let white = RGB(repeating: 1)
    let (warm, cool) = (
      Temperature(kelvin: 9000).color(white), Temperature(kelvin: 4000).color(white)
    )
    #expect(warm.x > 1 && warm.z < 1)
    #expect(cool.x < 1 && cool.z > 1)
    #expect(abs((warm * RGB(0.2126, 0.7152, 0.0722)).sum() - 1) < 1e-4)
    #expect(near(Temperature().color(white), white))
    #expect(Temperature(kelvin: 6500, tint: 1).color(white).y < 1)
  }

  @Test func tonesMoveAsStated() {
    #expect(near(Exposure(stops: 2.2).color(RGB(0.1, 0.2, 0.4)), RGB(0.2, 0.4, 0.8)))
    #expect(near(Contrast(amount: 2).color(RGB(0.5, 0.25, 1)), RGB(0.5, 0, 1.5)))
    #expect(near(Gamma(gamma: 2).color(RGB(0.25, 1, 0)), RGB(0.5, 1, 0)))
    #expect(near(Posterize(levels: 3).color(RGB(0.2, 0.3, 0.9)), RGB(0, 0.5, 1)))
    #expect(near(Invert().color(RGB(0.2, 0.3, 1)), RGB(0.8, 0.7, 0)))
    var levels = Levels()
    (levels.inputBlack, levels.inputWhite, levels.outputWhite) = (0.2, 0.6, 0.5)
    #expect(near(levels.color(RGB(0.1, 0.4, 0.9)), RGB(0, 0.25, 0.5)))
  }

  @Test func aCurveGoesThroughItsPointsAndNeverBeyond() {
    var curves = Curves()
    curves.master = [
      CurvePoint(0, 0), CurvePoint(0.25, 0.5), CurvePoint(0.5, 0.5), CurvePoint(1, 1),
    ]
    #expect(near(curves.color(RGB(0, 0.25, 0.5)), RGB(0, 0.5, 0.5)))
    var last: Float = -1
    for step in 0...200 {
      let value = curves.color(RGB(repeating: Float(step) / 200)).x
      #expect(value >= last - 1e-6)
      last = value
    }
    #expect(near(curves.color(RGB(0.3, 0.4, 0.45)), RGB(repeating: 0.5)))
    curves.red = [CurvePoint(0.5, 0.1), CurvePoint(0.2, 0.1)]
    #expect(curves.problem?.key == "red")
  }

  @Test(arguments: [("[[]]", 0), ("[[0, 0], [0.5]]", 1), ("[[0, 0], [0.5, 0.5, 1]]", 1)])
  func pointsHaveTwoNumbers(points: String, wrong: Int) {
    let graph = """
      { "nodes": { "a": { "type": "testVideo" }, "b": { "type": "curves", "master": \(points) },
          "c": { "type": "nullSink" } }, "wires": ["a -> b -> c"] }
      """
    let errors = #expect(throws: GraphErrors.self) { try plan(graph) }
    #expect(
      errors?.diagnostics.map(\.message) == ["`master[\(wrong)]` is a list"], "\(points)")
  }

  private func cube(_ text: String) throws -> LookupTable {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).cube"
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    var node = LookupTable()
    node.path = path
    _ = try node.resolve(in: LiveEnvironment())
    return node
  }

  @Test func cubesAreInterpolated() throws {
    // Red and blue in turn, and green halved.
    let rows = (0..<8).map { "\(($0 >> 2) & 1) \(Double(($0 >> 1) & 1) / 2) \($0 & 1)" }
    let table = try cube(
      "\u{FEFF}TITLE \"x\"\n# c\nLUT_3D_SIZE 2\r\n" + rows.joined(separator: "\n"))
    #expect(near(table.color(RGB(0.25, 0.5, 0.75)), RGB(0.75, 0.25, 0.25)))
    #expect(near(table.color(RGB(-1, 2, 0.5)), RGB(0.5, 0.5, 0)))
    let line = try cube("LUT_1D_SIZE 3\nDOMAIN_MAX 2 2 2\n0 0 0\n1 0.5 0\n1 1 1\n")
    #expect(near(line.color(RGB(0.5, 1, 1.5)), RGB(0.5, 0.5, 0.5)))
  }

  @Test(arguments: [
    ("", "neither"), ("LUT_3D_SIZE 2\n0 0 0\n", "1 colours and not 8"),
    ("LUT_3D_SIZE 1000000\n", "line 1"), ("LUT_1D_SIZE 2\n0 0\n", "line 2"),
    ("LUT_1D_SIZE 2\n0 0 nan\n", "line 2"), ("0 0 0\n", "more colours"),
    ("LUT_1D_SIZE 2\nDOMAIN_MAX 0 0 0\n0 0 0\n1 1 1\n", "empty domain"),
    ("LUT_1D_SIZE 2\nwhat\n", "line 2"),
  ])
  func brokenCubesAreRefused(_ text: String, _ words: String) throws {
    let error = #expect(throws: NodeError.self) { try cube(text) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
