import CKernels

/// The mapped memory of a frame, for loops that see to its bounds themselves. It must not be used
/// longer than it is mapped, nor written to where it is mapped for reading.
@safe package struct PictureMemory {
  let start: UnsafeMutablePointer<UInt8>
  let size: Int
  let layout: VideoLayout

  @unsafe package init(start: UnsafeMutablePointer<UInt8>, size: Int, layout: VideoLayout) {
    unsafe self.start = start
    self.size = size
    self.layout = layout
  }

  /// Whether every byte that a frame needs is mapped.
  func holds(_ colors: ColorLayout, width: Int, height: Int) -> Bool {
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

  /// The start of a row of a plane.
  @unsafe func row(_ row: Int, ofPlane plane: Int) -> UnsafeMutablePointer<UInt8> {
    unsafe start + layout.offsets[plane] + row * layout.strides[plane]
  }

  /// Two rows of Y, the first of an even number, with the one of U and V that they share.
  func rows(_ row: Int, of colors: ColorLayout, height: Int) -> graphkit_color_rows {
    let top = unsafe self.row(row, ofPlane: 0)
    let u = unsafe self.row(row / 2, ofPlane: 1)
    return unsafe graphkit_color_rows(
      top: top, bottom: row + 1 < height ? top + layout.strides[0] : top, u: u,
      v: colors == .paired ? u + 1 : self.row(row / 2, ofPlane: 2))
  }
}

/// How the colours of frames are changed.
package enum ColorChange: Sendable {
  case matrix(ColorMatrix)
  case table(ColorTable)

  /// Changes every colour of a frame on its way to another, or to itself; `false`, and no change,
  /// where they aren't all there.
  package func run(
    from source: PictureMemory, to target: PictureMemory, as colors: ColorLayout, width: Int,
    height: Int
  ) -> Bool {
    switch self {
    case .matrix(let matrix):
      matrix.run(from: source, to: target, as: colors, width: width, height: height)
    case .table(let table):
      table.run(from: source, to: target, as: colors, width: width, height: height)
    }
  }
}
