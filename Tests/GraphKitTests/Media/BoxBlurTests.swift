import GStreamer
import Testing

@Suite("Means of neighbours") struct BoxBlurTests {
  /// A plane of noise that is the same each time.
  private func noise(_ count: Int) -> [UInt8] {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  @Test(
    "wide vectors give the same bits as plain Swift",
    arguments: [(1, Float(0.25)), (9, 0.3), (31, 0.85)], [1, 2, 4])
  func likeness(box: (length: Int, edge: Float), pixelBytes: Int) {
    for (width, height) in [(1, 1), (17, 16), (35, 50)] {
      let bytesPerRow = width * pixelBytes + 3
      let plane = noise(bytesPerRow * height)
      let results = [false, WideVectors.areThere].map { isWide in
        var (blur, bytes) = (BoxBlur(length: box.length, edge: box.edge, isWide: isWide), plane)
        var span = bytes.mutableSpan
        blur.run(
          &span, width: width, height: height, pixelBytes: pixelBytes, bytesPerRow: bytesPerRow)
        return bytes
      }
      #expect(results[0] == results[1])
      #expect(results[0] != plane || width * height == 1)
    }
  }
}
