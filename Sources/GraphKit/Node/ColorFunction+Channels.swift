extension ColorFunction {
  /// What becomes of a gray, from 0 to 255, in each channel; `nil` where a channel depends on another.
  ///
  /// It is asked for many colours: each channel has to be what it is in a gray of the same value.
  var channelCurves: ((Double) -> SIMD3<Double>)? {
    let tolerance = SIMD3(repeating: 0.1 / 255)
    for probe in Self.probes {
      let alone = SIMD3(
        color(RGB(repeating: probe.x)).x, color(RGB(repeating: probe.y)).y,
        color(RGB(repeating: probe.z)).z)
      let difference = SIMD3<Double>(color(probe)) - SIMD3<Double>(alone)
      // Written so that what isn't a number isn't near.
      guard all(difference .<= tolerance .& (difference .>= -tolerance)) else { return nil }
    }
    return { self.limited(color(RGB(repeating: Float($0 / 255)))) }
  }
}
