extension Codec {
  /// The frames of a packet. Where a codec's packets are all alike its duration only tells which:
  /// containers round it.
  func frames(of duration: MediaTime, at rate: Int) -> Int {
    let stated = duration.isNumeric ? duration.frames(at: rate) : 0
    return switch self {
    // MPEG-1 has 1,152 (ISO/IEC 11172-3), the lower rates of MPEG-2 half as many. What a file says
    // of itself in a packet of its own is no sound and has no duration.
    case .mp3: stated == 0 ? 0 : rate >= 32_000 ? 1_152 : 576
    case .aac: (1..<992).contains(stated) ? 960 : 1_024
    default: stated
    }
  }

  /// Whether pieces of a stream that are decoded apart give what decoding it whole gives.
  ///
  /// So it is for FLAC, whose frames stand alone; for MP3, whose frames share their bits with at
  /// most 511 bytes before them and overlap by one frame, but for rounding; and, but for the noise
  /// that a decoder makes up itself, for AAC, whose frames overlap by one.
  var canBeDecodedInPieces: Bool { [.flac, .mp3, .aac].contains(self) }

  /// How many bytes of packets a decoder is given before a run: for MP3 enough for the reservoir of
  /// bits, even where frames are nearly empty.
  var bytesOfLeadIn: Int {
    switch self {
    case .mp3: 2_048
    case .aac: 1
    default: 0
    }
  }

  /// How many packets at least: the last one before a run reaches into it.
  var packetsOfLeadIn: Int { self == .flac ? 1 : 4 }

  /// A decoder that begins at a multiple of so many packets mostly does the same arithmetic as one
  /// that began at the first: that of MP3 goes round a buffer of 16 places, 36 or 18 steps a
  /// packet, and adds up in another order at each.
  var packetsOfPeriod: Int { self == .mp3 ? 8 : 1 }

  /// How many packets of the next run a decoder is given, to give out what it holds back.
  var packetsOfTail: Int { self == .flac ? 0 : 2 }
}

/// A packet that an array can hold.
final class Packet: Sendable {
  let sample: SampleBuffer
  init(_ sample: consuming SampleBuffer) { self.sample = sample }
}

/// The latest packets of a stream, as many as a decoder needs before a run.
struct PacketHistory {
  private var packets: [Packet] = []
  /// The number of the first of them, counted from the first of the stream.
  private var first = 0

  /// Takes a packet, and lets go of those that are no longer needed.
  mutating func append(_ sample: consuming SampleBuffer, keeping codec: Codec) {
    packets.append(Packet(sample))
    while packets.count >= codec.packetsOfLeadIn + codec.packetsOfPeriod, isEnough(for: codec) {
      packets.removeFirst()
      first += 1
    }
  }

  /// Whether there is enough without the first packet, wherever the period begins.
  private func isEnough(for codec: Codec) -> Bool {
    let bytes = packets.dropFirst(codec.packetsOfPeriod).reduce(0) { $0 + $1.sample.byteCount }
    return bytes >= codec.bytesOfLeadIn
  }

  /// Sends them, from the start of a period on; the first one as the start of something new.
  func send(to outputs: NodeOutputs, on output: Int, for codec: Codec) throws {
    let period = codec.packetsOfPeriod
    for (index, packet) in packets.dropFirst((period - first % period) % period).enumerated() {
      var sample = packet.sample.share()
      if index == 0 { sample.isDiscontinuity = true }
      try outputs.send(sample, on: output)
    }
  }
}
