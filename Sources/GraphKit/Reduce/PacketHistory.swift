extension Codec {
  /// Whether pieces of a stream that are decoded apart give what decoding it whole gives.
  ///
  /// So it is for FLAC, whose frames stand alone. MP3's frames share bits with those before them,
  /// and mpg123 then rounds a few samples otherwise; AAC decoders make up noise of their own. Their
  /// streams stay whole, as those of all other codecs.
  var canBeDecodedInPieces: Bool { self == .flac }
}

/// A packet that an array can hold.
final class Packet: Sendable {
  let sample: SampleBuffer
  init(_ sample: consuming SampleBuffer) { self.sample = sample }
}

/// The packet before the present one: a decoder is given it before a run, since the frame that lies
/// across the border belongs to both.
struct PacketHistory {
  private var last: Packet?

  /// Takes a packet in place of the one before.
  mutating func append(_ sample: consuming SampleBuffer) { last = Packet(sample) }

  /// Sends the packet, as the start of something new.
  func send(to outputs: NodeOutputs, on output: Int) throws {
    guard let last else { return }
    var sample = last.sample.share()
    sample.isDiscontinuity = true
    try outputs.send(sample, on: output)
  }
}
