import CGStreamer

/// GStreamer's own converter of video frames, which `videoscale`, `videoconvert` and `compositor`
/// are built on, as a function from one frame to another.
@safe package final class PictureConversion: @unchecked Sendable {
  // Unchecked because one thread at a time runs it, as the owner's contract says.
  private let raw: OpaquePointer
  private var source: GstVideoInfo
  private var target: GstVideoInfo

  /// A converter between raw video of two caps; `nil` where there is none. `options` are those of
  /// `gst_video_converter_set_config`, by their names after the prefix.
  package init?(from: Caps, to: Caps, options: [String: String]) {
    unsafe source = GstVideoInfo()
    unsafe target = GstVideoInfo()
    // Names of enumeration types are read from text only once the types are registered.
    _ = gst_video_resampler_method_get_type()
    let fields = options.sorted { $0.key < $1.key }.map {
      "GstVideoConverter.\($0.key)=\($0.value)"
    }
    guard unsafe gst_video_info_from_caps(&source, from.raw) != 0,
      unsafe gst_video_info_from_caps(&target, to.raw) != 0
    else { return nil }
    // A frame rate has no meaning for one frame, but the converter wants them to be the same.
    unsafe source.fps_n = target.fps_n
    unsafe source.fps_d = target.fps_d
    // The lines of a field stay in one, also where the other caps don't say that there are any.
    unsafe target.interlace_mode = source.interlace_mode
    guard
      let config = unsafe gst_structure_from_string(
        (["GstVideoConverter"] + fields).joined(separator: ", "), nil),
      let raw = unsafe gst_video_converter_new(&source, &target, config)
    else { return nil }
    unsafe self.raw = raw
  }

  deinit { unsafe gst_video_converter_free(raw) }

  /// Converts one frame into another, which is copied first where others hold it too; `false`
  /// where the memory of one of them can't be mapped.
  package func run(_ buffer: borrowing Buffer, into result: inout Buffer) -> Bool {
    result.makeWritable()
    var (from, to) = unsafe (GstVideoFrame(), GstVideoFrame())
    guard unsafe gst_video_frame_map(&from, &source, buffer.raw, GST_MAP_READ) != 0 else {
      return false
    }
    defer { unsafe gst_video_frame_unmap(&from) }
    let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe gst_video_frame_map(&to, &target, result.raw, access) != 0 else { return false }
    defer { unsafe gst_video_frame_unmap(&to) }
    unsafe gst_video_converter_frame(raw, &from, &to)
    return true
  }
}
