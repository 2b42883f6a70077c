/// Frames for a node whose frames leave in another size than they enter: a pool of them, with all
/// that is known of the frames but their size.
public struct ReshapedFrames: Sendable {
  /// What leaves.
  public let format: FormatDescription
  /// The same, of raw video.
  public let video: VideoFormat
  private let pool: PixelBufferPool
  private let keepsFields: Bool

  /// Frames in the format of those that enter, in another size. `transposes` says that rows have
  /// become columns, and so pixels that are no squares lie on their side; `keepsFields`, that each row
  /// comes of rows of one field. Others have none, and neither have those of a height in which rows of
  /// chroma can't be divided among two.
  public init(
    of entering: FormatDescription, width: Int, height: Int, transposes: Bool = false,
    keepsFields: Bool = false
  ) throws(NodeError) {
    guard case .video(var video) = entering.format else {
      throw NodeError("\(entering) is not raw video", remedy: "wire raw video here")
    }
    (video.width, video.height) = (width, height)
    if transposes, let shape = video.pixelAspectRatio {
      video.pixelAspectRatio = Rational(shape.denominator, over: shape.numerator)
    }
    self.video = video
    self.keepsFields = keepsFields
    var caps = entering.capsText.replacing(field: "width", with: "\(width)")
      .replacing(field: "height", with: "\(height)")
    if transposes { caps = caps.turningPixels }
    let rows = 2 * video.pixelFormat.subsampling.down
    if !keepsFields || height % rows != 0 { caps = caps.withoutFields }
    format = try FormatDescription(capsText: caps)
    pool = PixelBufferPool(format, video)
  }

  /// A frame with undefined pixels and the times of another, and what that has as fields where they are
  /// kept.
  public func take(like sample: borrowing SampleBuffer) throws -> SampleBuffer {
    var frame = try pool.take()
    frame.presentationTime = sample.presentationTime
    frame.decodeTime = sample.decodeTime
    frame.duration = sample.duration
    frame.isDiscontinuity = sample.isDiscontinuity
    if keepsFields { frame.buffer.copyFields(of: sample.buffer, isShifted: false) }
    return frame
  }

  /// The same for rows that stay as they are, from one of the other's on: what that has as fields, it has.
  public func take(like sample: borrowing SampleBuffer, fromRow row: Int) throws -> SampleBuffer {
    var frame = try take(like: sample)
    frame.buffer.copyFields(of: sample.buffer, isShifted: row % 2 != 0)
    return frame
  }
}

extension FormatDescription {
  /// The same frames at another rate; `nil` for one that varies.
  public func withFrameRate(_ rate: Rational?) throws(NodeError) -> FormatDescription {
    let text = "\(rate?.numerator ?? 0)/\(rate?.denominator ?? 1)"
    return try FormatDescription(capsText: capsText.replacing(field: "framerate", with: text))
  }
}

extension String {
  /// Caps with another number in a field of theirs.
  fileprivate func replacing(field: String, with number: String) -> String {
    guard let range = range(ofField: field) else { return self }
    return String(self[..<range.lowerBound]) + number + String(self[range.upperBound...])
  }

  /// Caps of whole frames.
  fileprivate var withoutFields: String {
    let whole = replacing(field: "interlace-mode", with: "progressive")
    guard let range = whole.range(ofField: "field-order"),
      let start = whole[..<range.lowerBound].lastIndex(of: ",")
    else { return whole }
    return String(whole[..<start] + whole[range.upperBound...])
  }

  /// Caps whose pixels' width and height are exchanged.
  fileprivate var turningPixels: String {
    guard let range = range(ofField: "pixel-aspect-ratio") else { return self }
    let parts = self[range].split(separator: "/")
    guard parts.count == 2 else { return self }
    return String(self[..<range.lowerBound]) + "\(parts[1])/\(parts[0])"
      + String(self[range.upperBound...])
  }

  /// The range of a field's value, without its type.
  private func range(ofField field: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex(of: ",") ?? endIndex
      let name = self[start..<end].firstIndex { $0 != " " } ?? end
      if self[name..<end].hasPrefix(field + "=("), let type = self[name..<end].firstIndex(of: ")") {
        return index(after: type)..<end
      }
      start = end < endIndex ? index(after: end) : endIndex
    }
    return nil
  }
}
