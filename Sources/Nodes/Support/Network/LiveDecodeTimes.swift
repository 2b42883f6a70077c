import Containers
import GraphKit

/// Says when packets of video are decoded that come with the times of presentation alone, as over RTSP.
///
/// Where at most n packets come before one that is presented earlier, each is decoded when the one n places
/// before it in the order of presentation is presented. The stream's parameter sets mostly say what n is;
/// where they don't, it is learnt, and the packets that teach it are left out. None is held back.
///
/// GStreamer's buffer for jitter (1.22) moves each packet's time by what it has learnt by then of the sender's
/// clock: in the first second, frames come to be some tens of milliseconds off, and behind those that follow
/// them. Such a frame is presented when it is decoded.
struct LiveDecodeTimes {
  /// Codecs allow no more.
  private static let maximumDepth = 16
  /// Times that go back by more, or ahead, are those of another clock.
  private static let longestStep: Int64 = 5_000_000_000
  /// How far apart packets are decoded for which there is no other time, in nanoseconds.
  private static let shortestStep: Int64 = 100_000

  /// A frame is as far behind as this at most.
  private static let longestSlip: Int64 = 200_000_000

  /// The n of the stream, or of the packets so far.
  private var depth = 0
  private var isDepthKnown = false
  private var format: FormatDescription?
  /// The latest presentation times in order, of the packets so far.
  private var latest: [Int64] = []
  private var count = 0
  private var last: Int64?

  /// Another connection follows: its times are others, and its stream mostly the same.
  mutating func begin() { (latest, count, last) = ([], 0, nil) }

  /// When a packet is decoded, in nanoseconds; `nil` where that would be after it is presented.
  mutating func next(_ packet: inout SampleBuffer) -> Int64? {
    guard let time = packet.presentationTime.nanoseconds else { return nil }
    note(packet.format)
    let planned = plan(time)
    let decoded = max(planned, last.map { $0 + Self.shortestStep } ?? planned)
    let slip = decoded - time
    guard slip <= (isDepthKnown ? Self.longestSlip : 0) else { return nil }
    if slip > 0 { packet.presentationTime = MediaTime(nanoseconds: decoded) }
    last = decoded
    return decoded
  }

  /// When a packet is decoded as the order is by those so far.
  private mutating func plan(_ time: Int64) -> Int64 {
    if let newest = latest.last, abs(time - newest) > Self.longestStep { begin() }
    let later = latest.count { $0 > time }
    if !isDepthKnown { depth = max(depth, min(later, Self.maximumDepth)) }
    latest.insert(time, at: latest.count - later)
    if latest.count > Self.maximumDepth + 1 { latest.removeFirst() }
    count += 1
    guard count > depth else { return latest[0] - Int64(depth + 1 - count) * frameDuration }
    return latest[max(0, latest.count - 1 - depth)]
  }

  private mutating func note(_ new: FormatDescription) {
    guard new !== format else { return }
    format = new
    guard case .encoded(let encoded) = new.format,
      let caps = CapsStructure.all(in: new.capsText)?.first, let data = caps.text("codec_data"),
      let configuration = VideoConfiguration(MovieTrackFormat.bytes(data), of: encoded.codec)
    else { return }
    isDepthKnown = configuration.reorderedFrames != nil
    depth = configuration.reorderedFrames ?? depth
  }

  private var frameDuration: Int64 {
    guard case .encoded(let encoded) = format?.format, let rate = encoded.frameRate,
      (1...1000).contains(rate.value)
    else { return 40_000_000 }
    return Int64(1e9 / rate.value)
  }
}
