import GStreamer
import System

extension Pad {
  /// Has packets of Opus say when they are decoded and for how long, as muxers need it;
  /// headers, which come in the stream from Ogg, are left out.
  ///
  /// `opusparse` (1.22) would do so, but takes a packet of several streams, as surround sound has
  /// them, for one of a single stream: it loses bytes of its beginning, or cuts it in two.
  func timeOpusPackets() {
    let next = Monitor<UInt64?>(nil)
    replaceBuffers { buffer in
      let frames = buffer.opusFrames
      if buffer.isHeader { return nil }
      guard frames > 0 else { return buffer }
      var buffer = buffer
      let duration = UInt64(frames) * 1_000_000_000 / 48_000
      buffer.presentationTime = buffer.presentationTime ?? next.withLock { $0 }
      buffer.decodeTime = buffer.presentationTime
      if buffer.duration == nil { buffer.duration = duration }
      let end = buffer.presentationTime?.addingReportingOverflow(duration)
      next.withLock { $0 = end.flatMap { $0.overflow ? nil : $0.partialValue } }
      return buffer
    }
  }
}
