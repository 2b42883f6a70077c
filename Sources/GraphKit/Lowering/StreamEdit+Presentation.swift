import GStreamer

/// Streams of which a file has a part presented.
extension StreamEdit {
  /// Presents what passes a pad as the edit says.
  func apply(to pad: Pad) {
    if hasRoundedEnd { pad.shortenSegments(by: quarterSample) }
    if !keepsSegments { pad.present(presentation) }
  }

  /// What is presented to a file that takes in the packets before it, too.
  var leadPresentation: Presentation {
    // Rounded down, as demuxers do: a key frame from before its segment would be left out.
    let first = keyFrame?.nanoseconds(rounding: .towardNegativeInfinity) ?? 0
    return Presentation(
      start: UInt64(max(0, first)), stop: nil, delay: delay.clock ?? 0, end: nil)
  }

  /// How far inside of their first sample the segments of the edited stream begin, in nanoseconds.
  var inset: UInt64 {
    guard !keepsSegments else { return 0 }
    let first = (origin ?? start).clock ?? 0
    return presentation.start - min(first, presentation.start)
  }

  /// The time of the stream at which no sample begins any more, where that is left to the edit.
  var lastStart: UInt64? { keepsSegments ? nil : presentation.end }

  private var presentation: Presentation {
    if keyFrame != nil { return picturePresentation }
    if let origin {
      return Presentation(start: origin.clock ?? 0, stop: nil, delay: 0, end: nil)
    }
    let quarter = quarterSample
    let (first, end) = (start.clock ?? 0, end.flatMap(\.clock))
    return Presentation(
      start: first > 0 ? first + quarter : 0,
      stop: cutsLastPacket ? end.map { $0 - min($0, quarter) } : nil,
      delay: delay.clock ?? 0,
      // A packet that begins there may be said to begin a nanosecond earlier.
      end: end.map { $0 - min($0, quarter) })
  }

  /// A quarter of a sample, in nanoseconds: so far inside of what is presented, neither rounding makes
  /// it one sample more or less.
  private var quarterSample: UInt64 { 250_000_000 / UInt64(max(start.timescale, 1)) }

  /// A frame is shown whole, and one that is presented after the end may be needed to decode
  /// another from before it: so decoders cut.
  private var picturePresentation: Presentation {
    // Inside by more than rounding can make, or there would be a frame of a nanosecond.
    Presentation(
      start: (start.clock ?? 0) + 2, stop: end.flatMap(\.clock), delay: delay.clock ?? 0, end: nil)
  }
}
