import GraphKit

/// The bit rate that a frame size asks for, where a graph gives none: 4 bits a second per pixel
/// below 640x480 and 10 from there on, as AVFoundation's samples do.
func defaultBitRate(width: Int?, height: Int?) -> Int {
  let pixels = (width ?? 1280) * (height ?? 720)
  return max(64_000, pixels * (pixels < 640 * 480 ? 4 : 10))
}

/// How fast an encoder works, and how well.
public enum EncoderPreset: String, CaseIterable, Sendable {
  case ultrafast, superfast, veryfast, faster, fast, medium, slow, slower, veryslow
}

extension NodeError {
  /// Why no encoder of 4:2:0 video takes a size; `nil` where one does, or the size isn't known.
  static func size(of format: FormatConstraint?) -> NodeError? {
    // Below, neither x264 nor x265 takes part.
    let minimum = 16
    guard let width = format?.width, let height = format?.height else { return nil }
    let size = "\(width)x\(height)"
    func even(_ length: Int) -> Int { max(minimum, length - length % 2) }
    let remedy =
      "make them \(even(width))x\(even(height)), where they come from or with a "
      + "`videoConvert` that sets `width` and `height`"
    if width % 2 != 0 || height % 2 != 0 {
      return NodeError(
        "frames of \(size) enter, and it takes only even widths and heights", remedy: remedy)
    }
    guard width < minimum || height < minimum else { return nil }
    return NodeError(
      "frames of \(size) enter, and it takes none below \(minimum)x\(minimum)", remedy: remedy)
  }

  /// Why an encoder takes no frames of a size, odd or even; `nil` where it does, or the size isn't
  /// known.
  static func size(of format: FormatConstraint?, within lengths: ClosedRange<Int>) -> NodeError? {
    guard let width = format?.width, let height = format?.height,
      !lengths.contains(width) || !lengths.contains(height)
    else { return nil }
    let (least, most) = (lengths.lowerBound, lengths.upperBound)
    return NodeError(
      "frames of \(width)x\(height) enter, and it takes those of \(least)x\(least) to "
        + "\(most)x\(most)",
      remedy: "scale them where they come from, or with a `videoConvert` that sets `width` and "
        + "`height`")
  }

  static let bitRateAndQuality = NodeError(
    "both `bitRate` and `quality` are given", remedy: "give one of them", key: "quality")
}

extension [String: String] {
  /// Has an encoder of libvpx or libaom keep to one quantizer, where there is one: their modes of
  /// constant quality have none that the elements (1.22) set.
  mutating func setQuantizer(_ quantizer: Int?) {
    guard let quantizer else { return }
    self["min-quantizer"] = "\(quantizer)"
    self["max-quantizer"] = "\(quantizer)"
  }
}

extension String {
  /// How long libvpx may think about a frame, in microseconds: 1 is its mode for live video, and more
  /// than the frame lasts that of good quality. Its own name for that is a second, which those of time
  /// lapses and of slides last longer than.
  static func vpxDeadline(isRealtime: Bool) -> String { isRealtime ? "1" : "2000000000" }
}
