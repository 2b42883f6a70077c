import Glibc

/// How a thread computes with floating-point numbers.
package enum FloatingPointMode {
  /// Does what may load libraries, and has the thread compute afterwards as before.
  ///
  /// A library that is linked with `-ffast-math`, as SoundTouch is, has the thread that loads it take
  /// all numbers below the normal ones for zero, and so every thread that this one starts: text such
  /// as `5e-324` would be read as 0 from then on, on some threads and not on others.
  package static func kept<Result>(_ body: () throws -> Result) rethrows -> Result {
    var mode = fenv_t()
    unsafe fegetenv(&mode)
    defer { unsafe fesetenv(&mode) }
    return try body()
  }
}
