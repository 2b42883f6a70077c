import CKernels

/// One matrix over the colours of a frame, applied to pixels as they lie there.
///
/// A pixel's three values become red, green and blue, which are limited to what can be shown, or each
/// changed by a curve of its own, and these become the pixel's values again. All is fixed point, and all
/// products are `(value * factor + 0x4000) >> 15`: values of 8 bits are multiplied in 1/128 by factors in
/// 1/4096, which leaves 1/16, or in 1/8192 where curves are to have 1/32; red, green and blue in 1/16, and
/// sums of four of them in 1/64, by factors in 1/32768.
@safe package struct ColorMatrix: Sendable {
  let raw: graphkit_color_matrix
  private let curves: ColorCurves?
  private let vectors: WideVectors.Width
  /// A factor of 1 from red, green and blue.
  private static let encodingUnit = 32_768.0
  /// A value of 1, of 255, after a multiplication; a factor of 1 to it is 256 times as much.
  private static let unit = 16.0

  /// A row of factors, and what is added; values reach from 0 to 255.
  package typealias Row = (SIMD3<Double>, Double)

  /// A matrix, `nil` where fixed point can't hold it.
  /// - Parameters:
  ///   - decode: red, green and blue by a pixel's three values.
  ///   - encode: a pixel's three values by red, green and blue.
  ///   - curves: what red, green and blue become before they are encoded.
  ///   - vectors: those that it is done in, which give the same bits as plain Swift; the widest
  ///     that this processor has, where `nil`.
  package init?(
    decode: [Row], encode: [Row], curves: ColorCurves? = nil, vectors: WideVectors.Width? = nil
  ) {
    let unit = curves == nil ? Self.unit : Double(ColorCurves.unit)
    guard decode.count == 3, encode.count == 3, decode.allSatisfy({ Self.fits($0, unit) }),
      encode.allSatisfy(Self.isMixture)
    else { return nil }
    self.curves = curves
    self.vectors = vectors ?? WideVectors.widths.last ?? .none
    let colors = decode.map { Self.fixed($0, one: 256 * unit, unit) }
    let values = encode.map { Self.fixed($0, one: Self.encodingUnit, Self.unit) }
    raw = graphkit_color_matrix(
      decode: (colors[0], colors[1], colors[2]), encode: (values[0], values[1], values[2]))
  }

  /// Whether the factors fit, and what is added with the second and the third value, too.
  private static func fits(_ row: Row, _ unit: Double) -> Bool {
    let (factors, constant) = row
    let second = constant + factors.y * 255
    let sums = [constant, second, constant + factors.z * 255, second + factors.z * 255]
    return [factors.x, factors.y, factors.z].allSatisfy { $0.magnitude < 127.8 / unit }
      && sums.allSatisfy { $0.magnitude < 32_000 / unit }
  }

  /// Whether no value is more than one of the colours, or than the middle of its range.
  private static func isMixture(_ row: Row) -> Bool {
    [row.0.x, row.0.y, row.0.z].allSatisfy { $0.magnitude <= 1 } && row.1.magnitude <= 128
  }

  private static func fixed(
    _ row: Row, one: Double, _ unit: Double
  ) -> (Int16, Int16, Int16, Int16) {
    func fixed(_ value: Double) -> Int16 { Int16(clamping: Int(value.rounded(.toNearestOrEven))) }
    let factors = row.0 * one
    return (fixed(factors.x), fixed(factors.y), fixed(factors.z), fixed(row.1 * unit))
  }
}

// MARK: The same in plain Swift

extension ColorMatrix {
  private static func product(_ value: Int32, _ factor: Int16) -> Int32 {
    (value * Int32(factor) + 0x4000) >> 15
  }

  /// Red, green and blue of a pixel in 1/16, each from 0 to 255.
  func color(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> SIMD3<Int32> {
    let (red, green, blue) = raw.decode
    func shown(_ row: (Int16, Int16, Int16, Int16), _ channel: Int) -> Int32 {
      var sum = Int32(row.3) + Self.product(Int32(second) << 7, row.1)
      sum += Self.product(Int32(third) << 7, row.2)
      sum += Self.product(Int32(first) << 7, row.0)
      return curves?(sum, channel: channel) ?? min(max(sum, 0), 255 << 4)
    }
    return SIMD3(shown(red, 0), shown(green, 1), shown(blue, 2))
  }

  /// A pixel's value from red, green and blue, all of them with so many binary places.
  private static func value(
    _ color: SIMD3<Int32>, _ row: (Int16, Int16, Int16, Int16), places: Int32
  ) -> UInt8 {
    let constant = Int32(row.3) << (places - 4)
    let sum =
      constant + product(color.x, row.0) + product(color.y, row.1) + product(color.z, row.2)
    return UInt8(min(max((sum + (1 << (places - 1))) >> places, 0), 255))
  }

  /// The first of a pixel's values, from red, green and blue in 1/16.
  func first(_ color: SIMD3<Int32>) -> UInt8 { Self.value(color, raw.encode.0, places: 4) }

  /// The second and the third, from the sum of four pixels in 1/16.
  func others(_ sum: SIMD3<Int32>) -> (UInt8, UInt8) {
    (Self.value(sum, raw.encode.1, places: 6), Self.value(sum, raw.encode.2, places: 6))
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

  func startOfRows(_ rows: ColorRows) -> Int {
    guard vectors != .none else { return 0 }
    let (bits, width) = (vectors.rawValue, rows.width)
    unsafe withTables { matrix, curves in
      if rows.step == 2 {
        unsafe graphkit_color_paired(rows.from, rows.to, width, matrix, curves, bits)
      } else {
        unsafe graphkit_color_planar(rows.from, rows.to, width, matrix, curves, bits)
      }
    }
    return (rows.width + 1) / 2
  }

  func startOfRow(
    _ from: UnsafePointer<UInt8>, to: UnsafeMutablePointer<UInt8>, width: Int
  ) -> Int {
    guard vectors != .none else { return 0 }
    unsafe withTables { matrix, curves in
      unsafe graphkit_color_packed(from, to, width, matrix, curves, vectors.rawValue)
    }
    return width
  }

  private func withTables(
    _ body: (UnsafePointer<graphkit_color_matrix>, UnsafePointer<Int16>?) -> Void
  ) {
    unsafe withUnsafePointer(to: raw) { matrix in
      guard let curves else { return unsafe body(matrix, nil) }
      unsafe curves.withTables { unsafe body(matrix, $0) }
    }
  }
}
