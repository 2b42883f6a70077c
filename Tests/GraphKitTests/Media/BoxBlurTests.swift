import GStreamer
import Kernels
import TestTools
import Testing

@Suite("Means of neighbours", .inTurn) struct BoxBlurTests {
  @Test(
    "wide vectors give the same bits as plain Swift",
    arguments: [(1, Float(0.25), 3), (9, 0.3, 1), (9, 0.3, 2), (31, 0.85, 3)], [1, 2, 4])
  func likeness(box: (length: Int, edge: Float, passes: Int), pixelBytes: Int) {
    var noise = MediaRandom(seed: 1)
    for (width, height) in [(1, 1), (17, 16), (35, 50)] {
      let bytesPerRow = width * pixelBytes + 3
      let plane = noise.bytes(bytesPerRow * height)
      let results = [false, WideVectors.areThere].map { isWide in
        var bytes = plane
        var blur = BoxBlur(
          length: box.length, edge: box.edge, passes: box.passes, isWide: isWide)
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
