import CKernels

/// How the colours of a frame lie in memory.
package enum ColorLayout: Sendable {
  /// A plane each of Y, U and V; the latter two with half of the rows and columns.
  case planar
  /// A plane of Y, and one of U and V interleaved.
  case paired
  /// One plane of four bytes a pixel, of which the fourth is no colour.
  case packed
}

/// A function from colour to colour, on values of 8 bits as a frame holds them.
protocol PixelTransform {
  /// Four values of Y, and the U and the V that they share.
  func block(_ luma: SIMD4<UInt8>, _ u: UInt8, _ v: UInt8) -> (SIMD4<UInt8>, UInt8, UInt8)
  /// The first three bytes of a pixel.
  func pixel(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> (UInt8, UInt8, UInt8)
  /// Does the beginning of two rows of Y and their chroma, and says how many blocks that was.
  func startOfRows(_ rows: ColorRows) -> Int
  /// Does the beginning of a row of pixels, and says how many of them.
  func startOfRow(
    _ from: UnsafePointer<UInt8>, to: UnsafeMutablePointer<UInt8>, width: Int
  ) -> Int
}

extension PixelTransform {
  func startOfRows(_ rows: ColorRows) -> Int { 0 }
  func startOfRow(
    _ from: UnsafePointer<UInt8>, to: UnsafeMutablePointer<UInt8>, width: Int
  ) -> Int { 0 }
}

/// Two rows of Y with the one of U and V that they share, and where they go: elsewhere, or in
/// place. The last of an odd number of rows of Y is both.
@safe struct ColorRows {
  /// What is read, and only that.
  var from: graphkit_color_rows
  /// What is written.
  var to: graphkit_color_rows
  /// Bytes from one value of U to the next.
  var step: Int
  /// Values of Y in a row.
  var width: Int

  /// Transforms a block of two by two pixels; fewer at the edge, which then count twice.
  @inline(__always)
  func transform(_ column: Int, by transform: some PixelTransform) {
    let (left, right, place) = (2 * column, min(2 * column + 1, width - 1), column * step)
    let luma = unsafe SIMD4(
      from.top[left], from.top[right], from.bottom[left], from.bottom[right])
    let (changed, newU, newV) = unsafe transform.block(luma, from.u[place], from.v[place])
    unsafe to.top[left] = changed.x
    unsafe to.top[right] = changed.y
    unsafe to.bottom[left] = changed.z
    unsafe to.bottom[right] = changed.w
    unsafe to.u[place] = newU
    unsafe to.v[place] = newV
  }
}

extension PixelTransform {
  /// Changes every colour of a frame of some size, to another or in place; `false`, and no change,
  /// where not all of one of them is there.
  func run(
    from source: PictureMemory, to target: PictureMemory, as colors: ColorLayout, width: Int,
    height: Int
  ) -> Bool {
    guard width > 0, height > 0, source.holds(colors, width: width, height: height),
      target.holds(colors, width: width, height: height)
    else { return false }
    switch colors {
    case .packed: changePixels(from: source, to: target, width: width, height: height)
    case .planar, .paired:
      for row in stride(from: 0, to: height, by: 2) {
        let rows = unsafe ColorRows(
          from: source.rows(row, of: colors, height: height),
          to: target.rows(row, of: colors, height: height), step: colors == .paired ? 2 : 1,
          width: width)
        for column in startOfRows(rows)..<(width + 1) / 2 { rows.transform(column, by: self) }
      }
    }
    return true
  }

  private func changePixels(
    from source: PictureMemory, to target: PictureMemory, width: Int, height: Int
  ) {
    for row in 0..<height {
      let (from, to) = unsafe (source.row(row, ofPlane: 0), target.row(row, ofPlane: 0))
      for column in unsafe startOfRow(from, to: to, width: width)..<width {
        let (pixel, changed) = unsafe (from + 4 * column, to + 4 * column)
        let alpha = unsafe pixel[3]
        unsafe (changed[0], changed[1], changed[2]) = self.pixel(pixel[0], pixel[1], pixel[2])
        unsafe changed[3] = alpha
      }
    }
  }
}
