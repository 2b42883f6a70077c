import GStreamer

/// Scales frames, and changes their pixel format, with GStreamer's own converter.
///
/// It has state of its own, so one thread at a time may use it, as a node's calls do.
public struct PictureConverter: Sendable {
  /// How pixels of a scaled frame are made.
  public enum Method: String, CaseIterable, Sendable {
    case nearest, linear, cubic, lanczos
  }

  private let conversion: PictureConversion

  /// A converter of frames.
  /// - Parameters:
  ///   - from: what enters.
  ///   - to: what leaves.
  ///   - part: the part of a frame that is taken; all of it where none is named.
  ///   - place: where it goes in the frame that leaves; all of that where none is named.
  ///   - border: what is around the place, as `0xaarrggbb`; `nil` leaves what there is.
  ///   - method: how pixels are made.
  public init(
    from: FormatDescription, to: FormatDescription, part: PictureRect? = nil,
    place: PictureRect? = nil, border: UInt32? = 0xff00_0000, method: Method = .linear
  ) throws(NodeError) {
    var options = [
      "resampler-method": "(GstVideoResamplerMethod)\(method.rawValue)",
      "chroma-resampler-method": "(GstVideoResamplerMethod)linear",
    ]
    options.merge(Self.options("src", part)) { $1 }
    options.merge(Self.options("dest", place)) { $1 }
    guard
      let made = PictureConversion(
        from: from.caps, to: to.caps, border: border, options: options)
    else {
      throw NodeError(
        "\(from) can't be converted to \(to)", remedy: "put a videoConvert before it", key: "in")
    }
    conversion = made
  }

  /// Whether the fields of interlaced frames stay apart where a part of them is scaled into a place: there
  /// are enough rows for each, or as many as there were.
  public static func keepsFields(from part: PictureRect, to place: PictureRect) -> Bool {
    (part.y, part.height) == (place.y, place.height)
      || [part.y, part.height, place.y, place.height].allSatisfy { $0 % 4 == 0 }
  }

  private static func options(_ side: String, _ rect: PictureRect?) -> [String: String] {
    guard let rect else { return [:] }
    return [
      "\(side)-x": "(int)\(rect.x)", "\(side)-y": "(int)\(rect.y)",
      "\(side)-width": "(int)\(rect.width)", "\(side)-height": "(int)\(rect.height)",
    ]
  }

  /// Makes the pixels of a frame of the format that leaves from a frame of the one that enters.
  public func convert(
    _ picture: borrowing SampleBuffer, into frame: inout SampleBuffer
  ) throws(NodeError) {
    guard conversion.run(picture.buffer, into: &frame.buffer) else { throw .unmappable }
  }
}
