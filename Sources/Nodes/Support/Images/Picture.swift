import GraphKit

/// A picture with alpha, as it is before it is laid over frames.
struct Picture: Sendable, Equatable {
  /// Width in pixels.
  let width: Int
  /// Height in pixels.
  let height: Int
  /// Red, green, blue and alpha of each pixel, row after row, without padding.
  var pixels: [UInt8]
  /// Whether the colours are multiplied by alpha already.
  let isPremultiplied: Bool

  /// A picture; bytes that are missing are transparent.
  init(width: Int, height: Int, pixels: [UInt8], isPremultiplied: Bool = false) {
    self.width = max(0, width)
    self.height = max(0, height)
    let missing = self.width * self.height * 4 - pixels.count
    self.pixels = missing > 0 ? pixels + [UInt8](repeating: 0, count: missing) : pixels
    self.isPremultiplied = isPremultiplied
  }

  /// A picture that is transparent all over.
  init(width: Int, height: Int) {
    self.init(width: width, height: height, pixels: [], isPremultiplied: true)
  }

  /// The same, with colours that are multiplied by alpha: what scaling and composing need, since
  /// the colour of what is transparent must not show.
  var premultiplied: Picture {
    guard !isPremultiplied else { return self }
    var result = pixels
    for pixel in 0..<width * height {
      let alpha = UInt32(pixels[pixel * 4 + 3])
      guard alpha != 255 else { continue }
      for channel in 0..<3 {
        result[pixel * 4 + channel] = UInt8(
          truncatingIfNeeded: (UInt32(pixels[pixel * 4 + channel]) * alpha + 127) / 255)
      }
    }
    return Picture(width: width, height: height, pixels: result, isPremultiplied: true)
  }

  /// The picture, larger or smaller by a factor.
  func scaled(by factor: Double) throws(NodeError) -> Picture {
    let size = (width: Double(width) * factor, height: Double(height) * factor)
    let limit = Double(PictureFile.largestPixelCount)
    guard size.width < limit, size.height < limit, size.width * size.height <= limit else {
      throw NodeError.tooLarge((Int(clamping(size.width)), Int(clamping(size.height))))
    }
    return try scaled(width: Int(size.width.rounded()), height: Int(size.height.rounded()))
  }

  private func clamping(_ length: Double) -> Double { min(max(length, 0), 1e9) }

  /// The picture in another size, filtered by all the pixels that one of the new ones covers.
  func scaled(width newWidth: Int, height newHeight: Int) throws(NodeError) -> Picture {
    let size = (width: max(1, newWidth), height: max(1, newHeight))
    guard size != (width, height), width > 0, height > 0 else { return self }
    let caps = "video/x-raw, format=RGBA, framerate=0/1, pixel-aspect-ratio=1/1"
    let elements = [
      ElementSpec(
        "videoscale", plugin: "videoconvertscale", ["method": "mitchell", "add-borders": "false"]),
      ElementSpec(
        "capsfilter", plugin: "coreelements",
        ["caps": "\(caps), width=\(size.width), height=\(size.height)"]),
    ]
    do throws(PictureDecoding.Failure) {
      let scaled = try PictureDecoding.pictures(
        of: [.init(premultiplied.pixels)], caps: "\(caps), width=\(width), height=\(height)",
        through: elements, limit: PictureFile.largestPixelCount)
      return Picture(
        width: size.width, height: size.height, pixels: Self.bounded(scaled.first?.bytes ?? []),
        isPremultiplied: true)
    } catch {
      throw NodeError(
        "the picture can't be scaled: \(error)", remedy: "install gstreamer1.0-plugins-base")
    }
  }

  /// A filter may overshoot: no colour exceeds its alpha.
  private static func bounded(_ pixels: [UInt8]) -> [UInt8] {
    var result = pixels
    for pixel in 0..<pixels.count / 4 {
      let alpha = pixels[pixel * 4 + 3]
      for channel in 0..<3 {
        result[pixel * 4 + channel] = min(pixels[pixel * 4 + channel], alpha)
      }
    }
    return result
  }
}

extension NodeError {
  /// A picture with more pixels than the limit.
  static func tooLarge(_ size: (width: Int, height: Int)) -> NodeError {
    NodeError(
      "a picture of \(size.width)x\(size.height) is too large",
      remedy: "give one of at most \(PictureFile.largestPixelCount / 1_000_000) million pixels",
      key: "path")
  }
}
