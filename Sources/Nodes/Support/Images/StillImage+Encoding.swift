import GraphKit

extension StillImage {
  /// The media type of its files.
  var mediaType: String {
    switch self {
    case .png: "image/png"
    case .jpeg: "image/jpeg"
    case .webp: "image/webp"
    }
  }

  /// The elements that make its files of frames; `quality` is from 1 to 100, and a WebP of 100 is exact.
  func encoders(of pixels: PixelFormat, quality: Int) -> [ElementSpec] {
    let caps = "video/x-raw, format=(string)\(format(of: pixels))"
    var encoder = element
    switch self {
    case .png: break
    case .jpeg: encoder.properties["quality"] = "\(quality)"
    case .webp where quality == 100: encoder.properties["lossless"] = "true"
    case .webp: encoder.properties["quality"] = "\(quality)"
    }
    return [
      ElementSpec("videoconvert", plugin: "videoconvertscale"),
      ElementSpec("capsfilter", plugin: "coreelements", ["caps": caps]), encoder,
    ]
  }

  /// What the encoder is given. JPEG is of full range by the weights of BT.601 (JFIF 1.02), which is said
  /// here: of RGB the encoder makes files that few programs read.
  private func format(of pixels: PixelFormat) -> String {
    switch pixels {
    case .gray8: self == .webp ? "RGB" : "GRAY8"
    case .rgba, .bgra: self == .jpeg ? "Y444, \(Self.fullRange)" : "RGBA"
    case .i420, .nv12, .yuy2: self == .jpeg ? "I420, \(Self.fullRange)" : "RGB"
    }
  }

  private static let fullRange = "colorimetry=(string)1:4:0:0"
}
