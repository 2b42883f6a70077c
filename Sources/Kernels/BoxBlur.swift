import CKernels

/// Means in a row over the neighbours of each byte of a plane, down its columns and along its rows:
/// three are as good as a bell curve, at a cost that doesn't grow with their length.
///
/// A mean is over `length` places, an odd number, and with the weight `edge` over the one on either
/// side of them. Beyond the plane its outermost bytes go on. Nothing is rounded between the means.
/// Wide vectors, where there are any, give the same bits as plain Swift.
package struct BoxBlur: Sendable {
  private let length: Int
  private let edge: Float
  private let scale: Float
  /// How many means there are in a row.
  private let passes: Int
  /// How far all of them reach to one side.
  private let margin: Int
  private let isWide: Bool
  private var sums: [Float] = []
  private var strip: [UInt8] = []

  /// Bytes that are worked on side by side.
  private static let lanes = 16

  package init(
    length: Int, edge: Float, passes: Int = 3, isWide: Bool = WideVectors.areThere
  ) {
    self.isWide = isWide
    (self.length, self.edge, self.passes) = (length, edge, passes)
    let whole = Float(length) + 2 * edge
    scale = 1 / (0..<passes).reduce(1) { product, _ in product * whole }
    margin = passes * (length + 1) / 2
  }

  /// Blurs a plane of pixels of 1, 2 or 4 bytes, each byte with its like in the neighbours.
  package mutating func run(
    _ plane: inout MutableSpan<UInt8>, width: Int, height: Int, pixelBytes: Int, bytesPerRow: Int
  ) {
    let rowBytes = width * pixelBytes
    guard width > 0, height > 0, bytesPerRow >= rowBytes,
      (height - 1) * bytesPerRow + rowBytes <= plane.count
    else { return }
    let lanes = Self.lanes
    makeRoom(max(width, height))
    for left in stride(from: 0, to: rowBytes, by: lanes) {
      if rowBytes - left >= lanes {
        blur(&plane, from: left, count: height, apart: bytesPerRow)
      } else {
        move(&plane, left, rowBytes - left, height, bytesPerRow)
      }
    }
    let rows = lanes / pixelBytes
    for top in stride(from: 0, to: height, by: rows) {
      let taken = min(rows, height - top)
      blurTransposed(&plane, top * bytesPerRow, taken, width, pixelBytes, bytesPerRow)
    }
  }

  private mutating func makeRoom(_ count: Int) {
    let needed = (count + 2 * margin) * Self.lanes
    if sums.count < needed { sums = Array(repeating: 0, count: needed) }
    if strip.count < count * Self.lanes { strip = Array(repeating: 0, count: count * Self.lanes) }
  }

  /// The last columns, of which there are fewer than work side by side.
  private mutating func move(
    _ plane: inout MutableSpan<UInt8>, _ start: Int, _ width: Int, _ height: Int,
    _ bytesPerRow: Int
  ) {
    let there = PixelMove(
      width: width, height: height, pixelBytes: 1, start: start, columnStep: 1,
      rowStep: bytesPerRow)
    let back = PixelMove(
      width: width, height: height, pixelBytes: 1, start: 0, columnStep: 1, rowStep: Self.lanes)
    var strip = self.strip
    self.strip = []
    defer { self.strip = strip }
    var bytes = strip.mutableSpan
    there.run(from: plane.span, to: &bytes, at: 0, bytesPerRow: Self.lanes)
    blur(&bytes, from: 0, count: height, apart: Self.lanes)
    back.run(from: bytes.span, to: &plane, at: start, bytesPerRow: bytesPerRow)
  }

  /// Blurs some rows, transposed to columns and back.
  private mutating func blurTransposed(
    _ plane: inout MutableSpan<UInt8>, _ start: Int, _ rows: Int, _ width: Int, _ pixelBytes: Int,
    _ bytesPerRow: Int
  ) {
    let lanes = Self.lanes
    let there = PixelMove(
      width: rows, height: width, pixelBytes: pixelBytes, start: start, columnStep: bytesPerRow,
      rowStep: pixelBytes)
    let back = PixelMove(
      width: width, height: rows, pixelBytes: pixelBytes, start: 0, columnStep: lanes,
      rowStep: pixelBytes)
    var strip = self.strip
    self.strip = []
    defer { self.strip = strip }
    var bytes = strip.mutableSpan
    there.run(from: plane.span, to: &bytes, at: 0, bytesPerRow: lanes)
    blur(&bytes, from: 0, count: width, apart: lanes)
    back.run(from: bytes.span, to: &plane, at: start, bytesPerRow: bytesPerRow)
  }

  /// Blurs sixteen columns of bytes, of which the caller has made sure that they are there.
  private mutating func blur(
    _ bytes: inout MutableSpan<UInt8>, from start: Int, count: Int, apart step: Int
  ) {
    let (length, edge, scale, margin, isWide) = (length, edge, scale, margin, isWide)
    let passes = passes
    unsafe bytes.withUnsafeMutableBytes { bytes in
      unsafe sums.withUnsafeMutableBytes { sums in
        guard let bytes = bytes.baseAddress, let sums = sums.baseAddress else { return }
        let columns = unsafe LaneColumns(sums, isWide: isWide)
        unsafe columns.read(bytes + start, count: count, apart: step, margin: margin)
        var rows = count + 2 * margin
        for _ in 0..<passes {
          rows -= length + 1
          columns.sum(count: rows, length: length, edge: edge)
        }
        unsafe columns.write(bytes + start, count: count, apart: step, scale: scale)
      }
    }
  }
}

/// Sixteen columns of numbers side by side, in memory whose owner has made it large enough.
@safe private struct LaneColumns {
  typealias Row = SIMD16<Float>
  private let base: UnsafeMutableRawPointer
  private let isWide: Bool

  init(_ base: UnsafeMutableRawPointer, isWide: Bool) {
    unsafe self.base = base
    self.isWide = isWide
  }

  private var numbers: UnsafeMutablePointer<Float> {
    unsafe base.assumingMemoryBound(to: Float.self)
  }

  private func row(_ index: Int) -> Row {
    unsafe base.loadUnaligned(fromByteOffset: index * 64, as: Row.self)
  }

  private func set(_ index: Int, _ row: Row) {
    unsafe base.storeBytes(of: row, toByteOffset: index * 64, as: Row.self)
  }

  /// Takes bytes as numbers, with `margin` rows before and after them that repeat the outermost.
  func read(_ bytes: UnsafeRawPointer, count: Int, apart step: Int, margin: Int) {
    if isWide {
      let bytes = unsafe bytes.assumingMemoryBound(to: UInt8.self)
      return unsafe graphkit_blur_read(numbers, bytes, count, step, margin)
    }
    for index in 0..<count {
      let values = unsafe bytes.loadUnaligned(
        fromByteOffset: index * step, as: SIMD16<UInt8>.self)
      set(margin + index, Row(values))
    }
    let (first, last) = (row(margin), row(margin + count - 1))
    for index in 0..<margin {
      set(index, first)
      set(margin + count + index, last)
    }
  }

  /// Replaces row `j` by the sum of rows `j + 1` to `j + length`, and `edge` times those around
  /// them.
  func sum(count: Int, length: Int, edge: Float) {
    if isWide { return unsafe graphkit_blur_sum(numbers, count, length, edge) }
    var sum = Row()
    for index in 1...length { sum += row(index) }
    var first = row(0)
    for index in 0..<count {
      let (second, last) = (row(index + 1), row(index + length + 1))
      set(index, sum + edge * (first + last))
      sum += last - second
      first = second
    }
  }

  /// Gives numbers as bytes, rounded: added to 2^23, a number is what its lowest bits say.
  func write(_ bytes: UnsafeMutableRawPointer, count: Int, apart step: Int, scale: Float) {
    if isWide {
      let bytes = unsafe bytes.assumingMemoryBound(to: UInt8.self)
      return unsafe graphkit_blur_write(numbers, bytes, count, step, scale)
    }
    for index in 0..<count {
      let shifted = row(index) * scale + 8_388_608
      let bits = unsafe unsafeBitCast(shifted, to: SIMD16<UInt32>.self)
      unsafe bytes.storeBytes(
        of: SIMD16<UInt8>(truncatingIfNeeded: bits), toByteOffset: index * step,
        as: SIMD16<UInt8>.self)
    }
  }
}
