import Media

/// The matrix of a track's header (ISO/IEC 14496-12, 8.3.2): a, b, u, c, d, v, x, y, w, of which u,
/// v and w have 30 fractional bits and the others 16. The point (p, q) is shown at
/// (ap + cq + x, bp + dq + y).
extension MovieBytes {
  /// Says in a track's header how players rotate its video; no audio is turned.
  mutating func turn(_ track: MovieTrack, _ rotation: Rotation) {
    guard track.kind == .encodedVideo else { return }
    let matrix = matrix(of: track)
    let (width, height) = (u32(matrix + 36) ?? 0, u32(matrix + 40) ?? 0)
    let (turn, signs) = (rotation.turn, rotation.signs.map { $0 * 0x1_0000 })
    let (p, q) = (turn.reversesColumns ? width : 0, turn.reversesRows ? height : 0)
    let values =
      [signs[0], signs[1], 0, signs[2], signs[3], 0] + (turn.transposes ? [q, p] : [p, q])
    for (index, value) in values.enumerated() { set(value, at: matrix + index * 4, bytes: 4) }
  }

  /// Says of the tracks of an index how players turn them, in the order of their numbers; those of
  /// which that isn't known stay as they are.
  package mutating func turnTracks(_ rotations: [Rotation?]) {
    for track in MovieIndex(self)?.tracks ?? [] {
      let number = track.identifier - 1
      guard rotations.indices.contains(number), let rotation = rotations[number] else { continue }
      turn(track, rotation)
    }
  }

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
  /// a, b, c and d of the matrix.
  fileprivate var signs: [Int] {
    let (column, row) = (turn.reversesColumns ? -1 : 1, turn.reversesRows ? -1 : 1)
    return turn.transposes ? [0, column, row, 0] : [column, 0, 0, row]
  }
}
