import GStreamer

/// A kind of file that holds one picture.
package enum StillImage: Sendable {
  case png, jpeg, webp

  /// The kind that a path's ending names.
  package init?(path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".png") {
      self = .png
    } else if name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") {
      self = .jpeg
    } else if name.hasSuffix(".webp") {
      self = .webp
    } else {
      return nil
    }
  }

  /// The element that writes it.
  package var element: ElementSpec {
    switch self {
    case .png: ElementSpec("pngenc", plugin: "png")
    case .jpeg: ElementSpec("jpegenc", plugin: "jpeg")
    case .webp: ElementSpec("webpenc", plugin: "webp")
    }
  }

  /// The Debian package that has the element.
  package var debianPackage: String {
    self == .webp ? "gstreamer1.0-plugins-bad" : "gstreamer1.0-plugins-good"
  }

  /// How long a picture's sides may be, in pixels.
  package var sides: ClosedRange<Int> {
    switch self {
    case .png: 1...65_535
    // JPEG_MAX_DIMENSION of libjpeg.
    case .jpeg: 1...65_500
    // What GStreamer's encoder (1.22) takes: the format has smaller ones.
    case .webp: 16...16_383
    }
  }

  /// What frames are to be.
  package var pixelFormat: PixelFormat { .rgba }

  /// What makes the file's own colours. Those of JPEG are of full range, by the weights of BT.601
  /// (JFIF 1.02), and the file says nothing of it.
  private var conversion: [Conversion.Step] {
    guard self == .jpeg else { return [] }
    return [
      Conversion.Step("videoconvert"),
      Conversion.Step(
        "capsfilter", ["caps": "video/x-raw, format=I420, colorimetry=(string)1:4:0:0"]),
    ]
  }

  /// A file's bytes for a frame of ``pixelFormat`` that is laid out as usual. `quality` is from 0 to
  /// 100, and means nothing for PNG.
  package func bytes(
    of frame: borrowing SampleBuffer, quality: Int? = nil
  ) throws(NodeError) -> [UInt8] {
    if case .video(let video) = frame.format.format,
      min(video.width, video.height) < sides.lowerBound
    {
      throw NodeError(
        "a picture of \(video.width)x\(video.height) is too small for a file of \(self)",
        remedy: "make it \(sides.lowerBound) pixels a side or more, or end the path in .png")
    }
    let plugins = [element.plugin, "videoconvertscale", "coreelements"]
    Library.start(plugins: Set(plugins.compactMap(\.self)))
    let pixels = frame.withBytes { bytes in
      var copy = [UInt8](repeating: 0, count: bytes.count)
      for index in bytes.indices { copy[index] = bytes[index] }
      return copy
    }
    let properties = self == .png ? [:] : quality.map { ["quality": "\($0)"] } ?? [:]
    do {
      return try Conversion.convert(
        pixels, caps: frame.format.capsText,
        through: conversion + [Conversion.Step(element.factory, properties)])
    } catch {
      throw NodeError(
        "the picture can't be written as \(self): \(error)", remedy: "install \(debianPackage)")
    }
  }
}
