/// The shape of a frame: its width to its height, as `16:9` or `1:1`.
struct AspectRatio: Hashable, Sendable {
  var width: Int
  var height: Int

  /// A shape from text; `nil` where the text is none.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      (1...10_000).contains(width), (1...10_000).contains(height)
    else { return nil }
    (self.width, self.height) = (width, height)
  }

  /// The largest size of this shape within another, rounded down to even pixels, which most
  /// encoders ask for; at least one pixel each way.
  func largest(within size: (width: Int, height: Int)) -> (width: Int, height: Int) {
    let isWider = size.width * height > size.height * width
    let largest =
      isWider
      ? (size.height * width / height, size.height) : (size.width, size.width * height / width)
    return (even(largest.0), even(largest.1))
  }

  private func even(_ side: Int) -> Int { side > 1 ? side / 2 * 2 : 1 }
}
