import CGStreamer

/// Rows of a frame that are converted.
private struct PictureRows: Equatable {
  let first: Int
  let count: Int

  /// Whether each field has rows enough of chroma.
  var areOfFields: Bool { first % 4 == 0 && count % 4 == 0 }

  init(_ info: GstVideoInfo, _ options: [String: String], _ side: String) {
    func number(_ name: String) -> Int? {
      options["\(side)-\(name)"].flatMap { Int($0.drop { $0 != ")" }.dropFirst()) }
    }
    (first, count) = (number("y") ?? 0, number("height") ?? Int(unsafe info.height))
  }
}

extension GstVideoInfo {
  fileprivate var hasFields: Bool {
    unsafe interlace_mode != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
  }

  /// Has frames converted as they are stored: the lines of a field stay in one, also where the other caps
  /// don't say that there are any, as long as each line comes of one. Other frames are whole: of a few
  /// rows, fields would have none of chroma.
  mutating func keepFields(in target: inout GstVideoInfo, _ areSameRows: Bool) {
    if areSameRows {
      unsafe target.interlace_mode = interlace_mode
    } else {
      unsafe interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
      unsafe target.interlace_mode = GST_VIDEO_INTERLACE_MODE_PROGRESSIVE
    }
  }
}

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
    let rows = unsafe (
      PictureRows(source, options, "src"), PictureRows(target, options, "dest")
    )
    let isScaledApart = unsafe rows.0.areOfFields && rows.1.areOfFields && target.hasFields
    unsafe source.keepFields(in: &target, rows.0 == rows.1 || isScaledApart)
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
