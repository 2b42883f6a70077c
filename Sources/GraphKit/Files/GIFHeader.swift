/// The beginning of a GIF file (GIF89a specification, 17 and 18).
///
/// GStreamer's reader of GIF, libav's, comes to no end: such files are read by GraphKit itself.
struct GIFHeader {
  let width: Int
  let height: Int

  /// The header that a file begins with; `nil` where that is no GIF.
  init?(_ head: [UInt8]) {
    guard head.starts(with: "GIF8".utf8), head.count >= 13 else { return nil }
    width = Int(head[6]) | Int(head[7]) << 8
    height = Int(head[8]) | Int(head[9]) << 8
    guard width > 0, height > 0 else { return nil }
  }

  /// The pictures: straight alpha, each as large as the whole, at times of their own.
  var stream: DiscoveredStream {
    var stream = DiscoveredStream(
      identifier: "gif", format: .video(VideoFormat(.rgba, width: width, height: height)),
      duration: nil)
    stream.isGIF = true
    return stream
  }
}
