import Kernels

extension MutableBufferMap {
  /// Changes every colour of a frame in place; `false` where it isn't all there.
  package mutating func apply(
    _ change: ColorChange, to layout: VideoLayout, as colors: ColorLayout, width: Int, height: Int
  ) -> Bool {
    let memory = unsafe PictureMemory(start: bytes(at: 0), size: size, layout: layout)
    return change.run(from: memory, to: memory, as: colors, width: width, height: height)
  }

  /// Fills a frame with another one whose every colour is changed; `false`, and no change, where
  /// they aren't all there.
  package mutating func apply(
    _ change: ColorChange, to layout: VideoLayout, from source: borrowing BufferMap,
    _ sourceLayout: VideoLayout, as colors: ColorLayout, width: Int, height: Int
  ) -> Bool {
    let target = unsafe PictureMemory(start: bytes(at: 0), size: size, layout: layout)
    let source = unsafe PictureMemory(
      start: UnsafeMutablePointer(mutating: source.bytes), size: source.size,
      layout: sourceLayout)
    return change.run(from: source, to: target, as: colors, width: width, height: height)
  }
}
