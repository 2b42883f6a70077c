import Media

/// The matrix of a track's header (ISO/IEC 14496-12, 8.3.2): a, b, u, c, d, v, x, y, w, of which u,
/// v and w have 30 fractional bits and the others 16. The point (p, q) is shown at
/// (ap + cq + x, bp + dq + y).
extension MovieBytes {
  /// How a track's header rotates its video; `nil` where its matrix does anything else.
  func rotation(of track: MovieTrack) -> Rotation? {
    let matrix = matrix(of: track)
    let signs = [0, 1, 3, 4].map { s32(matrix + $0 * 4)?.signum() }
    return Rotation.allCases.first { $0.signs == signs }
  }

  private func matrix(of track: MovieTrack) -> Int {
    track.header.content + (version(track.header) == 1 ? 52 : 40)
  }
}

extension Rotation {
  /// The matrix that shows frames of a size, in units of 1/65,536 pixel, this way.
  func matrix(width: Int, height: Int) -> [Int] {
    let (orientation, signs) = (orientation, signs.map { $0 * 0x1_0000 })
    let (p, q) = (orientation.reversesColumns ? width : 0, orientation.reversesRows ? height : 0)
    return [signs[0], signs[1], 0, signs[2], signs[3], 0]
      + (orientation.transposes ? [q, p] : [p, q]) + [0x4000_0000]
  }

  /// a, b, c and d of the matrix.
  fileprivate var signs: [Int] {
    let (column, row) = (orientation.reversesColumns ? -1 : 1, orientation.reversesRows ? -1 : 1)
    return orientation.transposes ? [0, column, row, 0] : [column, 0, 0, row]
  }
}
