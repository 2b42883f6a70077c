extension Picture {
  /// Lays a premultiplied picture over this one, which is premultiplied too.
  mutating func blend(_ picture: Picture, at corner: Corner) {
    combine(picture, at: corner) { source, alpha, old in
      source &+ UInt8(truncatingIfNeeded: (UInt32(old) * UInt32(255 - alpha) + 127) / 255)
    }
  }

  /// Puts a premultiplied picture in the place of what is there.
  mutating func put(_ picture: Picture, at corner: Corner) {
    combine(picture, at: corner) { source, _, _ in source }
  }

  @inline(__always)
  private mutating func combine(
    _ picture: Picture, at corner: Corner, _ combination: (UInt8, _ alpha: UInt8, UInt8) -> UInt8
  ) {
    let columns = max(0, -corner.x)..<max(max(0, -corner.x), min(picture.width, width - corner.x))
    let rows = max(0, -corner.y)..<max(max(0, -corner.y), min(picture.height, height - corner.y))
    for row in rows {
      let source = row * picture.width
      let target = (row + corner.y) * width + corner.x
      for column in columns {
        let alpha = picture.pixels[(source + column) * 4 + 3]
        for channel in 0..<4 {
          let byte = (target + column) * 4 + channel
          pixels[byte] = combination(
            picture.pixels[(source + column) * 4 + channel], alpha, pixels[byte])
        }
      }
    }
  }
}
