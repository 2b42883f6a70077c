import GStreamer
import System

extension Pad {
  /// Has packets of FLAC begin where their headers say, and last as long as they have samples.
  ///
  /// Encoders from before headers had a bit for blocks of several sizes number them by samples all
  /// the same. `flacparse` (1.22) takes those numbers for numbers of frames, and gives all packets
  /// the length of the first.
  func timeFLACPackets(at rate: Int32) {
    let timer = Monitor(FLACTimer())
    replaceBuffers { buffer in
      guard let frame = buffer.flacFrame, let sample = timer.withLock({ $0.start(of: frame) }),
        let start = MediaTime(value: Int64(sample), timescale: rate).clock,
        let end = MediaTime(value: Int64(sample + frame.blockSize), timescale: rate).clock
      else { return buffer }
      var buffer = buffer
      if buffer.decodeTime != nil { buffer.decodeTime = start }
      buffer.presentationTime = start
      buffer.duration = end - start
      return buffer
    }
  }
}

/// Finds out whether a stream of FLAC numbers frames or samples.
struct FLACTimer {
  private var last: FLACFrame?
  private var countsSamples = false

  /// The first sample of a frame, where its header gives the number of that and doesn't say so.
  mutating func start(of frame: FLACFrame) -> Int? {
    defer { last = frame }
    guard !frame.isVariable else { return nil }
    if let last, frame.number == last.number + last.blockSize, last.blockSize > 1 {
      countsSamples = true
    }
    return countsSamples ? frame.number : nil
  }
}

extension Buffer {
  /// What a packet of FLAC says of itself; `nil` of a header of the stream.
  fileprivate var flacFrame: FLACFrame? {
    guard !isHeader, let map = BufferMap(self) else { return nil }
    return FLACFrame(map.span(of: UInt8.self, from: 0, count: FLACFrame.longestHeader))
  }
}
