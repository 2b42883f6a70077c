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
  /// The bits of a sample of audio that was encoded without loss, where they are known: what is decoded
  /// has as many.
  public var bitDepth: Int?
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

extension FormatConstraint {
  /// The same, of frames that are turned.
  public func turned(_ orientation: FrameOrientation) -> FormatConstraint {
    guard orientation.transposes else { return self }
    var turned = self
    (turned.width, turned.height) = (height, width)
    return turned
  }

  /// The same, of frames that are turned as their file says.
  public var upright: FormatConstraint {
    guard let rotation else { return self }
    var upright = turned(rotation.orientation)
    upright.rotation = Rotation.none
    return upright
  }
}

extension Rotation {
  /// The same, as it is done to pixels.
  public var orientation: FrameOrientation {
    switch self {
    case .none: .none
    case .rotate90: .clockwise
    case .rotate180: .upsideDown
    case .rotate270: .counterclockwise
    case .mirror: FrameOrientation(reversesColumns: true)
    case .mirrorRotate90:
      FrameOrientation(transposes: true, reversesColumns: true, reversesRows: true)
    case .mirrorRotate180: FrameOrientation(reversesRows: true)
    case .mirrorRotate270: FrameOrientation(transposes: true)
    }
  }
}

extension FormatConstraint: CustomStringConvertible {
  /// The constraint as a person says it: `raw video I420 or NV12, 1280x720 at 30/s`.
  public var description: String {
    ([subject] + audioWords + [picture].compactMap { $0 }).joined(separator: ", ")
  }

  private var subject: String {
    if !codecs.isEmpty { return FormatWords.either(codecs.map(\.spoken)) }
    let formats = sampleFormats.map(\.rawValue) + pixelFormats.map(\.spoken)
    return [kind.spoken, FormatWords.either(formats), FormatWords.either(layouts.map(\.rawValue))]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var audioWords: [String] {
    [
      FormatWords.either(sampleRates.map(FormatWords.sampleRate)),
      FormatWords.either(channels.map(FormatWords.channels)),
    ].filter { !$0.isEmpty }
  }

  private var picture: String? {
    FormatWords.picture(width: width, height: height, frameRate: frameRate)
  }
}

extension FormatConstraint {
  /// Why audio of these channels can't be converted to what `wanted` asks for, where that is known:
  /// GStreamer's converters take at most 63 channels, and mix none where more than 8 enter or
  /// leave, since nothing says which speakers those are.
  public func conversionProblem(to wanted: FormatConstraint) -> NodeError? {
    guard kind == .audio, let count = channels.first, channels.count == 1 else { return nil }
    guard count <= Self.mostConvertedChannels else {
      return NodeError(
        "\(count) channels enter, and a converter takes at most \(Self.mostConvertedChannels)",
        remedy: "give it audio of fewer channels")
    }
    let fitting = wanted.channels
    guard let nearest = fitting.min(by: { abs($0 - count) < abs($1 - count) }),
      !fitting.contains(count), max(count, nearest) > Self.mostMixedChannels
    else { return nil }
    return NodeError(
      "\(count == 1 ? "1 channel enters" : "\(count) channels enter"), which can't be mixed to "
        + "\(nearest): of more than \(Self.mostMixedChannels) nothing says which speakers they are",
      remedy: "give it audio of \(nearest) channel\(nearest == 1 ? "" : "s")")
  }

  private static let mostConvertedChannels = 63
  private static let mostMixedChannels = 8
}
