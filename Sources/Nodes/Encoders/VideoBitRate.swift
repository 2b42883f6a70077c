import GraphKit

/// The bit rate that a picture size asks for, where a graph gives none: 4 bits a second per pixel
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
  static let bitRateAndQuality = NodeError(
    "both `bitRate` and `quality` are given", remedy: "give one of them", key: "quality")
}
