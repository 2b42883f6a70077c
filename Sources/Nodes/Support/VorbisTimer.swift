import Containers
import GraphKit

extension PadFilter {
  /// Packets of Vorbis pass with the times and lengths that muxers need, and without the headers of their
  /// stream, which come as packets.
  static let timedVorbisPackets = PadFilter.stream { VorbisTimer() }
}

/// Has packets of Vorbis say when they are presented and for how long. Where Matroska has several in one
/// block, as `mkvmerge` writes them, only the first has a time.
struct VorbisTimer: StreamFilter {
  private var headers: [[UInt8]] = []
  private var packets: VorbisPackets?
  private var next = MediaTime.invalid

  mutating func pass(_ packet: inout SampleBuffer) -> Bool {
    // The first bit of what is no audio is set (Vorbis I, 4.2.1).
    let isAudio = packet.withBytes { $0.isEmpty || $0[0] & 1 == 0 }
    guard isAudio else {
      take(header: packet.withBytes { bytes in (0..<bytes.count).map { bytes[$0] } })
      return false
    }
    if !packet.presentationTime.isNumeric { packet.presentationTime = next }
    let duration = duration(of: packet)
    if !packet.duration.isNumeric, duration > .zero { packet.duration = duration }
    next = duration.isNumeric ? packet.presentationTime + duration : .invalid
    return true
  }

  private mutating func take(header: [UInt8]) {
    // A stream that begins anew has others.
    if header.first == 1 { headers = [] }
    headers.append(header)
    packets = VorbisPackets(headers)
  }

  /// How long the audio is that a packet is decoded to.
  private mutating func duration(of packet: borrowing SampleBuffer) -> MediaTime {
    guard var packets, let rate = Int32(exactly: sampleRate), rate > 0 else { return .invalid }
    let frames = packet.withBytes { packets.frames($0) }
    self.packets = packets
    return MediaTime(value: Int64(frames), timescale: rate)
  }

  /// In the first header, after what names it, the version and the count of channels.
  private var sampleRate: Int {
    headers.first?.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) } ?? 0
  }
}
