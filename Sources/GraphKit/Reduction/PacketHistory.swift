/// A packet that an array can hold.
final class Packet: Sendable {
  let sample: SampleBuffer
  init(_ sample: consuming SampleBuffer) { self.sample = sample }
}

/// The packets before the present one, as many as a decoder needs before a run.
struct PacketHistory {
  private let leadIn: LeadIn
  /// The first of them is a multiple of the period after where the decoder of the whole begins.
  private var packets: [Packet] = []
  /// Whether the decoder of the whole begins with them.
  private var isFromStart = true

  init(_ leadIn: LeadIn) { self.leadIn = leadIn }

  /// Takes a packet, and lets go of those that no decoder needs any longer.
  mutating func append(_ sample: consuming SampleBuffer) {
    // There decoders begin anew.
    if sample.isDiscontinuity { (packets, isFromStart) = ([], true) }
    packets.append(Packet(sample))
    while packets.count >= leadIn.packets + leadIn.period,
      packets.dropFirst(leadIn.period).dropLast(leadIn.settling).hold(leadIn.bytes)
    {
      packets.removeFirst(leadIn.period)
      isFromStart = false
    }
  }

  /// Sends them, the first one as the start of something new.
  func send(to outputs: NodeOutputs, on output: Int) throws {
    var reservoir = BitReservoir()
    for (index, packet) in packets.enumerated() {
      var sample = packet.sample.share()
      if index == 0 { sample.isDiscontinuity = true }
      if leadIn.bytes > 0, !isFromStart { reservoir.fill(from: &sample) }
      try outputs.send(sample, on: output)
    }
  }
}

extension ArraySlice<Packet> {
  /// Whether packets of MP3 hold so many bytes of audio.
  fileprivate func hold(_ bytes: Int) -> Bool {
    var missing = bytes
    for packet in self where missing > 0 { missing -= packet.sample.mp3Frame?.mainDataSize ?? 0 }
    return missing <= 0
  }
}
