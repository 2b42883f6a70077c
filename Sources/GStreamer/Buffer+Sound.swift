import CGStreamer

extension Buffer {
  /// Notes with the buffer how the channels of its PCM lie in it: elements that get planar sound
  /// go by that alone.
  package mutating func describeSound(as caps: Caps, frames: Int) {
    var info = unsafe GstAudioInfo()
    guard unsafe gst_audio_info_from_caps(&info, caps.raw) != 0 else { return }
    makeWritable()
    unsafe _ = gst_buffer_add_audio_meta(raw, &info, gsize(frames), nil)
  }
}
