import CGStreamer
import GraphKitSystem

extension Pad {
  /// Has zeros that a buffer of a byte stream of H.264 or HEVC ends with come with the next buffer.
  ///
  /// A start code may have a zero more than it needs (ITU-T H.265, B.2.2). Where ffmpeg copies HEVC from
  /// one transport stream into another, it leaves that with the packet before, and a parser (1.22) gives
  /// the frame the times of the packet in which it seems to begin.
  func moveClosingZeros() {
    let state = Monitor((isByteStream: false, held: 0))
    complete { caps in
      let isByteStream = caps.stated("stream-format") == "byte-stream"
      state.withLock { $0 = (isByteStream, 0) }
      return nil
    }
    onFlush { state.withLock { $0.held = 0 } }
    replaceBuffers(arePushed: true) { buffer in
      let zeros = buffer.closingZeros
      let held = state.withLock { state -> Int? in
        guard state.isByteStream else { return nil }
        defer { state.held = zeros }
        return state.held
      }
      guard let held, held > 0 || zeros > 0 else { return buffer }
      return buffer.moved(zeros, afterZeros: held)
    }
  }
}

extension Buffer {
  /// How many zeros it ends with, of three at most; none where it has no other bytes.
  fileprivate var closingZeros: Int {
    let count = min(4, size)
    guard count > 0 else { return 0 }
    var last: [UInt8] = Array(repeating: 0, count: count)
    unsafe last.withUnsafeMutableBytes { bytes in
      _ = unsafe gst_buffer_extract(
        raw, gsize(size - count), bytes.baseAddress, gsize(count))
    }
    let zeros = last.reversed().prefix { $0 == 0 }.count
    return zeros < count ? zeros : 0
  }

  /// The buffer without so many bytes at its end, after some zeros.
  fileprivate consuming func moved(_ count: Int, afterZeros zeros: Int) -> Buffer {
    var rest = self
    if count > 0 { rest.trim(offset: 0, size: rest.size - count) }
    guard zeros > 0 else { return rest }
    var whole = Buffer([UInt8](repeating: 0, count: zeros))
    let flags =
      GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
      | GST_BUFFER_COPY_META.rawValue
    unsafe gst_buffer_copy_into(whole.raw, rest.raw, GstBufferCopyFlags(flags), 0, gsize.max)
    whole.append(rest)
    return whole
  }
}
