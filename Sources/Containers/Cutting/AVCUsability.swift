/// What a parameter set of H.264 says beside how its frames are coded: how they are shown, and what a
/// decoder has to hold (the video usability information of ITU-T H.264, E.1.1).
struct AVCUsability: Hashable, Sendable {
  /// After how many bits of the set's contents the numbers of the colours are; `nil` for none.
  private(set) var colors: Int?
  /// How many frames at most come before one that is presented earlier; `nil` where it isn't said.
  private(set) var reorderedFrames: Int?

  init(_ bits: inout BitReader) {
    if bits.readFlag(), bits.read(8) == 255 { bits.skip(32) }
    if bits.readFlag() { bits.skip(1) }
    if bits.readFlag() {
      bits.skip(4)
      if bits.readFlag() {
        colors = bits.position
        bits.skip(24)
      }
    }
    if bits.readFlag() { for _ in 0..<2 { _ = bits.readExponential() } }
    if bits.readFlag() { bits.skip(65) }
    Self.skipBuffers(&bits)
    bits.skip(1)
    reorderedFrames = Self.reorderedFrames(&bits)
  }

  /// What is said of the buffers of a receiver (E.1.2).
  private static func skipBuffers(_ bits: inout BitReader) {
    var isAny = false
    for _ in 0..<2 where bits.readFlag() {
      isAny = true
      let count = bits.readExponential()
      bits.skip(8)
      for _ in 0...min(count, 31) {
        for _ in 0..<2 { _ = bits.readExponential() }
        bits.skip(1)
      }
      bits.skip(20)
    }
    if isAny { bits.skip(1) }
  }

  private static func reorderedFrames(_ bits: inout BitReader) -> Int? {
    guard bits.readFlag() else { return nil }
    bits.skip(1)
    for _ in 0..<4 { _ = bits.readExponential() }
    let count = bits.readExponential()
    return bits.isExhausted || count > 16 ? nil : count
  }
}
