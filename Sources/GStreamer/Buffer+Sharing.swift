import CGStreamer
import GraphKitSystem

extension Buffer {
  /// A buffer over a part of shared memory, which isn't copied; `owner` is let go with the last use of
  /// it. `nil` where the memory has no such part.
  package init?(
    sharing memory: SharedMemory, from offset: Int, byteCount: Int, keeping owner: AnyObject
  ) {
    guard offset >= 0, byteCount > 0, byteCount <= memory.byteCount,
      offset <= memory.byteCount - byteCount
    else { return nil }
    Library.startCore()
    let owner = unsafe Unmanaged.passRetained(owner).toOpaque()
    let buffer = unsafe gst_buffer_new_wrapped_full(
      GstMemoryFlags(rawValue: 0), memory.start + offset, gsize(byteCount), 0, gsize(byteCount),
      owner
    ) { owner in
      guard let owner = unsafe owner else { return }
      unsafe Unmanaged<AnyObject>.fromOpaque(owner).release()
    }
    unsafe self.init(taking: buffer!)
  }

  /// Copies raw media of some caps into shared memory, frames of video in the layout that their caps
  /// imply; returns how many bytes that makes, and copies nothing where they don't fit. `nil` where
  /// the media can't be read.
  package borrowing func copy(to memory: SharedMemory, from offset: Int, caps: Caps) -> Int? {
    var info = unsafe GstVideoInfo()
    let isFrame = unsafe gst_video_info_from_caps(&info, caps.raw) != 0
    let count = unsafe isFrame ? Int(info.size) : size
    guard offset >= 0, count <= memory.byteCount - offset else { return count }
    if isFrame, unsafe gst_buffer_get_video_meta(raw) != nil {
      return unsafe copyFrame(to: memory.start + offset, &info) ? count : nil
    }
    let copied = unsafe gst_buffer_extract(raw, 0, memory.start + offset, gsize(count))
    return Int(copied) == count ? count : nil
  }

  private borrowing func copyFrame(
    to memory: UnsafeMutableRawPointer, _ info: inout GstVideoInfo
  ) -> Bool {
    guard
      let target = unsafe gst_buffer_new_wrapped_full(
        GstMemoryFlags(rawValue: 0), memory, info.size, 0, info.size, nil, nil)
    else { return false }
    defer { unsafe gst_buffer_unref(target) }
    var (from, to) = unsafe (GstVideoFrame(), GstVideoFrame())
    guard unsafe gst_video_frame_map(&from, &info, raw, GST_MAP_READ) != 0 else { return false }
    defer { unsafe gst_video_frame_unmap(&from) }
    guard unsafe gst_video_frame_map(&to, &info, target, GST_MAP_WRITE) != 0 else { return false }
    defer { unsafe gst_video_frame_unmap(&to) }
    return unsafe gst_video_frame_copy(&to, &from) != 0
  }
}

extension Caps {
  /// Whether so many bytes are whole samples of raw media of these caps: one frame of video, or some
  /// of audio. `false` for caps of other media.
  package func areWholeSamples(byteCount: Int) -> Bool {
    var video = unsafe GstVideoInfo()
    if unsafe gst_video_info_from_caps(&video, raw) != 0 {
      return unsafe byteCount == Int(video.size)
    }
    var audio = unsafe GstAudioInfo()
    guard unsafe gst_audio_info_from_caps(&audio, raw) != 0 && audio.bpf > 0 else { return false }
    return unsafe byteCount % Int(audio.bpf) == 0
  }
}
