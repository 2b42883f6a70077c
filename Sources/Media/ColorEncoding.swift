/// How the values of a frame's planes stand for red, green and blue.
///
/// Values are those of 8 bits, 0...255, whatever the layout; red, green and blue keep the transfer
/// function that they have (R'G'B').
public struct ColorEncoding: Hashable, Sendable {
  /// Which weights red, green and blue have in luma (ITU-T H.273, table 4).
  public enum Matrix: String, Hashable, Sendable, CaseIterable {
    /// The planes are red, green and blue themselves.
    case rgb
    case fcc, bt709, bt601, smpte240m, bt2020

    /// The weights of red and of blue, K_R and K_B; that of green is what is left of 1.
    public var weights: (red: Double, blue: Double) {
      switch self {
      case .rgb: (0, 0)
      case .fcc: (0.30, 0.11)
      case .bt709: (0.2126, 0.0722)
      case .bt601: (0.299, 0.114)
      case .smpte240m: (0.212, 0.087)
      case .bt2020: (0.2627, 0.0593)
      }
    }
  }

  /// Which values black and white have.
  public enum Range: String, Hashable, Sendable, CaseIterable {
    /// 0 and 255; chroma 0.5 below to 255.5, around 128.
    case full
    /// 16 and 235; chroma 16 to 240, around 128.
    case video
  }

  /// The weights of luma.
  public var matrix: Matrix
  /// The values of black and white.
  public var range: Range

  /// An encoding.
  public init(_ matrix: Matrix, _ range: Range) {
    self.matrix = matrix
    self.range = range
  }

  /// The encoding of a format: by its colorimetry, or else as GStreamer takes it. That is BT.601 up
  /// to 576 rows and BT.709 above, of video range; full range for gray (`gst_video_info_set_format`).
  public init(_ format: VideoFormat) {
    switch format.pixelFormat {
    case .bgra, .rgba: self.init(.rgb, .full)
    case .gray8: self = Self(colorimetry: format.colorimetry, else: Self(.bt601, .full))
    case .i420, .nv12, .yuy2:
      let usual = Self(format.height > 576 ? .bt709 : .bt601, .video)
      self = Self(colorimetry: format.colorimetry, else: usual)
    }
  }

  /// From the stored values to red, green and blue.
  public var toRGB: ColorTransform {
    guard matrix != .rgb else { return .identity }
    let (red, blue) = matrix.weights
    let green = 1 - red - blue
    let (luma, chroma, black) = scales
    let (cr, cb) = (2 * (1 - red) / chroma, 2 * (1 - blue) / chroma)
    return ColorTransform(
      rows: (
        SIMD3(1 / luma, 0, cr), SIMD3(1 / luma, -cb * blue / green, -cr * red / green),
        SIMD3(1 / luma, cb, 0)
      ), before: SIMD3(-black, -128, -128))
  }

  /// From red, green and blue to the stored values: luma, blue and red chroma.
  public var fromRGB: ColorTransform {
    guard matrix != .rgb else { return .identity }
    let (red, blue) = matrix.weights
    let weights = SIMD3(red, 1 - red - blue, blue)
    let (luma, chroma, black) = scales
    let toBlue = (SIMD3(0, 0, 1) - weights) * (chroma / (2 * (1 - blue)))
    let toRed = (SIMD3(1, 0, 0) - weights) * (chroma / (2 * (1 - red)))
    return ColorTransform(
      rows: (weights * luma, toBlue, toRed), after: SIMD3(black, 128, 128))
  }

  /// Steps of luma and of chroma for one of R'G'B', and the luma of black.
  private var scales: (luma: Double, chroma: Double, black: Double) {
    range == .full ? (1, 1, 0) : (219.0 / 255, 224.0 / 255, 16)
  }
}

extension ColorEncoding {
  /// The encoding that caps name, as `bt709` or as `range:matrix:transfer:primaries`
  /// (GstVideoColorimetry); what they leave open is as in `usual`.
  private init(colorimetry: String, else usual: ColorEncoding) {
    self = usual
    if let named = Self.named[colorimetry] {
      self = named
      return
    }
    let parts = colorimetry.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return }
    let numbers = parts.map { Int($0) }
    let ranges: [Int: Range] = [1: .full, 2: .video]
    let matrices: [Int: Matrix] = [2: .fcc, 3: .bt709, 4: .bt601, 5: .smpte240m, 6: .bt2020]
    range = numbers[0].flatMap { ranges[$0] } ?? usual.range
    matrix = numbers[1].flatMap { matrices[$0] } ?? usual.matrix
  }

  private static let named: [String: ColorEncoding] = [
    "bt601": ColorEncoding(.bt601, .video), "bt709": ColorEncoding(.bt709, .video),
    "smpte240m": ColorEncoding(.smpte240m, .video), "bt2020": ColorEncoding(.bt2020, .video),
    "bt2020-10": ColorEncoding(.bt2020, .video), "bt2100-pq": ColorEncoding(.bt2020, .video),
    "bt2100-hlg": ColorEncoding(.bt2020, .video),
  ]
}
