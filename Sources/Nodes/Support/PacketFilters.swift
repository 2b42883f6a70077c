import Containers
import GraphKit

/// What GStreamer's readers and muxers don't get right of packets of some codecs.
extension StreamEdit {
  /// What is done to the packets of a stream before the edit is applied to them.
  var packetFilters: [PadFilter] {
    var filters: [PadFilter] = []
    let rate = start.timescale
    if let packetFrames {
      filters.append(.stream { MP3Counter(frames: packetFrames, sampleRate: rate) })
    }
    if let flacNumbers {
      let isDoubtful = flacNumbers == .doubtful
      filters.append(.stream { FLACTimer(sampleRate: rate, isDoubtful: isDoubtful) })
    }
    if let frameGrid { filters.append(.stream { ExactFrames(grid: frameGrid) }) }
    if let preSkip { filters.append(.stream { OpusClip(left: preSkip) }) }
    if let webVTTHead { filters.append(.stream { WebVTTTexts(head: webVTTHead) }) }
    return filters
  }
}

extension PadFilter {
  /// By how much a demuxer may round times.
  private static let rounding = MediaTime(value: 1, timescale: 2_000_000)

  /// The packet of the frame that is presented last lasts as long as its file says.
  static func lasting(_ last: LastFrame<MediaTime>) -> PadFilter {
    .samples { packet in
      let time = packet.presentationTime
      guard time.isNumeric, (time - last.time).magnitude < rounding else { return }
      packet.duration = last.duration
    }
  }

  /// Packets of Opus pass with the times and lengths that muxers need, and without the headers that
  /// come in a stream from Ogg.
  static let timedOpusPackets = PadFilter.stream { OpusTimer() }
  /// The last packet of Opus says what of it isn't heard, which Ogg says by the end of its page.
  static let clippedOpusEnd = PadFilter.stream { OpusEndClip() }
  /// Damaged frames of FLAC are left out.
  static let decodableFLAC = PadFilter.stream { DecodableFLAC() }
  /// The headers of a stream of FLAC, which come as packets, are left out.
  static let flacFrames = PadFilter.stream { FLACFrames() }
}

/// Has frames whose times are rounded follow the first at the steady rate of their stream.
///
/// The first keeps its time, which is where the demuxer has the stream begin. One that isn't where a frame
/// would be keeps its own, and those after it follow that.
struct ExactFrames: StreamFilter {
  let grid: FrameGrid
  private var anchor: Int64?

  init(grid: FrameGrid) { self.grid = grid }

  mutating func pass(_ packet: inout SampleBuffer) -> Bool {
    guard let time = packet.presentationTime.nanoseconds else { return true }
    let exact = anchor.flatMap { grid.exact(time, from: $0) }
    if exact == nil { anchor = time }
    packet.presentationTime = MediaTime(nanoseconds: exact ?? time)
    if let decoded = packet.decodeTime.nanoseconds, let anchor {
      let time = grid.exact(decoded, from: anchor) ?? decoded
      packet.decodeTime = MediaTime(nanoseconds: time)
    }
    return true
  }
}

/// Leaves out what is no frame of FLAC, and has frames last as long as their headers say.
///
/// A parser sends the headers of the stream, too, and doesn't always say that they are; it gives the
/// last frame the length of the others, and sends all that follows a change of format as one packet,
/// which is an error.
struct FLACFrames: StreamFilter {
  func pass(_ packet: inout SampleBuffer) throws(NodeError) -> Bool {
    let isFrame =
      !packet.isHeader
      && packet.withBytes { $0.count > 1 && $0[0] == 0xff && $0[1] & 0xfc == 0xf8 }
    guard isFrame else { return false }
    let (frame, second) = packet.withBytes { (FLACFrame($0), FLACFrame.secondFrame(in: $0)) }
    if let frame, let rate = frame.sampleRate.flatMap({ Int32(exactly: $0) }), rate > 0 {
      packet.duration = MediaTime(value: Int64(frame.blockSize), timescale: rate)
    }
    guard second != nil else { return true }
    throw NodeError(
      "the format of the FLAC changes at \(packet.presentationTime + packet.duration), and a track "
        + "has one",
      remedy: "decode it and encode it again, or cut the file there")
  }
}

/// Has packets of MP3 begin where their count says, each with all its frames.
///
/// `mpegaudioparse` adds up the rounded lengths of packets: after two hours it would be 12 samples
/// early. Where LAME wrote the file it also cuts the encoder's samples itself: it shortens the
/// first packets and the last, moves the others, and has the decoder clip. The edit cuts the same
/// samples, whichever encoder wrote them, and would cut twice.
struct MP3Counter: StreamFilter {
  let frames: Int
  let sampleRate: Int32
  private var count = 0

  init(frames: Int, sampleRate: Int32) { (self.frames, self.sampleRate) = (frames, sampleRate) }

  mutating func pass(_ packet: inout SampleBuffer) -> Bool {
    // The header of the file counts frames and holds none.
    if count == 0, packet.isGaplessHeader { return false }
    packet.setPlace(count * frames, count: frames, sampleRate)
    packet.clipStart(0, of: frames, sampleRate: Int(sampleRate))
    count += 1
    return true
  }
}

/// Has a decoder of Opus leave out so many samples at the beginning of the stream, and none
/// elsewhere.
///
/// `oggdemux` (1.22) notes fewer where the first page begins later than at 0, as in a part of a
/// longer stream (RFC 7845, 4.3), or none. And where two packets are all there is, it notes twice
/// what is to be left out at the end, once at the beginning of the last packet.
struct OpusClip: StreamFilter {
  private var left: Int

  init(left: Int) { self.left = left }

  mutating func pass(_ packet: inout SampleBuffer) -> Bool {
    let frames = packet.opusFrames
    guard frames > 0 else { return true }
    packet.clipStart(min(left, frames), of: frames, sampleRate: OpusPacket.sampleRate)
    left -= min(left, frames)
    return true
  }
}

/// Has decoders leave out what of a packet of Opus is longer than its duration.
struct OpusEndClip: StreamFilter {
  func pass(_ packet: inout SampleBuffer) -> Bool {
    packet.clipEnd(of: packet.opusFrames, sampleRate: OpusPacket.sampleRate)
    return true
  }
}

/// Has packets of Opus say when they are decoded and for how long, as muxers need it; headers,
/// which come in the stream from Ogg, are left out.
///
/// `opusparse` (1.22) would do so, but takes a packet of several streams, as surround sound has
/// them, for one of a single stream: it loses bytes of its beginning, or cuts it in two.
struct OpusTimer: StreamFilter {
  private var next = MediaTime.invalid

  init() {}

  mutating func pass(_ packet: inout SampleBuffer) -> Bool {
    if packet.isHeader { return false }
    let frames = packet.opusFrames
    guard frames > 0 else { return true }
    let duration = MediaTime(nanoseconds: frames * 1_000_000_000 / OpusPacket.sampleRate)
    if !packet.presentationTime.isNumeric { packet.presentationTime = next }
    packet.decodeTime = packet.presentationTime
    if !packet.duration.isNumeric { packet.duration = duration }
    next = packet.presentationTime + duration
    return true
  }
}

extension SampleBuffer {
  /// How many samples a packet of Opus has; none of the headers.
  fileprivate var opusFrames: Int { isHeader ? 0 : withBytes { OpusPacket.frames($0) } }

  /// Whether it is the frame of MP3 that only describes the file.
  fileprivate var isGaplessHeader: Bool {
    withBytes { bytes in
      let count = min(bytes.count, GaplessHeader.longest)
      return GaplessHeader(frame: (0..<count).map { bytes[$0] }) != nil
    }
  }

  /// Has a packet begin at a frame of its stream, and last so many.
  mutating func setPlace(_ first: Int, count: Int, _ rate: Int32) {
    guard let start = MediaTime(value: Int64(first), timescale: rate).nanoseconds,
      let end = MediaTime(value: Int64(first + count), timescale: rate).nanoseconds
    else { return }
    if decodeTime.isNumeric { decodeTime = MediaTime(nanoseconds: start) }
    presentationTime = MediaTime(nanoseconds: start)
    duration = MediaTime(nanoseconds: end - start)
  }
}
