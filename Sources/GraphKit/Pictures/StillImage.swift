import GStreamer

/// A kind of file that holds one picture.
package enum StillImage: Sendable {
  case png, jpeg

  /// The kind that a path's ending names.
  package init?(path: String) {
    let name = path.lowercased()
    if name.hasSuffix(".png") {
      self = .png
    } else if name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") {
      self = .jpeg
    } else {
      return nil
    }
  }

  /// The element that writes it.
  package var element: ElementSpec {
    switch self {
    case .png: ElementSpec("pngenc", plugin: "png")
    case .jpeg: ElementSpec("jpegenc", plugin: "jpeg")
    }
  }

  /// What frames are to be.
  package var pixelFormat: PixelFormat { self == .png ? .rgba : .i420 }

  /// A file's bytes for a frame of ``pixelFormat`` that is laid out as usual.
  package func bytes(of frame: borrowing SampleBuffer) throws(NodeError) -> [UInt8] {
    if let plugin = element.plugin { Library.start(plugins: [plugin]) }
    let pixels = frame.withBytes { bytes in
      var copy = [UInt8](repeating: 0, count: bytes.count)
      for index in bytes.indices { copy[index] = bytes[index] }
      return copy
    }
    do {
      return try Conversion.convert(
        pixels, caps: frame.format.capsText, through: [Conversion.Step(element.factory)])
    } catch {
      throw NodeError(
        "the picture can't be written as \(self): \(error)",
        remedy: "install gstreamer1.0-plugins-good")
    }
  }
}
