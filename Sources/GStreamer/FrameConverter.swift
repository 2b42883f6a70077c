import CGStreamer

/// Converts frames from one pixel format and size to another, in one step and on the calling
/// thread. For one thread at a time.
@safe package final class FrameConverter {
  private var source: GstVideoInfo
  private var target: GstVideoInfo
  private let range: RangeConversion?
  private let raw: OpaquePointer

  /// A converter between caps of raw video; `nil` where they aren't, or can't be converted.
  package init?(from: Caps, to: Caps) {
    var (source, target) = unsafe (GstVideoInfo(), GstVideoInfo())
    guard unsafe gst_video_info_from_caps(&source, from.raw) != 0,
      unsafe gst_video_info_from_caps(&target, to.raw) != 0
    else { return nil }
    // It asks for the same of both.
    unsafe target.fps_n = source.fps_n
    unsafe target.fps_d = source.fps_d
    unsafe source.keepFields(in: &target, source.height == target.height)
    range = unsafe RangeConversion(from: source, to: target)
    var entering = unsafe RangeConversion.entering(source, to: target, by: range)
    guard let raw = unsafe gst_video_converter_new(&entering, &target, nil) else { return nil }
    unsafe self.source = unsafe source
    unsafe self.target = unsafe target
    unsafe self.raw = unsafe raw
  }

  deinit { unsafe gst_video_converter_free(raw) }

  /// The frame in the other format, in fresh memory; `nil` where the memory can't be mapped.
  package func convert(_ buffer: borrowing Buffer) -> Buffer? {
    guard let range else { return changed(buffer) }
    guard let other = unsafe range.converted(buffer, of: source) else { return nil }
    return changed(other)
  }

  private func changed(_ buffer: borrowing Buffer) -> Buffer? {
    let result = Buffer(size: unsafe Int(target.size))
    var (input, output) = unsafe (GstVideoFrame(), GstVideoFrame())
    guard unsafe gst_video_frame_map(&input, &source, buffer.raw, GST_MAP_READ) != 0 else {
      return nil
    }
    defer { unsafe gst_video_frame_unmap(&input) }
    guard unsafe gst_video_frame_map(&output, &target, result.raw, GST_MAP_WRITE) != 0 else {
      return nil
    }
    unsafe gst_video_converter_frame(raw, &input, &output)
    unsafe gst_video_frame_unmap(&output)
    return result
  }
}
