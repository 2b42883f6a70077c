/// The beginning of a GIF file (GIF89a specification, 17 and 18).
///
/// GStreamer's reader of GIF, libav's, comes to no end: such files are read by GraphKit itself.
package struct GIFHeader {
  package let width: Int
  package let height: Int

  /// The header that a file begins with; `nil` where that is no GIF.
  package init?(_ head: [UInt8]) {
    guard head.starts(with: "GIF8".utf8), head.count >= 13 else { return nil }
    width = Int(head[6]) | Int(head[7]) << 8
    height = Int(head[8]) | Int(head[9]) << 8
    guard width > 0, height > 0 else { return nil }
  }
}
