extension MediaFormat {
  /// The size of frames, in pixels, of raw and of encoded video; `nil` of what has none, or doesn't say.
  package var frameSize: (width: Int, height: Int)? {
    switch self {
    case .video(let video): (video.width, video.height)
    case .encoded(let encoded):
      encoded.width.flatMap { width in encoded.height.map { (width, $0) } }
    case .other(let caps):
      CapsStructure.all(in: caps)?.first.flatMap { structure in
        structure.integer("width").flatMap { width in
          structure.integer("height").map { (width, $0) }
        }
      }
    default: nil
    }
  }

  /// Frames a second, of the same.
  package var frameRate: Rational? {
    switch self {
    case .video(let video): video.frameRate
    case .encoded(let encoded): encoded.frameRate
    case .other(let caps): CapsStructure.all(in: caps)?.first?.fraction("framerate")
    default: nil
    }
  }
}
