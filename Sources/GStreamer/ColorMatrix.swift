import CKernels

/// One matrix over the colours of a frame, applied to pixels as they lie there.
///
/// A pixel's three values become red, green and blue, which are limited to what can be shown, and
/// these become the pixel's values again. All is fixed point: values of 8 bits are multiplied in
/// 1/128 by factors in 1/4096, as `(value * factor + 0x4000) >> 15`, which leaves 1/16.
@safe package struct ColorMatrix: Sendable {
  let raw: graphkit_color_matrix
  /// A factor of 1.
  private static let one = 4096.0
  /// A value of 1, of 255, after a multiplication.
  static let unit = 16.0

  /// A row of factors, and what is added; values reach from 0 to 255.
  package typealias Row = (SIMD3<Double>, Double)

  /// A matrix, `nil` where fixed point can't hold it.
  /// - Parameters:
  ///   - decode: red, green and blue by a pixel's three values.
  ///   - encode: a pixel's three values by red, green and blue.
  package init?(decode: [Row], encode: [Row]) {
    guard decode.count == 3, encode.count == 3, decode.allSatisfy(Self.fits),
      encode.allSatisfy(Self.fits)
    else { return nil }
    let (red, green, blue) = (
      Self.fixed(decode[0]), Self.fixed(decode[1]), Self.fixed(decode[2])
    )
    let (first, second, third) = (
      Self.fixed(encode[0]), Self.fixed(encode[1]), Self.fixed(encode[2])
    )
    raw = graphkit_color_matrix(
      decode: (red, green, blue), encode: (first, second, third))
  }

  /// Whether the factors fit, and what is added with the second and the third value, too.
  private static func fits(_ row: Row) -> Bool {
    let (factors, constant) = row
    let second = constant + factors.y * 255
    let sums = [constant, second, constant + factors.z * 255, second + factors.z * 255]
    return [factors.x, factors.y, factors.z].allSatisfy { $0.magnitude < 7.99 }
      && sums.allSatisfy { $0.magnitude < 2_000 }
  }

  private static func fixed(_ row: Row) -> (Int16, Int16, Int16, Int16) {
    let factors = (row.0 * one).rounded(.toNearestOrEven)
    return (
      Int16(factors.x), Int16(factors.y), Int16(factors.z),
      Int16((row.1 * unit).rounded(.toNearestOrEven))
    )
  }
}

// MARK: The same in plain Swift

extension ColorMatrix {
  /// A value in 1/128 times a factor, in 1/16.
  private static func scaled(_ value: Int32, _ factor: Int16) -> Int32 {
    (value * Int32(factor) + 0x4000) >> 15
  }

  /// Red, green and blue of a pixel in 1/16, each from 0 to 255.
  func color(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> SIMD3<Int32> {
    let (red, green, blue) = raw.decode
    func sum(_ row: (Int16, Int16, Int16, Int16)) -> Int32 {
      var sum = Int32(row.3) + Self.scaled(Int32(second) << 7, row.1)
      sum += Self.scaled(Int32(third) << 7, row.2)
      sum += Self.scaled(Int32(first) << 7, row.0)
      return min(max(sum, 0), 255 << 4)
    }
    return SIMD3(sum(red), sum(green), sum(blue))
  }

  /// A pixel's value from red, green and blue in 1/128.
  private static func value(
    _ color: SIMD3<Int32>, _ row: (Int16, Int16, Int16, Int16)
  ) -> UInt8 {
    let sum =
      Int32(row.3) + scaled(color.x, row.0) + scaled(color.y, row.1) + scaled(color.z, row.2)
    return UInt8(min(max((sum + 8) >> 4, 0), 255))
  }

  /// The first of a pixel's values, from red, green and blue in 1/16.
  func first(_ color: SIMD3<Int32>) -> UInt8 { Self.value(color &<< 3, raw.encode.0) }

  /// The second and the third, from the sum of four pixels in 1/16.
  func others(_ sum: SIMD3<Int32>) -> (UInt8, UInt8) {
    (Self.value(sum &<< 1, raw.encode.1), Self.value(sum &<< 1, raw.encode.2))
  }
}

extension ColorMatrix: PixelTransform {
  func block(_ luma: SIMD4<UInt8>, _ u: UInt8, _ v: UInt8) -> (SIMD4<UInt8>, UInt8, UInt8) {
    let colors = (
      color(luma.x, u, v), color(luma.y, u, v), color(luma.z, u, v), color(luma.w, u, v)
    )
    let (newU, newV) = others(colors.0 &+ colors.1 &+ colors.2 &+ colors.3)
    return (SIMD4(first(colors.0), first(colors.1), first(colors.2), first(colors.3)), newU, newV)
  }

  func pixel(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> (UInt8, UInt8, UInt8) {
    let color = color(first, second, third)
    let (second, third) = others(color &<< 2)
    return (self.first(color), second, third)
  }

  func startOfRows(_ rows: ColorRows, pairs: Bool) -> Int {
    guard WideVectors.areThere else { return 0 }
    let blocks = rows.width / 32
    if pairs {
      unsafe graphkit_color_paired(rows.top, rows.bottom, rows.u, blocks, [raw])
    } else {
      unsafe graphkit_color_planar(rows.top, rows.bottom, rows.u, rows.v, blocks, [raw])
    }
    return blocks * 16
  }

  func startOfRow(_ pixels: UnsafeMutablePointer<UInt8>, width: Int) -> Int {
    guard WideVectors.areThere else { return 0 }
    unsafe graphkit_color_packed(pixels, width / 16, [raw])
    return width / 16 * 16
  }
}
