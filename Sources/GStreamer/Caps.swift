import CGStreamer
import Kernels

/// Immutable caps, retained.
@safe package final class Caps: @unchecked Sendable, CustomStringConvertible {
  // Unchecked because the caps are never changed after init.
  let raw: UnsafeMutablePointer<GstCaps>

  init(retaining raw: UnsafeMutablePointer<GstCaps>) { unsafe self.raw = gst_caps_ref(raw) }
  init(taking raw: UnsafeMutablePointer<GstCaps>) { unsafe self.raw = raw }

  deinit { unsafe gst_caps_unref(raw) }

  /// Caps from their text; `nil` where the text is none.
  package convenience init?(_ text: String) {
    Library.startCore()
    // Caps of video may have a value of this type, whose name isn't known before.
    _ = gst_video_multiview_flagset_get_type()
    guard let raw = unsafe gst_caps_from_string(text) else { return nil }
    unsafe self.init(taking: raw)
  }

  /// The text that `gst_caps_to_string` prints.
  package var description: String {
    guard let text = unsafe gst_caps_to_string(raw) else { return "" }
    defer { unsafe g_free(text) }
    return unsafe String(cString: text)
  }

  /// The frames a second that they state; `nil` where they state none.
  var frameRate: (numerator: Int, denominator: Int)? {
    guard let structure = unsafe gst_caps_get_structure(raw, 0) else { return nil }
    var (numerator, denominator): (gint, gint) = (0, 1)
    guard unsafe gst_structure_get_fraction(structure, "framerate", &numerator, &denominator) != 0
    else { return nil }
    return (Int(numerator), Int(denominator))
  }

  package func isEqual(to other: Caps) -> Bool {
    unsafe gst_caps_is_equal(raw, other.raw) != 0
  }

  /// Plane offsets and strides of raw video of these caps; `nil` for anything else.
  package var videoLayout: VideoLayout? {
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, raw) != 0 else { return nil }
    let offsets = unsafe info.offset
    return unsafe VideoLayout(
      planeCount: Int(info.finfo.pointee.n_planes),
      offsets: (
        Int(clamping: offsets.0), Int(clamping: offsets.1), Int(clamping: offsets.2),
        Int(clamping: offsets.3)
      ),
      strides: info.stride)
  }
}

extension VideoLayout {
  /// As `GstVideoInfo` has it.
  init(
    planeCount: Int, offsets: (Int, Int, Int, Int), strides: (Int32, Int32, Int32, Int32)
  ) {
    self.init(
      planeCount: planeCount, offsets: SIMD4(offsets.0, offsets.1, offsets.2, offsets.3),
      strides: SIMD4(Int(strides.0), Int(strides.1), Int(strides.2), Int(strides.3)))
  }
}

extension Caps {
  /// What both allow, in this one's order.
  package func intersection(_ other: Caps) -> Caps {
    unsafe Caps(taking: gst_caps_intersect_full(raw, other.raw, GST_CAPS_INTERSECT_FIRST))
  }

  /// Whether they are one format, of media in the memory of this process.
  package var isPlain: Bool {
    guard unsafe gst_caps_is_fixed(raw) != 0, let features = unsafe gst_caps_get_features(raw, 0)
    else { return false }
    return unsafe gst_caps_features_get_size(features) == 1
      && gst_caps_features_contains(features, "memory:SystemMemory") != 0
  }

  /// Whether there is anything that both allow.
  package func intersects(_ other: Caps) -> Bool {
    unsafe gst_caps_can_intersect(raw, other.raw) != 0
  }
}
