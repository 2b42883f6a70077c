/// The text of an SVG path, made of short relative commands (SVG 1.1, section 8.3).
///
/// Places are in pixels and kept to tenths. Each command is relative to where the one before it
/// ended on that grid, so that rounding never adds up.
struct SVGPath {
  private var commands = ""
  private var place = Place(x: 0, y: 0)
  /// Where a run of horizontal lines has got to, of which nothing is written yet.
  private var target = 0
  private var command: Character = " "

  private struct Place { var x: Int, y: Int }

  /// The value of the attribute `d`.
  var text: String { commands }

  /// Begins a shape.
  mutating func move(_ x: Double, _ y: Double) {
    place = Place(x: Self.tenths(x), y: Self.tenths(y))
    target = place.x
    write("M", [place.x, place.y])
  }

  /// Draws sideways. Runs become one line.
  mutating func horizontal(_ x: Double) { target = Self.tenths(x) }

  /// Draws up or down.
  mutating func vertical(_ y: Double) {
    let y = Self.tenths(y)
    guard y != place.y else { return }
    endRun()
    write("v", [y - place.y])
    place.y = y
  }

  /// Draws to a place.
  mutating func line(_ x: Double, _ y: Double) {
    endRun()
    let end = Place(x: Self.tenths(x), y: Self.tenths(y))
    write("l", [end.x - place.x, end.y - place.y])
    place = end
    target = end.x
  }

  /// Draws the half of an ellipse, clockwise, to a place.
  mutating func arc(_ width: Double, _ height: Double, to x: Double, _ y: Double) {
    endRun()
    let end = Place(x: Self.tenths(x), y: Self.tenths(y))
    let radii = [Self.tenths(width), Self.tenths(height)]
    write("a", radii + [0, 0, 10, end.x - place.x, end.y - place.y])
    place = end
    target = end.x
  }

  /// Ends the shape where it began.
  mutating func close() {
    endRun()
    commands += "z"
    command = "z"
  }

  /// A whole rectangle.
  mutating func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    move(x, y)
    horizontal(x + width)
    vertical(y + height)
    horizontal(x)
    close()
  }

  private mutating func endRun() {
    guard target != place.x else { return }
    write("h", [target - place.x])
    place.x = target
  }

  private mutating func write(_ letter: Character, _ tenths: [Int]) {
    // A letter that repeats needn't be written again.
    var needsSpace = letter == command
    if !needsSpace { commands.append(letter) }
    for value in tenths {
      if needsSpace, value >= 0 { commands.append(" ") }
      commands += value.decimal
      needsSpace = true
    }
    command = letter
  }

  private static func tenths(_ value: Double) -> Int { Int((value * 10).rounded()) }
}

extension Int {
  /// A number of tenths as SVG takes it: `12`, `.5`, `-3.1`.
  var decimal: String {
    let (whole, rest) = (abs(self / 10), abs(self % 10))
    let sign = self < 0 ? "-" : ""
    guard rest != 0 else { return "\(sign)\(whole)" }
    return whole == 0 ? "\(sign).\(rest)" : "\(sign)\(whole).\(rest)"
  }
}
