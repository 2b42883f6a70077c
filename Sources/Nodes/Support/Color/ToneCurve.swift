import GraphKit
import Glibc

/// High dynamic range brought down to what a display of standard range shows: a function from
/// colour to colour.
///
/// The light of each colour is reckoned in units of ``white``, brought to the primaries of BT.709,
/// and lowered by the curve of John Hable ("Uncharted 2: HDR Lighting", GDC 2010), which gives 1 for
/// ``peak``. All channels are lowered alike, so that hues stay. The result is encoded as a display
/// after BT.1886 shows it.
struct ToneCurve: Sendable {
  /// A colour's three channels.
  typealias Channels = SIMD3<Double>

  private let transfer: ToneMap.Transfer
  /// Whether the primaries are those of BT.2020; those of BT.709 otherwise.
  private let hasWidePrimaries: Bool
  /// The light that becomes white, in units of ``white``.
  private let peak: Double
  /// The light of 1, in cd/m².
  private let white: Double

  /// A curve; both lights are in cd/m².
  init(_ transfer: ToneMap.Transfer, hasWidePrimaries: Bool, peak: Double, white: Double) {
    (self.transfer, self.hasWidePrimaries) = (transfer, hasWidePrimaries)
    (self.peak, self.white) = (max(peak, white) / white, white)
  }

  /// What a colour becomes, both from 0 to 1 with their transfer functions.
  func callAsFunction(_ color: Channels) -> Channels {
    let light = narrowed(light(color.clamped(lowerBound: .zero, upperBound: .one)))
    let brightest = max(light.max(), 1e-6)
    let lowered = light * (Self.hable(brightest) / Self.hable(peak) / brightest)
    return Self.each(lowered.clamped(lowerBound: .zero, upperBound: .one)) { pow($0, 1 / 2.4) }
  }

  /// The light of a colour in units of ``white``.
  private func light(_ color: Channels) -> Channels {
    switch transfer {
    case .pq: Self.each(color, Self.pqLight) * (10_000 / white)
    case .hlg: Self.hlgLight(color) * (1_000 / white)
    }
  }

  /// The electro-optical transfer function of SMPTE ST 2084: 1 is 10,000 cd/m².
  private static func pqLight(_ value: Double) -> Double {
    let (m1, m2) = (2_610.0 / 16_384, 2_523.0 / 4_096 * 128)
    let (c1, c2, c3) = (3_424.0 / 4_096, 2_413.0 / 4_096 * 32, 2_392.0 / 4_096 * 32)
    let root = pow(value, 1 / m2)
    return pow(max(root - c1, 0) / (c2 - c3 * root), 1 / m1)
  }

  /// The light of hybrid log-gamma on a display of 1,000 cd/m², whose system gamma is 1.2
  /// (ITU-R BT.2100, table 5).
  private static func hlgLight(_ color: Channels) -> Channels {
    let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
    let scene = each(color) { $0 <= 0.5 ? $0 * $0 / 3 : (exp(($0 - c) / a) + b) / 12 }
    let luminance = (scene * Channels(0.2627, 0.6780, 0.0593)).sum()
    return luminance > 0 ? scene * pow(luminance, 0.2) : .zero
  }

  /// The light in the primaries of BT.709 (ITU-R BT.2407, annex 2); channels may be below 0.
  private func narrowed(_ light: Channels) -> Channels {
    guard hasWidePrimaries else { return light }
    return Channels(
      (light * Channels(1.660491, -0.587641, -0.072850)).sum(),
      (light * Channels(-0.124550, 1.132900, -0.008349)).sum(),
      (light * Channels(-0.018151, -0.100579, 1.118730)).sum())
  }

  private static func hable(_ light: Double) -> Double {
    let (a, b, c, d, e, f) = (0.15, 0.50, 0.10, 0.20, 0.02, 0.30)
    return (light * (light * a + b * c) + d * e) / (light * (light * a + b) + d * f) - e / f
  }

  private static func each(_ channels: Channels, _ function: (Double) -> Double) -> Channels {
    Channels(function(channels.x), function(channels.y), function(channels.z))
  }
}
