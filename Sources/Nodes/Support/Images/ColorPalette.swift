/// The colours that stand for all of an image: its own where they are few, and otherwise those that
/// the median cut finds (Heckbert 1982).
struct ColorPalette {
  /// Red, green and blue of each colour.
  private(set) var colors: [(red: Int, green: Int, blue: Int)] = []
  /// For each cell of colours, the nearest of the palette; -1 where that isn't known yet.
  private var nearest = [Int16](repeating: -1, count: Self.cellCount)

  /// Cells of colours that agree in their five highest bits.
  private static let cellCount = 1 << 15

  static func cell(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    (red >> 3) << 10 | (green >> 3) << 5 | blue >> 3
  }

  /// The palette of some pixels, of at most `most` colours.
  init(of histogram: ColorHistogram, most: Int) {
    let cells = histogram.cells
    if cells.count <= most, cells.allSatisfy(\.isOneColor) {
      colors = cells.map(\.mean)
    } else {
      colors = Self.cut(cells, into: most).map(ColorHistogram.mean(of:))
    }
    if colors.isEmpty { colors = [(0, 0, 0)] }
  }

  /// Cuts boxes of cells in two, the one with the most pixels times its longest side first, until
  /// there are as many as colours.
  private static func cut(
    _ cells: [ColorHistogram.Cell], into count: Int
  ) -> [ArraySlice<ColorHistogram.Cell>] {
    var boxes = [Box(cells[...])]
    while boxes.count < count,
      let index = boxes.indices.max(by: { boxes[$0].weight < boxes[$1].weight }),
      let halves = boxes[index].halves
    {
      boxes[index] = halves.0
      boxes.append(halves.1)
    }
    return boxes.map(\.cells)
  }

  /// The number of the colour that is nearest to one.
  mutating func index(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    let cell = Self.cell(red, green, blue)
    if nearest[cell] >= 0 { return Int(nearest[cell]) }
    var (best, least) = (0, Int.max)
    for (index, color) in colors.enumerated() {
      let (r, g, b) = (color.red - red, color.green - green, color.blue - blue)
      // The eye sees green best, and blue worst.
      let distance = 3 * r * r + 6 * g * g + b * b
      if distance < least { (best, least) = (index, distance) }
    }
    nearest[cell] = Int16(best)
    return best
  }
}

/// Cells of colours, to be cut in two.
private struct Box {
  let cells: ArraySlice<ColorHistogram.Cell>
  /// Its longest side: 0 for red, 1 for green, 2 for blue; and how long that is.
  private let side: (channel: Int, length: Int)
  private let count: Int

  var weight: Int { cells.count > 1 ? count * side.length : 0 }

  init(_ cells: ArraySlice<ColorHistogram.Cell>) {
    self.cells = cells
    count = cells.reduce(0) { $0 + $1.count }
    let lengths = (0..<3).map { channel in
      let values = cells.lazy.map { $0.level(channel) }
      return (channel: channel, length: (values.max() ?? 0) - (values.min() ?? 0))
    }
    side = lengths.max { $0.length < $1.length } ?? (0, 0)
  }

  /// The two boxes that have half of the pixels each, as near as cells allow; `nil` where nothing is
  /// left to cut.
  var halves: (Box, Box)? {
    guard cells.count > 1 else { return nil }
    let sorted = cells.sorted { $0.level(side.channel) < $1.level(side.channel) }
    var (sum, index) = (0, 0)
    while index < sorted.count - 1, sum + sorted[index].count <= count / 2 {
      sum += sorted[index].count
      index += 1
    }
    index = max(1, index)
    return (Box(sorted[..<index]), Box(sorted[index...]))
  }
}

/// How many pixels have which colours.
struct ColorHistogram {
  /// Colours that agree in their five highest bits, and the pixels that have them.
  struct Cell {
    var count = 0
    var red = 0
    var green = 0
    var blue = 0
    /// Whether all are of one colour.
    var isOneColor = true

    var mean: (red: Int, green: Int, blue: Int) { (red / count, green / count, blue / count) }

    func level(_ channel: Int) -> Int {
      [red, green, blue][channel] / count
    }

    mutating func add(_ r: Int, _ g: Int, _ b: Int) {
      if count > 0, isOneColor { isOneColor = mean == (r, g, b) }
      (count, red, green, blue) = (count + 1, red + r, green + g, blue + b)
    }
  }

  private var numbers = [Int32](repeating: -1, count: 1 << 15)
  private(set) var cells: [Cell] = []

  mutating func add(_ red: Int, _ green: Int, _ blue: Int) {
    let place = ColorPalette.cell(red, green, blue)
    if numbers[place] < 0 {
      numbers[place] = Int32(cells.count)
      cells.append(Cell())
    }
    cells[Int(numbers[place])].add(red, green, blue)
  }

  /// The colour between those of some cells.
  static func mean(of cells: ArraySlice<Cell>) -> (red: Int, green: Int, blue: Int) {
    var sum = Cell()
    for cell in cells {
      sum.count += cell.count
      (sum.red, sum.green, sum.blue) = (
        sum.red + cell.red, sum.green + cell.green, sum.blue + cell.blue
      )
    }
    return sum.mean
  }
}
