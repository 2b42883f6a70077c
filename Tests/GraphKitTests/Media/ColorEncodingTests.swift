import GraphKit
import TestTools
import Testing

@Suite(.inTurn) struct ColorEncodingTests {
  @Test(
    "is read from the colorimetry, or taken by the height",
    arguments: [
      (PixelFormat.i420, 576, "", ColorEncoding(.bt601, .video)),
      (.i420, 577, "", ColorEncoding(.bt709, .video)),
      (.nv12, 2160, "", ColorEncoding(.bt709, .video)),
      (.nv12, 1080, "bt601", ColorEncoding(.bt601, .video)),
      (.i420, 100, "bt709", ColorEncoding(.bt709, .video)),
      (.i420, 100, "bt2020-10", ColorEncoding(.bt2020, .video)),
      (.i420, 100, "1:4:0:0", ColorEncoding(.bt601, .full)),
      (.i420, 100, "1:3:5:1", ColorEncoding(.bt709, .full)),
      (.i420, 100, "2:6:5:1", ColorEncoding(.bt2020, .video)),
      (.i420, 1080, "1:0:0:0", ColorEncoding(.bt709, .full)),
      (.i420, 1080, "0:4:0:0", ColorEncoding(.bt601, .video)),
      (.i420, 1080, "2:1:5:1", ColorEncoding(.bt709, .video)),
      (.i420, 1080, "sRGB", ColorEncoding(.bt709, .video)),
      (.i420, 1080, "nonsense", ColorEncoding(.bt709, .video)),
      (.yuy2, 1080, "1:2", ColorEncoding(.bt709, .video)),
      (.gray8, 1080, "", ColorEncoding(.bt601, .full)),
      (.bgra, 1080, "bt709", ColorEncoding(.rgb, .full)),
      (.rgba, 100, "", ColorEncoding(.rgb, .full)),
    ] as [(PixelFormat, Int, String, ColorEncoding)])
  func choice(_ pixelFormat: PixelFormat, height: Int, colorimetry: String, wanted: ColorEncoding) {
    let format = VideoFormat(pixelFormat, width: 64, height: height, colorimetry: colorimetry)
    #expect(ColorEncoding(format) == wanted)
  }

  /// Values that are in every table of colour bars.
  @Test(arguments: [
    (ColorEncoding(.bt601, .video), SIMD3(255.0, 0, 0), SIMD3(81.0, 90, 240)),
    (ColorEncoding(.bt601, .video), SIMD3(0, 255, 0), SIMD3(145, 54, 34)),
    (ColorEncoding(.bt601, .video), SIMD3(0, 0, 255), SIMD3(41, 240, 110)),
    (ColorEncoding(.bt709, .video), SIMD3(255, 0, 0), SIMD3(63, 102, 240)),
    (ColorEncoding(.bt709, .video), SIMD3(255, 255, 255), SIMD3(235, 128, 128)),
    (ColorEncoding(.bt709, .video), SIMD3(0, 0, 0), SIMD3(16, 128, 128)),
    (ColorEncoding(.bt2020, .video), SIMD3(0, 0, 255), SIMD3(29, 240, 119)),
    (ColorEncoding(.bt601, .full), SIMD3(255, 255, 255), SIMD3(255, 128, 128)),
    (ColorEncoding(.bt601, .full), SIMD3(255, 0, 0), SIMD3(76, 85, 255.5)),
    (ColorEncoding(.rgb, .full), SIMD3(1, 2, 3), SIMD3(1, 2, 3)),
  ])
  func storesColors(_ encoding: ColorEncoding, _ rgb: SIMD3<Double>, _ wanted: SIMD3<Double>) {
    #expect(abs(encoding.fromRGB(rgb) - wanted).max() < 0.5 + 1e-9)
  }

  @Test func isUndoneExactly() {
    for matrix in ColorEncoding.Matrix.allCases {
      for range in ColorEncoding.Range.allCases {
        let encoding = ColorEncoding(matrix, range)
        let color = SIMD3(12.0, 200, 77)
        let back = encoding.toRGB(encoding.fromRGB(color))
        #expect(abs((back - color)).max() < 1e-9, "\(encoding)")
        let both = encoding.fromRGB.then(encoding.toRGB)
        #expect(abs((both(color) - color)).max() < 1e-9, "\(encoding)")
      }
    }
  }

  private func abs(_ values: SIMD3<Double>) -> SIMD3<Double> {
    values.replacing(with: -values, where: values .< 0)
  }
}
