/// What a port or a wire accepts: a media kind, and for each field the values that will do.
///
/// An empty list or `nil` says that any value will do. Two constraints that meet on a wire
/// are intersected; where nothing is left, ``intersection(_:)`` says which field is to blame.
public struct FormatConstraint: Hashable, Sendable, Codable {
  /// The kind of media.
  public var kind: MediaKind
  /// Codecs of encoded media, best first; empty for any.
  public var codecs: [Codec] = []
  /// PCM sample formats, best first; empty for any.
  public var sampleFormats: [SampleFormat] = []
  /// PCM channel layouts, best first; empty for any.
  public var layouts: [ChannelLayout] = []
  /// Samples a second, best first; empty for any.
  public var sampleRates: [Int] = []
  /// Channel counts, best first; empty for any.
  public var channels: [Int] = []
  /// Pixel formats, best first; empty for any.
  public var pixelFormats: [PixelFormat] = []
  /// Width in pixels.
  public var width: Int?
  /// Height in pixels.
  public var height: Int?
  /// Frames a second.
  public var frameRate: Rational?
  /// By how much frames are to be turned to be upright, where that is known.
  public var rotation: Rotation?
  /// The caps of encoded media in a format that ``Codec`` doesn't have, where they are known.
  public var otherCaps: String?

  /// Any media of a kind.
  public init(_ kind: MediaKind) { self.kind = kind }

  /// Raw audio.
  public static func audio(
    _ sampleFormats: [SampleFormat] = [], layouts: [ChannelLayout] = [], sampleRates: [Int] = [],
    channels: [Int] = []
  ) -> FormatConstraint {
    var constraint = FormatConstraint(.audio)
    constraint.sampleFormats = sampleFormats
    constraint.layouts = layouts
    constraint.sampleRates = sampleRates
    constraint.channels = channels
    return constraint
  }

  /// Raw video.
  public static func video(
    _ pixelFormats: [PixelFormat] = [], width: Int? = nil, height: Int? = nil,
    frameRate: Rational? = nil
  ) -> FormatConstraint {
    var constraint = FormatConstraint(.video)
    constraint.pixelFormats = pixelFormats
    constraint.width = width
    constraint.height = height
    constraint.frameRate = frameRate
    return constraint
  }

  /// Encoded media of one of some codecs of the same kind; at least one.
  public static func encoded(_ codecs: Codec...) -> FormatConstraint {
    var constraint = FormatConstraint(codecs.first?.kind ?? .any)
    constraint.codecs = codecs
    return constraint
  }
}

/// Why two constraints have nothing in common: the field, and what each side says of it.
public struct FormatConflict: Error, Hashable, Sendable {
  /// The field's name, as graph files spell it.
  public var field: String
  /// What the first constraint says.
  public var first: String
  /// What the second constraint says.
  public var second: String

  package init(field: String, first: String, second: String) {
    self.field = field
    self.first = first
    self.second = second
  }
}
