import GraphKit

/// What the bytes of a plane are.
struct PlaneContent: Hashable, Sendable {
  /// What the bytes of one of the plane's samples hold, in their order: 0...2 for the encoding's
  /// values (luma and the two chroma ones, or red, green and blue), 3 for alpha.
  let channels: [Int]
  /// Pixels of the picture, across and down, that a sample stands for.
  let step: Int

  /// The place of alpha among the channels.
  static let alpha = 3
}

extension PixelFormat {
  /// What the planes of a format are that pictures can be laid over; `nil` of other formats.
  var planeContents: [PlaneContent]? {
    switch self {
    case .i420:
      [
        PlaneContent(channels: [0], step: 1), PlaneContent(channels: [1], step: 2),
        PlaneContent(channels: [2], step: 2),
      ]
    case .nv12:
      [PlaneContent(channels: [0], step: 1), PlaneContent(channels: [1, 2], step: 2)]
    case .bgra: [PlaneContent(channels: [2, 1, 0, 3], step: 1)]
    case .rgba: [PlaneContent(channels: [0, 1, 2, 3], step: 1)]
    case .yuy2, .gray8: nil
    }
  }

  /// The formats that pictures can be laid over.
  static let composable: [PixelFormat] = [.i420, .nv12, .bgra, .rgba]
}

extension VideoFormat {
  /// Refuses a format that pictures can't be laid over.
  func checkComposable(by node: String) throws(NodeError) {
    guard pixelFormat.planeContents == nil else { return }
    throw NodeError(
      "\(node) works on i420, nv12, bgra and rgba, not on \(pixelFormat.rawValue)",
      remedy: "put a videoConvert before it", key: "in")
  }
}
