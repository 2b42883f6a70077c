import CGStreamer

/// Frames of eight bits a component with the values of another range, full or limited.
///
/// GStreamer's converter (1.22) looks at the matrix of colours alone: where that is the same, it copies the
/// values of one range as those of the other.
@safe struct RangeConversion {
  private var luma: [UInt8] = []
  private var chroma: [UInt8] = []

  /// What is missing from one side to the other; `nil` where nothing is.
  init?(from source: GstVideoInfo, to target: GstVideoInfo) {
    let ranges = unsafe (source.colorimetry.range, target.colorimetry.range)
    let known = [GST_VIDEO_COLOR_RANGE_0_255, GST_VIDEO_COLOR_RANGE_16_235]
    guard unsafe source.hasLumaOfEightBits, unsafe target.hasLumaOfEightBits,
      unsafe source.colorimetry.matrix == target.colorimetry.matrix, ranges.0 != ranges.1,
      known.contains(ranges.0), known.contains(ranges.1)
    else { return nil }
    let isToFull = ranges.1 == GST_VIDEO_COLOR_RANGE_0_255
    let (lumaStep, chromaStep) = (219.0 / 255, 224.0 / 255)
    for value in stride(from: 0.0, through: 255, by: 1) {
      luma.append(Self.byte(isToFull ? (value - 16) / lumaStep : value * lumaStep + 16))
      let difference = value - 128
      chroma.append(
        Self.byte(128 + (isToFull ? difference / chromaStep : difference * chromaStep)))
    }
  }

  /// What a converter is given of frames for which something may be missing.
  static func entering(
    _ source: GstVideoInfo, to target: GstVideoInfo, by range: RangeConversion?
  ) -> GstVideoInfo {
    var info = unsafe source
    if range != nil { unsafe info.colorimetry.range = target.colorimetry.range }
    return unsafe info
  }

  private static func byte(_ value: Double) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }

  /// A copy of a frame with the other values; `nil` where memory can't be mapped.
  func converted(_ buffer: borrowing Buffer, of info: GstVideoInfo) -> Buffer? {
    var info = unsafe info
    let result = Buffer(size: unsafe Int(info.size))
    var (from, to) = unsafe (GstVideoFrame(), GstVideoFrame())
    guard unsafe gst_video_frame_map(&from, &info, buffer.raw, GST_MAP_READ) != 0 else {
      return nil
    }
    defer { unsafe gst_video_frame_unmap(&from) }
    let access = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
    guard unsafe gst_video_frame_map(&to, &info, result.raw, access) != 0 else { return nil }
    unsafe gst_video_frame_copy(&to, &from)
    for component in 0..<3 { unsafe to.replace(component, by: component == 0 ? luma : chroma) }
    unsafe gst_video_frame_unmap(&to)
    return result
  }
}

/// The colour around a picture in frames of full range. GStreamer's converter (1.22) adds the luma of
/// limited range's black to it, whatever the range is.
@safe struct FullRangeBorder {
  private let values: [UInt8]

  /// A colour, as `0xaarrggbb`; `nil` for frames in which the converter is right.
  init?(_ argb: UInt32, in target: GstVideoInfo) {
    guard unsafe target.hasLumaOfEightBits,
      unsafe target.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255
    else { return nil }
    let parts = [16, 8, 0, 24].map { Double(argb >> $0 & 0xff) }
    var (red, blue) = (0.0, 0.0)
    unsafe gst_video_color_matrix_get_Kr_Kb(target.colorimetry.matrix, &red, &blue)
    let luma = red * parts[0] + (1 - red - blue) * parts[1] + blue * parts[2]
    values = [
      luma, (parts[2] - luma) / (2 - 2 * blue) + 128, (parts[0] - luma) / (2 - 2 * red) + 128,
      parts[3],
    ].map { UInt8(max(0, min(255, $0.rounded()))) }
  }

  /// Gives all of a frame the colour.
  func fill(_ frame: GstVideoFrame) {
    for (component, value) in values.enumerated() {
      unsafe frame.fill(component, with: value)
    }
  }
}

extension GstVideoFrame {
  /// Puts what a table of 256 has for each value of a component in its place.
  fileprivate func replace(_ component: Int, by table: [UInt8]) {
    unsafe table.withUnsafeBufferPointer { table in
      unsafe eachRow(of: component) { row, count, step in
        var value = unsafe row
        for _ in 0..<count {
          unsafe value.pointee = table[Int(value.pointee)]
          unsafe value += step
        }
      }
    }
  }

  /// Gives all of a component a value.
  fileprivate func fill(_ component: Int, with value: UInt8) {
    unsafe eachRow(of: component) { row, count, step in
      if step == 1 { return unsafe row.update(repeating: value, count: count) }
      for index in 0..<count { unsafe row[index * step] = value }
    }
  }

  /// Calls `body` with the first value, the count of values and the bytes from one to the next of each row of
  /// a component: of luma, of the chroma of blue and of red, or of alpha. A format may have fewer.
  private func eachRow(
    of component: Int, _ body: (UnsafeMutablePointer<UInt8>, _ count: Int, _ step: Int) -> Void
  ) {
    guard let format = unsafe info.finfo?.pointee, unsafe component < Int(format.n_components),
      case let plane = unsafe Int(Self.value(component, of: format.plane)),
      let data = unsafe Self.value(plane, of: self.data)
    else { return }
    let start =
      unsafe data.assumingMemoryBound(to: UInt8.self)
      + Int(Self.value(component, of: format.poffset))
    let step = unsafe Int(Self.value(component, of: format.pixel_stride))
    let stride = unsafe Int(Self.value(plane, of: info.stride))
    let width = unsafe -(-Int(info.width) >> Int(Self.value(component, of: format.w_sub)))
    let height = unsafe -(-Int(info.height) >> Int(Self.value(component, of: format.h_sub)))
    for row in 0..<height { unsafe body(start + row * stride, width, step) }
  }

  /// An element of an array of four in C.
  private static func value<Element>(
    _ index: Int, of four: (Element, Element, Element, Element)
  ) -> Element {
    switch index {
    case 0: four.0
    case 1: four.1
    case 2: four.2
    default: four.3
    }
  }
}

extension GstVideoInfo {
  /// Whether it has luma, alone or with chroma, of eight bits.
  fileprivate var hasLumaOfEightBits: Bool {
    guard let format = unsafe finfo?.pointee else { return false }
    let kinds = GST_VIDEO_FORMAT_FLAG_YUV.rawValue | GST_VIDEO_FORMAT_FLAG_GRAY.rawValue
    return unsafe format.flags.rawValue & kinds != 0 && format.depth.0 == 8 && format.bits == 8
  }
}
