import CGStreamer

/// Rows of a frame that are converted.
private struct PictureRows: Equatable {
  let first: Int
  let count: Int

  /// Whether each field has rows enough of chroma.
  var areOfFields: Bool { first % 4 == 0 && count % 4 == 0 }

  init(_ info: GstVideoInfo, _ options: [String: String], _ side: String) {
    first = options.number("\(side)-y") ?? 0
    count = options.number("\(side)-height") ?? Int(unsafe info.height)
  }
}

extension [String: String] {
  /// The number of an option, which has its type before it: `(int)8`.
  fileprivate func number(_ name: String) -> Int? {
    self[name].flatMap { Int($0.drop { $0 != ")" }.dropFirst()) }
  }
}

extension GstVideoInfo {
  /// Whether the place that options name for a picture is all of a frame.
  fileprivate func isCovered(by options: [String: String]) -> Bool {
    func covers(_ start: String, _ length: String, _ whole: gint) -> Bool {
      options.number("dest-\(start)") ?? 0 <= 0
        && options.number("dest-\(length)") ?? Int(whole) >= Int(whole)
    }
    return unsafe covers("x", "width", width) && covers("y", "height", height)
  }

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
  /// What is done to frames before, and the colour that those that leave have all over.
  private let range: RangeConversion?
  private let border: FullRangeBorder?

  /// A converter between raw video of two caps; `nil` where there is none. `border` is the colour around
  /// what is converted, as `0xaarrggbb`; `nil` leaves what there is. `options` are those of
  /// `gst_video_converter_set_config`, by their names after the prefix.
  package init?(from: Caps, to: Caps, border: UInt32?, options: [String: String]) {
    unsafe source = GstVideoInfo()
    unsafe target = GstVideoInfo()
    // Names of enumeration types are read from text only once the types are registered.
    _ = gst_video_resampler_method_get_type()
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
    range = unsafe RangeConversion(from: source, to: target)
    var entering = unsafe RangeConversion.entering(source, to: target, by: range)
    let isPartial = unsafe !target.isCovered(by: options)
    let color = isPartial ? border : nil
    if let color {
      self.border = unsafe FullRangeBorder(color, in: target)
    } else {
      self.border = nil
    }
    let filled = self.border == nil ? border : nil
    guard
      let config = unsafe gst_structure_from_string(Self.config(options, filled), nil),
      let raw = unsafe gst_video_converter_new(&entering, &target, config)
    else { return nil }
    unsafe self.raw = raw
  }

  deinit { unsafe gst_video_converter_free(raw) }

  /// The converter's options as the text of a structure; it fills what is around with `border`.
  private static func config(_ options: [String: String], _ border: UInt32?) -> String {
    var options = options
    options["fill-border"] = "(boolean)\(border != nil)"
    options["border-argb"] = "(uint)\(border ?? 0)"
    let fields = options.sorted { $0.key < $1.key }.map {
      "GstVideoConverter.\($0.key)=\($0.value)"
    }
    return (["GstVideoConverter"] + fields).joined(separator: ", ")
  }

  /// Converts one frame into another, which is copied first where others hold it too; `false`
  /// where the memory of one of them can't be mapped.
  package func run(_ buffer: borrowing Buffer, into result: inout Buffer) -> Bool {
    guard let range else { return convert(buffer, into: &result) }
    guard let changed = unsafe range.converted(buffer, of: source) else { return false }
    return convert(changed, into: &result)
  }

  private func convert(_ buffer: borrowing Buffer, into result: inout Buffer) -> Bool {
    result.makeWritable()
    var (from, to) = unsafe (GstVideoFrame(), GstVideoFrame())
    guard unsafe gst_video_frame_map(&from, &source, buffer.raw, GST_MAP_READ) != 0 else {
      return false
    }
    defer { unsafe gst_video_frame_unmap(&from) }
    let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe gst_video_frame_map(&to, &target, result.raw, access) != 0 else { return false }
    defer { unsafe gst_video_frame_unmap(&to) }
    if let border { unsafe border.fill(to) }
    unsafe gst_video_converter_frame(raw, &from, &to)
    return true
  }
}
