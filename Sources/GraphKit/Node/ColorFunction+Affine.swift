extension ColorFunction {
  /// The function as one matrix on colours from 0 to 1; `nil` where it is none.
  ///
  /// It is asked for black and the three primaries, which would make a matrix, and then for many
  /// colours more, some of them beyond the range: all have to be where the matrix puts them.
  var affine: ColorTransform? {
    let black = SIMD3<Double>(color(.zero))
    func column(_ unit: RGB) -> SIMD3<Double> { SIMD3<Double>(color(unit)) - black }
    let columns = (column(RGB(1, 0, 0)), column(RGB(0, 1, 0)), column(RGB(0, 0, 1)))
    func row(_ index: Int) -> SIMD3<Double> {
      SIMD3(columns.0[index], columns.1[index], columns.2[index])
    }
    let matrix = ColorTransform(rows: (row(0), row(1), row(2)), after: black)
    let tolerance = SIMD3(repeating: 0.1 / 255)
    for probe in Self.probes {
      let difference = SIMD3<Double>(color(probe)) - matrix(SIMD3<Double>(probe))
      // Written so that what isn't a number isn't near.
      guard all(difference .<= tolerance .& (difference .>= -tolerance)) else { return nil }
    }
    return matrix
  }

  /// Every gray and every shade of the primaries, and colours that lie scattered.
  static let probes: [RGB] = {
    let shades = (0...255).flatMap { step -> [RGB] in
      let shade = Float(step) / 255
      return [
        RGB(repeating: shade), RGB(shade, 0, 0), RGB(0, shade, 0), RGB(0, 0, shade),
      ]
    }
    // The R3 sequence: multiples of powers of the plastic number's kin fill the cube evenly.
    let step = RGB(0.819_172_5, 0.671_043_6, 0.549_700_5)
    let scattered = (1...1_000).map { index -> RGB in
      let place = step * Float(index)
      return (place - place.rounded(.down)) * 1.2 - 0.1
    }
    return shades + scattered
  }()
}
