/// How the colours of a frame lie in memory.
package enum ColorLayout: Sendable {
  /// A plane each of Y, U and V; the latter two with half of the rows and columns.
  case planar
  /// A plane of Y, and one of U and V in turn.
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
  func startOfRow(_ pixels: UnsafeMutablePointer<UInt8>, width: Int) -> Int
}

extension PixelTransform {
  func startOfRows(_ rows: ColorRows) -> Int { 0 }
  func startOfRow(_ pixels: UnsafeMutablePointer<UInt8>, width: Int) -> Int { 0 }
}

/// Two rows of Y with the one of U and V that they share. The last of an odd number of rows of Y
/// is both.
@safe struct ColorRows {
  var top: UnsafeMutablePointer<UInt8>
  var bottom: UnsafeMutablePointer<UInt8>
  var u: UnsafeMutablePointer<UInt8>
  var v: UnsafeMutablePointer<UInt8>
  /// Bytes from one value of U to the next.
  var step: Int
  /// Values of Y in a row.
  var width: Int

  /// Transforms a block of two by two pixels; fewer at the edge, which then count twice.
  @inline(__always)
  func transform(_ column: Int, by transform: some PixelTransform) {
    let (left, right, place) = (2 * column, min(2 * column + 1, width - 1), column * step)
    let luma = unsafe SIMD4(top[left], top[right], bottom[left], bottom[right])
    let (changed, newU, newV) = unsafe transform.block(luma, u[place], v[place])
    unsafe top[left] = changed.x
    unsafe top[right] = changed.y
    unsafe bottom[left] = changed.z
    unsafe bottom[right] = changed.w
    unsafe u[place] = newU
    unsafe v[place] = newV
  }
}

extension MutableBufferMap {
  /// Changes every colour of a frame by a matrix; `false` where the frame isn't all there.
  package mutating func apply(
    _ matrix: ColorMatrix, to layout: VideoLayout, as colors: ColorLayout, width: Int, height: Int
  ) -> Bool {
    transform(layout, colors, width: width, height: height, by: matrix)
  }

  /// Changes every colour of a frame by a table; `false` where the frame isn't all there.
  package mutating func apply(
    _ table: ColorTable, to layout: VideoLayout, as colors: ColorLayout, width: Int, height: Int
  ) -> Bool {
    transform(layout, colors, width: width, height: height, by: table)
  }

  private mutating func transform(
    _ layout: VideoLayout, _ colors: ColorLayout, width: Int, height: Int,
    by transform: some PixelTransform
  ) -> Bool {
    guard width > 0, height > 0, holds(layout, colors, width: width, height: height) else {
      return false
    }
    switch colors {
    case .packed: changePixels(layout, width: width, height: height, by: transform)
    case .planar, .paired:
      for row in stride(from: 0, to: height, by: 2) {
        let rows = rows(row, of: layout, colors, width: width, height: height)
        let blocks = transform.startOfRows(rows)
        for column in blocks..<(width + 1) / 2 { rows.transform(column, by: transform) }
      }
    }
    return true
  }

  /// Whether every byte that a frame needs is mapped.
  private func holds(
    _ layout: VideoLayout, _ colors: ColorLayout, width: Int, height: Int
  ) -> Bool {
    func holds(_ plane: Int, rows: Int, bytes: Int) -> Bool {
      let (start, stride) = (layout.offsets[plane], layout.strides[plane])
      return start >= 0 && stride >= bytes && start + (rows - 1) * stride + bytes <= size
    }
    let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
    return switch colors {
    case .packed: holds(0, rows: height, bytes: 4 * width)
    case .paired: holds(0, rows: height, bytes: width) && holds(1, rows: rows, bytes: 2 * columns)
    case .planar:
      holds(0, rows: height, bytes: width) && holds(1, rows: rows, bytes: columns)
        && holds(2, rows: rows, bytes: columns)
    }
  }

  private func rows(
    _ row: Int, of layout: VideoLayout, _ colors: ColorLayout, width: Int, height: Int
  ) -> ColorRows {
    let top = unsafe bytes(at: layout.offsets[0] + row * layout.strides[0])
    let u = unsafe bytes(at: layout.offsets[1] + row / 2 * layout.strides[1])
    let third = layout.offsets[2] + row / 2 * layout.strides[2]
    let v = unsafe colors == .paired ? u + 1 : bytes(at: third)
    return unsafe ColorRows(
      top: top, bottom: row + 1 < height ? top + layout.strides[0] : top, u: u, v: v,
      step: colors == .paired ? 2 : 1, width: width)
  }

  private func changePixels(
    _ layout: VideoLayout, width: Int, height: Int, by transform: some PixelTransform
  ) {
    for row in 0..<height {
      let pixels = unsafe bytes(at: layout.offsets[0] + row * layout.strides[0])
      for column in unsafe transform.startOfRow(pixels, width: width)..<width {
        let pixel = unsafe pixels + 4 * column
        let changed = unsafe transform.pixel(pixel[0], pixel[1], pixel[2])
        unsafe (pixel[0], pixel[1], pixel[2]) = changed
      }
    }
  }
}
