/// The cells of a waveform: for each stretch of frames and each channel, what was gathered there.
///
/// Cells lie on a grid that begins at the waveform's first frame, so those of two pieces of one
/// stream fit together wherever the stream was cut. A cell that got no frame is neutral: it changes
/// nothing that it is merged with.
struct WaveformCells: Equatable, Sendable, Codable {
  /// Channels of the waveform.
  let lanes: Int
  /// Frames of a cell.
  private(set) var size: Int
  /// The first frame, and the one after the last, counted from the grid's origin.
  private(set) var first: Int
  private(set) var end: Int
  /// Lowest and highest sample of each cell and lane, where extremes are gathered.
  private var extremes: [Int16] = []
  /// Sums of each cell and lane, where sums are.
  private var sums: [UInt64] = []
  private let gathersExtremes: Bool

  init(lanes: Int, size: Int, first: Int, gathersExtremes: Bool) {
    self.lanes = lanes
    self.size = size
    self.first = first
    self.gathersExtremes = gathersExtremes
    end = first
  }

  /// Whether what was read of a file could have been written: as many cells as its frames have.
  var isPossible: Bool {
    let limits = 0...SummaryLimits.frames.upperBound
    guard SummaryLimits.channels.contains(lanes), (1...1 << 60).contains(size),
      limits.contains(first), limits.contains(end), first <= end
    else { return false }
    let cells = end > first ? (end - 1) / size + 1 - firstCell : 0
    let (held, other) =
      gathersExtremes ? (extremes.count, sums.count) : (sums.count, extremes.count)
    let perCell = gathersExtremes ? 2 * lanes : lanes
    return other == 0 && held % perCell == 0 && held / perCell == cells
  }

  /// Cells that are made at most for frames that are missing between two files' summaries.
  private static let mostMissing = 1 << 26

  /// Whether they may be merged into other cells.
  func continues(_ before: WaveformCells) -> Bool {
    let (low, high) = (min(size, before.size), max(size, before.size))
    return lanes == before.lanes && gathersExtremes == before.gathersExtremes && high % low == 0
      && first >= before.end && (first - before.end) / high <= Self.mostMissing / lanes
  }

  /// Whether they are of so many channels, and gather what a reduction needs.
  func isMade(lanes: Int, gathersExtremes: Bool) -> Bool {
    self.lanes == lanes && self.gathersExtremes == gathersExtremes
  }

  /// The number of the first cell.
  var firstCell: Int { first / size }

  /// The number of cells.
  var count: Int { gathersExtremes ? extremes.count / (2 * lanes) : sums.count / lanes }

  /// Makes room for frames up to `newEnd`.
  mutating func extend(to newEnd: Int) {
    guard newEnd > end else { return }
    end = newEnd
    let missing = (end - 1) / size + 1 - firstCell - count
    guard missing > 0 else { return }
    makeRoom(for: count + missing)
    if gathersExtremes {
      for _ in 0..<missing * lanes {
        extremes.append(.max)
        extremes.append(.min)
      }
    } else {
      sums.append(contentsOf: repeatElement(0, count: missing * lanes))
    }
  }

  /// Bytes from which on there is room for many times as much: what isn't written to takes addresses,
  /// but no memory, while what had to move as it grew would leave holes behind. So much is never
  /// taken from the heap.
  private static let (smallBytes, roomyBytes) = (1 << 16, 40 << 20)

  private mutating func makeRoom(for cells: Int) {
    if gathersExtremes {
      Self.makeRoom(in: &extremes, for: cells * lanes * 2)
    } else {
      Self.makeRoom(in: &sums, for: cells * lanes)
    }
  }

  private static func makeRoom<Value>(in values: inout [Value], for count: Int) {
    let size = MemoryLayout<Value>.stride
    guard count > values.capacity, count * size > smallBytes else { return }
    values.reserveCapacity(max(2 * count, roomyBytes / size))
  }

  /// Frames from `frame` on, at most `limit`, that lie in one cell.
  func room(at frame: Int, limit: Int) -> Int { min(size - frame % size, limit) }

  /// Takes a lowest and a highest sample into the cell of a frame.
  mutating func fold(_ low: Int16, _ high: Int16, at frame: Int, lane: Int) {
    let index = ((frame / size - firstCell) * lanes + lane) * 2
    if low < extremes[index] { extremes[index] = low }
    if high > extremes[index + 1] { extremes[index + 1] = high }
  }

  /// Takes a sum into the cell of a frame.
  mutating func fold(_ sum: UInt64, at frame: Int, lane: Int) {
    let index = (frame / size - firstCell) * lanes + lane
    sums[index] = Self.sum(sums[index], sum)
  }

  /// The lowest and the highest sample of some cells, counted from the first one here; zeros where
  /// no frame came.
  func extremes(of cells: Range<Int>, lane: Int) -> (low: Int16, high: Int16) {
    var (low, high) = (Int16.max, Int16.min)
    for cell in cells {
      let index = (cell * lanes + lane) * 2
      low = min(low, extremes[index])
      high = max(high, extremes[index + 1])
    }
    return low <= high ? (low, high) : (0, 0)
  }

  /// Gives up the lowest and the highest sample of each cell and lane; zeros where no frame came.
  mutating func takePairs() -> [Int16] {
    var pairs = extremes
    extremes = []
    end = first
    var span = pairs.mutableSpan
    for pair in 0..<span.count / 2 where span[pair * 2] > span[pair * 2 + 1] {
      span[pair * 2] = 0
      span[pair * 2 + 1] = 0
    }
    return pairs
  }

  /// The mean over the frames of some cells, counted from the first one here.
  func mean(of cells: Range<Int>, lane: Int) -> Double {
    let start = max(first, (firstCell + cells.lowerBound) * size)
    let frames = min(end, (firstCell + cells.upperBound) * size) - start
    let sum = cells.reduce(UInt64(0)) { Self.sum($0, sums[$1 * lanes + lane]) }
    return frames > 0 ? Double(sum) / Double(frames) : 0
  }

  /// A sum of sums that a damaged file may have made as large as it likes.
  private static func sum(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }

  /// Makes cells of `factor` times the size.
  mutating func coarsen(by factor: Int) {
    var coarse = WaveformCells(
      lanes: lanes, size: size * factor, first: first, gathersExtremes: gathersExtremes)
    coarse.extend(to: end)
    coarse.take(self, cells: 0..<count)
    self = coarse
  }

  /// Takes the cells of the frames that follow.
  mutating func merge(_ next: WaveformCells) {
    var next = next
    if next.size < size { next.coarsen(by: size / next.size) }
    if size < next.size { coarsen(by: next.size / size) }
    extend(to: next.first)
    // The cell that the cut went through is in both; all others of the next ones follow.
    let shared = min(max(0, firstCell + count - next.firstCell), next.count)
    take(next, cells: 0..<shared)
    makeRoom(for: count + next.count - shared)
    if gathersExtremes {
      extremes.append(contentsOf: next.extremes[(shared * lanes * 2)...])
    } else {
      sums.append(contentsOf: next.sums[(shared * lanes)...])
    }
    end = max(end, next.end)
  }

  private mutating func take(_ other: WaveformCells, cells: Range<Int>) {
    for cell in cells {
      let frame = (other.firstCell + cell) * other.size
      for lane in 0..<lanes {
        let index = cell * lanes + lane
        if gathersExtremes {
          fold(other.extremes[index * 2], other.extremes[index * 2 + 1], at: frame, lane: lane)
        } else {
          fold(other.sums[index], at: frame, lane: lane)
        }
      }
    }
  }

  /// Removes the cells before a frame, which is on the grid.
  mutating func dropCells(before frame: Int) {
    let gone = min(max(0, frame / size - firstCell), count)
    guard gone > 0 else { return }
    if gathersExtremes {
      extremes.removeFirst(gone * lanes * 2)
    } else {
      sums.removeFirst(gone * lanes)
    }
    first = max(first, frame)
  }
}
