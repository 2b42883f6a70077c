/// Bytes of audio that a decoder has which began with some frame.
struct BitReservoir {
  private var count = 0

  /// Takes the next packet; one that borrows what isn't there becomes silence.
  ///
  /// mpg123 makes silence of it, too, but of MPEG-2 not of all its bits, and then gives up on some
  /// frames without a step of its window.
  mutating func fill(from packet: inout SampleBuffer) {
    guard let frame = packet.mp3Frame else { return }
    if frame.mainDataBegin > count {
      packet.withMutableBytes { frame.silence(&$0, borrowing: count) }
    }
    count = min(count + frame.mainDataSize, frame.mostMainDataBegin)
  }
}
