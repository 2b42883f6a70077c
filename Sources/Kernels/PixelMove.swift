import CKernels
import Glibc

/// Moves the pixels of one plane to another: as they are, mirrored or transposed.
///
/// The checks that a span makes for each element would cost more than the work itself, so the
/// whole move is checked once, and is nothing where it doesn't fit.
package struct PixelMove {
  /// Pixels in a row of the target.
  package var width: Int
  /// Rows of the target.
  package var height: Int
  /// Bytes of a pixel: 1, 2 or 4.
  package var pixelBytes: Int
  /// The byte of the source that the target's first pixel comes from.
  package var start: Int
  /// How far apart, in bytes of the source, neighbours of a row of the target lie.
  package var columnStep: Int
  /// How far apart, in bytes of the source, neighbours of a column of the target lie.
  package var rowStep: Int

  package init(
    width: Int, height: Int, pixelBytes: Int, start: Int, columnStep: Int, rowStep: Int
  ) {
    (self.width, self.height, self.pixelBytes) = (width, height, pixelBytes)
    (self.start, self.columnStep, self.rowStep) = (start, columnStep, rowStep)
  }

  /// Does it; `false`, and no change, where it reaches beyond one of the planes.
  @discardableResult
  package func run(
    from source: Span<UInt8>, to target: inout MutableSpan<UInt8>, at offset: Int, bytesPerRow: Int
  ) -> Bool {
    guard width > 0, height > 0 else { return true }
    guard reaches(within: source.count),
      offset >= 0, bytesPerRow >= width * pixelBytes,
      offset + (height - 1) * bytesPerRow + width * pixelBytes <= target.count
    else { return false }
    unsafe source.withUnsafeBytes { source in
      unsafe target.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        unsafe move(from + start, to + offset, bytesPerRow)
      }
    }
    return true
  }

  private func reaches(within count: Int) -> Bool {
    let columns = (width - 1) * columnStep
    let rows = (height - 1) * rowStep
    let first = start + min(0, columns) + min(0, rows)
    return first >= 0 && start + max(0, columns) + max(0, rows) + pixelBytes <= count
  }

  private func move(
    _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ bytesPerRow: Int
  ) {
    if columnStep == pixelBytes {
      let bytes = width * pixelBytes
      for row in 0..<height {
        unsafe memcpy(to + row * bytesPerRow, from + row * rowStep, bytes)
      }
      return
    }
    switch pixelBytes {
    case 4: unsafe tiles(of: UInt32.self, from, to, bytesPerRow)
    case 2: unsafe tiles(of: UInt16.self, from, to, bytesPerRow)
    default: unsafe bytes(from, to, bytesPerRow)
    }
  }

  /// Pixel by pixel, in tiles of which the source's rows stay in the cache.
  private func tiles<Pixel: FixedWidthInteger & BitwiseCopyable>(
    of: Pixel.Type, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ bytesPerRow: Int,
    columns: Range<Int>? = nil, rows: Range<Int>? = nil
  ) {
    let (columns, rows) = (columns ?? 0..<width, rows ?? 0..<height)
    let size = MemoryLayout<Pixel>.stride
    for left in stride(from: columns.lowerBound, to: columns.upperBound, by: 16) {
      let right = min(left + 16, columns.upperBound)
      for row in rows {
        var source = unsafe from + row * rowStep + left * columnStep
        let target = unsafe to + row * bytesPerRow
        for column in left..<right {
          let pixel = unsafe source.loadUnaligned(as: Pixel.self)
          unsafe target.storeBytes(of: pixel, toByteOffset: column * size, as: Pixel.self)
          unsafe source += columnStep
        }
      }
    }
  }

  /// Many pixels at once, and what is left over one by one.
  private func bytes(
    _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ bytesPerRow: Int
  ) {
    let isMirrored = columnStep == -1
    let columns = isMirrored ? width / 8 * 8 : width / 16 * 16
    let rows = isMirrored ? height : abs(rowStep) == 1 ? height / 16 * 16 : 0
    if isMirrored {
      unsafe mirror(from, to, bytesPerRow, columns)
    } else if rows > 0 {
      unsafe transpose(from, to, bytesPerRow, columns, rows)
    }
    unsafe tiles(of: UInt8.self, from, to, bytesPerRow, columns: columns..<width, rows: 0..<rows)
    unsafe tiles(of: UInt8.self, from, to, bytesPerRow, rows: rows..<height)
  }

  private func mirror(
    _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ columns: Int
  ) {
    for row in 0..<height {
      let (source, target) = unsafe (from + row * rowStep - 7, to + row * bytesPerRow)
      for column in stride(from: 0, to: columns, by: 8) {
        let word = unsafe source.loadUnaligned(fromByteOffset: -column, as: UInt64.self)
        unsafe target.storeBytes(of: word.byteSwapped, toByteOffset: column, as: UInt64.self)
      }
    }
  }

  /// Transposes squares of sixteen pixels a side.
  private func transpose(
    _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ bytesPerRow: Int, _ columns: Int,
    _ rows: Int
  ) {
    // A row of the source is read forwards: where the target's rows go backwards in it, the last
    // of them comes first.
    let isReversed = rowStep < 0
    let (source, target) = unsafe (
      from.assumingMemoryBound(to: UInt8.self), to.assumingMemoryBound(to: UInt8.self)
    )
    for row in stride(from: 0, to: rows, by: 16) {
      let corner = unsafe source + row * rowStep - (isReversed ? 15 : 0)
      let first = unsafe target + (isReversed ? row + 15 : row) * bytesPerRow
      for column in stride(from: 0, to: columns, by: 16) {
        unsafe graphkit_transpose(
          corner + column * columnStep, columnStep, first + column,
          isReversed ? -bytesPerRow : bytesPerRow)
      }
    }
  }
}
