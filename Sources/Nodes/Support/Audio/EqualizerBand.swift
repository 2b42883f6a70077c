import GraphKit
import Glibc

/// One band of an ``Equalizer``: a filter of second order.
public struct EqualizerBand: ListItem {
  /// What the filter does.
  public enum Shape: String, Hashable, Sendable, CaseIterable {
    /// Lets through what is above the frequency: 12 dB an octave.
    case highPass
    /// Lets through what is below the frequency: 12 dB an octave.
    case lowPass
    /// Raises or lowers what is below the frequency.
    case lowShelf
    /// Raises or lowers what is above the frequency.
    case highShelf
    /// Raises or lowers what is around the frequency.
    case peak
    /// Takes the frequency out.
    case notch
  }

  /// What the filter does.
  public var shape: Shape
  /// Where it does so, in hertz: the middle of a peak, a notch or a shelf's slope, and where a
  /// pass has the gain `q`, which is -3 dB for 0.7071.
  public var frequency: Double
  /// How much a peak or a shelf raises, in decibels.
  public var gain: Double
  /// The quality: the frequency by the bandwidth.
  public var q: Double

  /// A band; without `q` 1 for a peak or a notch, and 0.7071 else.
  public init(_ shape: Shape, frequency: Double, gain: Double = 0, q: Double? = nil) {
    (self.shape, self.frequency, self.gain) = (shape, frequency, gain)
    self.q = q ?? Self.quality(of: shape)
  }

  private static func quality(of shape: Shape) -> Double {
    shape == .peak || shape == .notch ? 1 : 0.5.squareRoot()
  }

  private static let frequencies = 1.0...384_000
  private static let gains = -48.0...48
  private static let qualities = 0.05...100

  public static let kind = ParameterKind.record([
    RecordField(
      "type", .choice(Shape.allCases.map(\.rawValue)), required: true,
      help: "What the band does."),
    RecordField(
      "frequency", .number(frequencies), unit: "Hz", required: true,
      help: "Where it does so; below half of the sampling rate."),
    RecordField(
      "gain", .number(gains), unit: "dB", help: "How much a peak or a shelf raises; 0 if not given."
    ),
    RecordField(
      "q", .number(qualities),
      help: "The frequency by the bandwidth; 1 for peak and notch, else 0.7071, if not given."),
  ])

  public init?(json: JSONValue) {
    guard case .object(let fields) = json,
      case .string(let word)? = fields["type"], let shape = Shape(rawValue: word),
      case .number(let frequency)? = fields["frequency"], Self.frequencies.contains(frequency),
      fields.keys.allSatisfy({ ["type", "frequency", "gain", "q"].contains($0) }),
      let gain = Self.number(fields["gain"], in: Self.gains, or: 0),
      let q = Self.number(fields["q"], in: Self.qualities, or: Self.quality(of: shape))
    else { return nil }
    self.init(shape, frequency: frequency, gain: gain, q: q)
  }

  private static func number(
    _ value: JSONValue?, in range: ClosedRange<Double>, or standard: Double
  ) -> Double? {
    guard let value else { return standard }
    guard case .number(let number) = value, range.contains(number) else { return nil }
    return number
  }

  public var json: JSONValue {
    .object([
      "type": .string(shape.rawValue), "frequency": .number(frequency), "gain": .number(gain),
      "q": .number(q),
    ])
  }
}
