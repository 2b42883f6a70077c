import Glibc

/// A level in decibels as a factor.
func factor(decibels: Double) -> Double { pow(10, decibels / 20) }

/// A factor as a level in decibels.
func decibels(factor: Double) -> Double { 20 * log10(factor) }

/// What is left of a distance after one frame, where a time in milliseconds takes away 63 % of it.
func decay(milliseconds: Double, sampleRate: Int) -> Double {
  exp(-1000 / (milliseconds * Double(sampleRate)))
}
