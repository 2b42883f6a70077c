/// The opacity of pixels by how far their chroma is from a key.
package struct ColorKey: Sendable {
  /// The opacity of each distance's square, from the key on; 256 is opaque.
  private let opacities: [UInt16]
  private let u: Int
  private let v: Int

  /// A key by its chroma. What is nearer than `similarity`, as a part of the greatest distance, is
  /// transparent; over the next `softness` of it pixels become opaque.
  package init(u: Int, v: Int, similarity: Double, softness: Double) {
    (self.u, self.v) = (u, v)
    let greatest = Double(2 * 255 * 255)
    // In steps of four, which no eye tells apart.
    opacities = (0...2 * 255 * 255 / 4).map { index in
      let distance = (Double(index * 4) / greatest).squareRoot()
      guard softness > 0.0001 else { return distance > similarity ? 256 : 0 }
      return UInt16((min(max((distance - similarity) / softness, 0), 1) * 256).rounded())
    }
  }

  /// The opacities of a row of chroma, as far as all spans reach.
  package func opacities(
    _ us: Span<UInt8>, _ vs: Span<UInt8>, into row: inout MutableSpan<UInt16>
  ) {
    for index in 0..<min(us.count, vs.count, row.count) {
      let (du, dv) = (Int(us[index]) &- u, Int(vs[index]) &- v)
      row[index] = opacities[(du &* du &+ dv &* dv) &>> 2]
    }
  }

  /// Mixes a row of one plane into that of another by opacities, each of which is for `step` bytes.
  package static func mix(
    _ row: Span<UInt8>, over other: inout MutableSpan<UInt8>, at start: Int,
    _ opacities: Span<UInt16>, step: Int
  ) {
    let count = min(row.count, opacities.count * step)
    guard start >= 0, start + count <= other.count else { return }
    for index in 0..<count {
      let weight = UInt32(opacities[step == 1 ? index : index &>> 1])
      let mixed =
        UInt32(row[index]) &* weight &+ UInt32(other[start &+ index]) &* (256 &- weight) &+ 128
      other[start &+ index] = UInt8(truncatingIfNeeded: mixed &>> 8)
    }
  }
}
