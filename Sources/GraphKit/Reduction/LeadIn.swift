/// What a decoder must have had before a piece of a stream, to give of the piece the very samples
/// that it gives of the whole.
struct LeadIn: Hashable, Sendable {
  /// Packets, at least. One that crosses the border of two pieces counts, too.
  var packets: Int
  /// Bytes of audio, at least, before the last ``settling`` packets; where there are any packets
  /// borrow them.
  var bytes = 0
  /// Packets after those bytes that must be whole already.
  var settling = 0
  /// A decoder begins at a multiple of so many packets after the one where that of the whole does.
  var period = 1
  /// Whether decoders begin anew at each run, on one core as well, as what they give depends on how
  /// they began.
  var restarts = false
  /// Seconds of a run: many beside what leads it in, and few for the memory of the runs that wait.
  var runSeconds = 16
}

extension Codec {
  /// What pieces of a stream need in front, where decoding them apart gives what decoding the whole
  /// gives; `nil` where it doesn't.
  ///
  /// FLAC's frames stand alone, but for the one across the border. MP3's take bits from up to 511
  /// bytes before them (ISO/IEC 11172-3, `main_data_begin`), and overlap with one frame and the
  /// window's 16 steps, which settles within 4. mpg123 goes round its window in 16 steps, and rounds
  /// otherwise at each: 36 or 18 steps a frame are whole rounds after 16 frames at the latest.
  ///
  /// AAC's frames overlap with the one before. Decoders make up the noise that a stream only
  /// describes (ISO/IEC 14496-3, 4.6.13) by a row of numbers that goes on as long as they do; so they
  /// begin anew at each run, and runs are the same on any number of cores.
  var leadIn: LeadIn? {
    switch self {
    case .flac: LeadIn(packets: 1, runSeconds: 8)
    case .mp3: LeadIn(packets: 16, bytes: 511, settling: 4, period: 16)
    case .aac: LeadIn(packets: 2, restarts: true)
    default: nil
    }
  }

  /// The frames of a packet. Where a codec's packets are all alike its duration only tells whether
  /// it is audio at all, as containers round it; none of AAC's packets is anything else, and
  /// Matroska doesn't say how long they are. No packet is longer than FLAC's longest (RFC 9639,
  /// 9.1.1): after one of a damaged file that says so, all others would be years late.
  func frames(of duration: MediaTime, at rate: Int) -> Int {
    let stated = duration.isNumeric ? min(duration.frames(at: rate), 65_536) : 0
    guard let alike = framesOfPacket(at: rate) else { return stated }
    return stated > 0 || self == .aac ? alike : 0
  }

  /// The frames of a packet, which FLAC's says itself: a parser may give all the length of the first.
  func frames(of packet: borrowing SampleBuffer, at rate: Int) -> Int {
    if self == .flac, let frame = packet.flacFrame { return frame.blockSize }
    return frames(of: packet.duration, at: rate)
  }

  /// The frames of a run of packets: a decoder's way from one run to the next is shortest where runs
  /// begin at its period. No packet is longer than a run, so that none spans a whole one.
  func runLength(_ leadIn: LeadIn, at rate: Int) -> Int {
    let frames = leadIn.runSeconds * rate
    guard let packet = framesOfPacket(at: rate) else { return max(frames, 65_536) }
    let unit = leadIn.period * packet
    return max(1, frames / unit) * unit
  }

  /// MPEG-1 has 1,152 frames a packet (ISO/IEC 11172-3), the lower rates of MPEG-2 half as many,
  /// and AAC 1,024.
  private func framesOfPacket(at rate: Int) -> Int? {
    switch self {
    case .mp3: rate >= 32_000 ? 1_152 : 576
    case .aac: 1_024
    default: nil
    }
  }
}

extension FormatConstraint {
  /// What pieces of a stream need in front; `nil` where it may be of several codecs, or has none.
  /// FLAC's seven and eight channels are libav's to decode, whose pieces aren't the whole.
  var leadIn: LeadIn? {
    guard codecs.count == 1, codecs[0] != .flac || channels.max() ?? 0 <= 6 else { return nil }
    return codecs[0].leadIn
  }
}
