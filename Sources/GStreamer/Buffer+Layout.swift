import CGStreamer

extension Buffer {
  /// Says where the planes of a frame lie, where that isn't what its caps imply; `false` where it
  /// is none.
  package mutating func setVideoLayout(_ caps: Caps, offsets: SIMD4<Int>, strides: SIMD4<Int>)
    -> Bool
  {
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, caps.raw) != 0 else { return false }
    makeWritable()
    var places = (0..<4).map { gsize(offsets[$0]) }
    var steps = (0..<4).map { gint(strides[$0]) }
    let planes = unsafe info.finfo.pointee.n_planes
    return unsafe gst_buffer_add_video_meta_full(
      raw, GST_VIDEO_FRAME_FLAG_NONE, info.finfo.pointee.format, guint(info.width),
      guint(info.height), planes, &places, &steps) != nil
  }
}
