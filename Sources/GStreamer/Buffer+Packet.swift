import CGStreamer
import GraphKitSystem

extension Buffer {
  /// The flags of a packet that mean something to what takes it: whether decoding can start at it, a gap
  /// is before it, it is a header, it ends a frame, or may be left out.
  package var packetFlags: Int {
    get { unsafe Int(raw.pointee.mini_object.flags & Self.packetFlagMask) }
    set {
      makeWritable()
      unsafe raw.pointee.mini_object.flags &= ~Self.packetFlagMask
      unsafe raw.pointee.mini_object.flags |=
        guint(truncatingIfNeeded: newValue) & Self.packetFlagMask
    }
  }

  /// All that ``packetFlags`` can be.
  package static var mostPacketFlags: Int { Int(packetFlagMask) }

  private static let packetFlagMask =
    GST_BUFFER_FLAG_DELTA_UNIT.rawValue | GST_BUFFER_FLAG_DISCONT.rawValue
    | GST_BUFFER_FLAG_HEADER.rawValue | GST_BUFFER_FLAG_MARKER.rawValue
    | GST_BUFFER_FLAG_DROPPABLE.rawValue | GST_BUFFER_FLAG_DECODE_ONLY.rawValue

  /// The samples that a decoder is to leave out of a packet of audio, at its beginning and its end;
  /// `nil` where none was noted.
  package var clipping: (start: UInt64, end: UInt64)? {
    guard let meta = unsafe gst_buffer_get_meta(raw, gst_audio_clipping_meta_api_get_type()) else {
      return nil
    }
    let clip = unsafe UnsafeMutableRawPointer(meta)
      .assumingMemoryBound(to: GstAudioClippingMeta.self)
    guard unsafe clip.pointee.format == GST_FORMAT_DEFAULT else { return nil }
    return unsafe (UInt64(clip.pointee.start), UInt64(clip.pointee.end))
  }

  /// Notes such samples of a packet that has no note of them.
  package mutating func setClipping(start: UInt64, end: UInt64) {
    makeWritable()
    unsafe _ = gst_buffer_add_audio_clipping_meta(
      raw, GST_FORMAT_DEFAULT, guint64(start), guint64(end))
  }

  /// Copies all bytes into shared memory; returns how many there are, and copies nothing where they
  /// don't fit. `nil` where they can't be read.
  package borrowing func copyBytes(to memory: SharedMemory, from offset: Int) -> Int? {
    let count = size
    guard offset >= 0, count <= memory.byteCount - offset else { return count }
    guard count > 0 else { return 0 }
    let copied = unsafe gst_buffer_extract(raw, 0, memory.start + offset, gsize(count))
    return Int(copied) == count ? count : nil
  }
}
