import GraphKit

/// Gives packets of video the times that they come without, by the distance of those before them.
///
/// The times in a transport stream are some tenths of a second ahead of its clock, and wrap that much
/// sooner. GStreamer's demuxer (1.22) can't tell a wrap from a clock that was set before the clock itself
/// has wrapped, and gives what comes in between no times.
struct UntimedPackets {
  /// The times of the last packet.
  private var last: (presentation: MediaTime, decode: MediaTime)?
  /// How far apart the last two were decoded.
  private var step: MediaTime?
  /// How much time was given since the last packet that had its own.
  private var given = MediaTime.zero

  /// Times are ahead of the clock by less than this (ISO/IEC 13818-1, 2.4.2.6: a second in the decoder's
  /// buffer, but for still pictures).
  private static let longest = MediaTime(value: 2, timescale: 1)

  /// Gives a packet times where it has none; `false` where nothing says which.
  mutating func pass(_ packet: inout SampleBuffer) -> Bool {
    guard !packet.presentationTime.isNumeric else {
      let presentation = packet.presentationTime
      let decode = packet.decodeTime.isNumeric ? packet.decodeTime : presentation
      step = last.map { decode - $0.decode }
      (last, given) = ((presentation, decode), .zero)
      return true
    }
    guard let step, let last, step > .zero, given + step <= Self.longest else { return false }
    given = given + step
    (packet.presentationTime, packet.decodeTime) = (last.presentation + step, last.decode + step)
    self.last = (packet.presentationTime, packet.decodeTime)
    return true
  }
}
