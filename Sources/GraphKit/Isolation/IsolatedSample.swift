import GStreamer
import GraphKitSystem

/// A sample that another process has put into shared memory.
package struct IsolatedSample: Sendable {
  let placed: IsolationReply.Placed
  let format: FormatDescription
  let lease: SharedSlots.Lease
  /// What its stream and its file have said of themselves since the sample before it.
  package var tags: [StreamTags] = []

  /// When it is presented, or decoded where that is known; invalid where neither is.
  package var time: MediaTime { Self.time(placed.packet?.decode ?? placed.time) }

  /// The sample. Raw media isn't copied: the memory is in use as long as the sample is. A packet is, as
  /// what reads its bytes twice is to read the same. `nil` where it isn't all in its memory, or not
  /// what its format says.
  package func makeBuffer() -> SampleBuffer? {
    if let packet = placed.packet { return makePacket(packet) }
    guard format.caps.areWholeSamples(byteCount: placed.byteCount),
      let buffer = Buffer(
        sharing: lease.slot.region, from: placed.offset, byteCount: placed.byteCount,
        keeping: lease)
    else { return nil }
    var sample = SampleBuffer(buffer, format: format)
    sample.presentationTime = Self.time(placed.time)
    sample.duration = Self.time(placed.duration)
    sample.isDiscontinuity = placed.isDiscontinuity
    sample.fields = placed.fields
    return sample
  }

  private func makePacket(_ packet: IsolationReply.Packet) -> SampleBuffer? {
    guard let bytes = lease.slot.region.bytes(at: placed.offset, count: placed.byteCount) else {
      return nil
    }
    var buffer = Buffer(bytes)
    buffer.packetFlags = packet.flags
    if packet.clipStart > 0 || packet.clipEnd > 0 {
      buffer.setClipping(start: UInt64(packet.clipStart), end: UInt64(packet.clipEnd))
    }
    var sample = SampleBuffer(buffer, format: format)
    sample.presentationTime = Self.time(placed.time)
    sample.decodeTime = Self.time(packet.decode)
    sample.duration = Self.time(placed.duration)
    return sample
  }

  private static func time(_ nanoseconds: Int?) -> MediaTime {
    nanoseconds.map { MediaTime(nanoseconds: Int64($0)) } ?? .invalid
  }
}

extension SampleBuffer {
  /// How the fields of an interlaced frame lie in it, as elements note it: whether it has fields (1),
  /// the top one comes first (2), the first is to be repeated (4), or there is one alone (8). 0 for a
  /// frame without.
  package var fields: Int {
    get { buffer.fields }
    set { buffer.fields = newValue }
  }

  /// Copies raw media into shared memory, as a frame or block of its format is laid out; returns how
  /// many bytes that makes, and copies nothing where they don't fit. `nil` where they can't be read.
  package borrowing func copy(to memory: SharedMemory, from offset: Int) -> Int? {
    buffer.copy(to: memory, from: offset, caps: format.caps)
  }

  /// The same of a packet, as its bytes are.
  package borrowing func copyPacket(to memory: SharedMemory, from offset: Int) -> Int? {
    buffer.copyBytes(to: memory, from: offset)
  }

  /// What another process is to know of a packet beside its times of presentation.
  package var packet: IsolationReply.Packet {
    let clip = buffer.clipping
    return IsolationReply.Packet(
      decode: decodeTime.nanoseconds.map { Int($0) }, flags: buffer.packetFlags,
      clipStart: clip.map { Int(clamping: min($0.start, 1 << 32)) } ?? 0,
      clipEnd: clip.map { Int(clamping: min($0.end, 1 << 32)) } ?? 0)
  }
}
