import GraphKit

extension RGB {
  /// How bright a colour looks: luma by the weights of BT.709.
  var luma: Float { 0.2126 * x + 0.7152 * y + 0.0722 * z }

  /// Gray of that brightness.
  var gray: RGB { RGB(repeating: luma) }

  /// The colour limited to what can be shown: for functions that know no more.
  var limited: RGB { clamped(lowerBound: .zero, upperBound: .one) }

  /// A colour between this one and another; beyond them where `fraction` is outside 0...1.
  func mixed(_ other: RGB, _ fraction: Float) -> RGB { self + (other - self) * fraction }

  /// The colour with more or less of what makes it differ from gray.
  func saturated(_ amount: Float) -> RGB { gray.mixed(self, amount) }

  /// The colour with more contrast in the middle tones and less at the ends: each channel by
  /// `v + k v (1 - v) (2 v - 1)`, which keeps 0, 1/2 and 1. `k` from -1 to 1.
  func curved(_ k: Float) -> RGB {
    let value = limited
    return value + k * value * (1 - value) * (2 * value - 1)
  }

  /// The colour with black and white moved to other values, the rest in between.
  func leveled(_ black: RGB, _ white: RGB) -> RGB { black + (white - black) * self }

  /// The colour with the middle tones of each channel lifted (above 0) or lowered (below), ends
  /// kept: `v + k v (1 - v)`.
  func lifted(_ k: RGB) -> RGB {
    let value = limited
    return value + k * value * (1 - value)
  }
}
