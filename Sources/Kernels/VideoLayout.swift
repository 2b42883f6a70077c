/// Where the planes of a frame start, and how far apart their rows are, in bytes. Four at most, as
/// in `GstVideoInfo`; held inline, since one is read for every frame.
package struct VideoLayout: Hashable, Sendable {
  package var planeCount: Int
  package var offsets: SIMD4<Int>
  package var strides: SIMD4<Int>

  package init(planeCount: Int, offsets: SIMD4<Int>, strides: SIMD4<Int>) {
    self.planeCount = planeCount
    self.offsets = offsets
    self.strides = strides
  }
}
