import CKernels

/// A curve each for red, green and blue, as a table of their values.
@safe package final class ColorCurves: Sendable {
  nonisolated(unsafe) private let values: UnsafeMutablePointer<Int16>

  /// Places of a curve for each value.
  static let unit = 32
  private static let start = Int(-272 * 32)
  private static let length = Int(832 * 32)
  private static let step = 8

  /// Tables of curves; `nil` where one is so steep that the places of a table, to which colours are
  /// rounded, are too far from each other.
  /// - Parameters:
  ///   - steepest: how much a curve may rise or fall from a place to the next.
  ///   - curves: what becomes of a gray of some value, which may be beyond what can be shown, in each of
  ///     the channels: numbers from 0 to 255.
  package init?(steepest: Double, _ curves: (Double) -> SIMD3<Double>) {
    let count = 3 * Self.length + 1
    unsafe values = .allocate(capacity: count)
    unsafe values.initialize(repeating: 0, count: count)
    var (place, last) = (0, curves(Self.value(at: 0)))
    set(last, at: 0)
    while place < Self.length - 1 {
      let next = min(place + Self.distance(after: place), Self.length - 1)
      let found = curves(Self.value(at: next))
      let slope = (found - last) / Double(next - place)
      guard slope.max() <= steepest, slope.min() >= -steepest else { return nil }
      for between in place + 1...next { set(last + slope * Double(between - place), at: between) }
      (place, last) = (next, found)
    }
  }

  deinit { unsafe values.deallocate() }

  private static func value(at place: Int) -> Double { Double(start + place) / Double(unit) }

  /// Beyond what can be shown only some are asked for.
  private static func distance(after place: Int) -> Int {
    let isShown = (-unit..<256 * unit).contains(start + place)
    return isShown ? 1 : step
  }

  private func set(_ color: SIMD3<Double>, at place: Int) {
    for channel in 0..<3 {
      let value = (color[channel] * 16).rounded()
      unsafe values[channel * Self.length + place] = Int16(min(max(value, 0), 255 * 16))
    }
  }

  /// What the curve of a channel makes of a value in 1/32, in 1/16.
  func callAsFunction(_ value: Int32, channel: Int) -> Int32 {
    let place = min(max(Int(value) - Self.start, 0), Self.length - 1)
    return unsafe Int32(values[channel * Self.length + place])
  }

  /// The three tables, one after the other, while `body` runs.
  func withTables<Result>(_ body: (UnsafePointer<Int16>) -> Result) -> Result {
    unsafe body(UnsafePointer(values))
  }
}
