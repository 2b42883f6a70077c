import GStreamer

/// The PCM samples of one sample buffer, open for change in place.
///
/// It lives no longer than the access to its sample. Interleaved samples lie frame after frame,
/// planar ones channel after channel; an effect that treats all samples alike need not care and
/// takes ``samples(as:)``.
public struct AudioBlock: ~Copyable, ~Escapable {
  private var map: MutableBufferMap
  /// The format.
  public let format: AudioFormat
  /// Samples of each channel.
  public let frameCount: Int

  @_lifetime(copy map)
  init(_ map: consuming MutableBufferMap, format: AudioFormat) {
    frameCount = format.bytesPerFrame > 0 ? map.size / format.bytesPerFrame : 0
    self.format = format
    self.map = map
  }

  /// The number of channels.
  public var channelCount: Int { format.channels }

  /// All samples, of all channels, in the order in which they lie. `type` must be that of the
  /// format: `Float` for f32, `Int16` for s16.
  @_lifetime(&self)
  public mutating func samples<Sample: BitwiseCopyable>(as type: Sample.Type) -> MutableSpan<Sample>
  {
    map.mutableSpan(of: Sample.self, from: 0, count: frameCount * channelCount)
  }

  /// One channel's samples; of a planar block only. Empty for an interleaved one.
  @_lifetime(&self)
  public mutating func channel<Sample: BitwiseCopyable>(
    _ channel: Int, as type: Sample.Type
  ) -> MutableSpan<Sample> {
    let bytes = frameCount * MemoryLayout<Sample>.stride
    let isThere = format.layout == .planar && (0..<channelCount).contains(channel)
    return map.mutableSpan(
      of: Sample.self, from: isThere ? channel * bytes : 0, count: isThere ? frameCount : 0)
  }
}

extension SampleBuffer {
  /// Opens the samples as PCM, after a copy where others hold them too.
  @_lifetime(&self)
  public mutating func audioBlock() throws(NodeError) -> AudioBlock {
    guard case .audio(let audio) = format.format else {
      throw NodeError("\(format) is not raw audio", remedy: "wire raw audio here")
    }
    guard let map = MutableBufferMap(&buffer) else { throw .unmappable }
    return AudioBlock(map, format: audio)
  }

  /// Samples of each channel, of raw audio; zero for anything else.
  public var frameCount: Int {
    guard case .audio(let audio) = format.format, audio.bytesPerFrame > 0 else { return 0 }
    return byteCount / audio.bytesPerFrame
  }

  /// Reads all PCM samples, of all channels, in the order in which they lie.
  public borrowing func withSamples<Sample: BitwiseCopyable, Result>(
    as type: Sample.Type, _ body: (Span<Sample>) throws -> Result
  ) rethrows -> Result {
    guard let map = BufferMap(buffer) else { return try body(Span()) }
    return try body(
      map.span(of: Sample.self, from: 0, count: map.size / MemoryLayout<Sample>.stride))
  }
}

extension NodeError {
  static let unmappable = NodeError(
    "the sample's memory can't be mapped", remedy: "convert to memory of the system first")
}
