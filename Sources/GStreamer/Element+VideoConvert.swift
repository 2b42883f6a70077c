import CGStreamer
import GraphKitSystem

extension Element {
  /// Has a converter of video say what its frames are, and make those opaque that can't be anything else.
  ///
  /// `videoconvert` (1.22) copies the values of gray of full range into luma that it says is of limited
  /// range, where that has the same matrix, and the bytes that pixels without alpha have in its place into
  /// the alpha of others.
  package func convertExactly() {
    guard factoryName == "videoconvert", let sink = pad("sink"), let source = pad("src") else {
      return
    }
    let kind = Monitor(PictureKind())
    sink.guardFormat { _, caps in
      kind.withLock { $0.enter(caps) }
      return true
    }
    source.complete { caps in kind.withLock { $0.leave(caps) } }
    source.replaceBuffers { buffer in
      guard let info = kind.withLock({ $0.madeOpaque }) else { return buffer }
      return info.opaque(buffer)
    }
  }
}

/// What enters a converter of video, and what leaves it.
private struct PictureKind {
  /// The colours of gray of full range, where that is what enters.
  private var fullGray: GstVideoColorimetry?
  private var isFilled = false
  /// The frames that leave, where their alpha is to be filled in.
  private(set) var madeOpaque: OpaqueFrames?

  mutating func enter(_ caps: Caps) {
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, caps.raw) != 0 else { return }
    let isFullGray = unsafe info.has(GST_VIDEO_FORMAT_FLAG_GRAY) && info.isOfFullRange
    fullGray = unsafe isFullGray ? info.colorimetry : nil
    isFilled = [
      GST_VIDEO_FORMAT_RGBx, GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_xRGB, GST_VIDEO_FORMAT_xBGR,
    ].contains(unsafe info.finfo.pointee.format)
  }

  /// Takes the caps of what leaves; what they are really, where that is something else.
  mutating func leave(_ caps: Caps) -> Caps? {
    var info = unsafe GstVideoInfo()
    guard unsafe gst_video_info_from_caps(&info, caps.raw) != 0 else { return nil }
    let isOpened = unsafe isFilled && info.has(GST_VIDEO_FORMAT_FLAG_ALPHA)
    madeOpaque = unsafe isOpened ? OpaqueFrames(info) : nil
    guard let gray = fullGray, unsafe info.has(GST_VIDEO_FORMAT_FLAG_YUV),
      unsafe !info.isOfFullRange, unsafe info.colorimetry.matrix == gray.matrix
    else { return nil }
    unsafe info.colorimetry.range = GST_VIDEO_COLOR_RANGE_0_255
    guard let text = unsafe gst_video_colorimetry_to_string(&info.colorimetry) else { return nil }
    defer { unsafe g_free(text) }
    return unsafe caps.setting("colorimetry", String(cString: text))
  }
}

extension GstVideoInfo {
  fileprivate var isOfFullRange: Bool {
    unsafe colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255
  }

  fileprivate func has(_ flag: GstVideoFormatFlags) -> Bool {
    unsafe finfo.pointee.flags.rawValue & flag.rawValue != 0
  }
}

/// Frames with an alpha of eight bits in each pixel, which is filled in.
@safe private struct OpaqueFrames: @unchecked Sendable {
  // Unchecked because it holds a pointer to GStreamer's table of formats, which never changes.
  private let info: GstVideoInfo

  init?(_ info: GstVideoInfo) {
    guard unsafe info.finfo.pointee.n_planes == 1, unsafe info.finfo.pointee.depth.3 == 8 else {
      return nil
    }
    unsafe self.info = info
  }

  func opaque(_ buffer: consuming Buffer) -> Buffer {
    buffer.makeWritable()
    var (info, frame) = unsafe (info, GstVideoFrame())
    let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe gst_video_frame_map(&frame, &info, buffer.raw, access) != 0 else {
      return buffer
    }
    defer { unsafe gst_video_frame_unmap(&frame) }
    let (stride, step) = unsafe (Int(frame.info.stride.0), Int(info.finfo.pointee.pixel_stride.3))
    guard let data = unsafe frame.data.0 else { return buffer }
    let first = unsafe data.assumingMemoryBound(to: UInt8.self) + Int(info.finfo.pointee.poffset.3)
    for row in unsafe 0..<Int(info.height) {
      for column in unsafe 0..<Int(info.width) {
        unsafe first[row * stride + column * step] = .max
      }
    }
    return buffer
  }
}
