import GStreamer

/// Frames of PCM, open for reading as long as the access to their sample lasts.
public struct PCMBlock: ~Copyable, ~Escapable {
  private let map: BufferMap
  /// What the frames are.
  public let format: AudioFormat
  /// The frames to read, counted in the memory from its first.
  public private(set) var frames: Range<Int>
  private let capacity: Int

  @_lifetime(copy map)
  init(_ map: consuming BufferMap, format: AudioFormat) {
    capacity = format.bytesPerFrame > 0 ? map.size / format.bytesPerFrame : 0
    frames = 0..<capacity
    self.format = format
    self.map = map
  }

  /// The number of frames to read.
  public var frameCount: Int { frames.count }

  /// Reads some frames only, counted in the memory from its first.
  public mutating func select(_ range: Range<Int>) { frames = range.clamped(to: 0..<capacity) }

  /// The interleaved samples of the frames to read. `type` must be that of the format: `Int16` for
  /// s16, `Int32` for s32, `Float` for f32. Empty for planar blocks.
  @_lifetime(borrow self)
  public borrowing func samples<Sample: BitwiseCopyable>(as type: Sample.Type) -> Span<Sample> {
    let isInterleaved = format.layout == .interleaved || format.channels == 1
    return map.span(
      of: Sample.self, from: frames.lowerBound * format.bytesPerFrame,
      count: isInterleaved ? frameCount * format.channels : 0)
  }

  /// The frames to read, each as one value as long as a frame: `Int32` for s16 stereo. Empty where
  /// a frame has another length, or the memory doesn't begin at a multiple of it.
  @_lifetime(borrow self)
  public borrowing func wholeFrames<Frame: BitwiseCopyable>(as type: Frame.Type) -> Span<Frame> {
    let fits = MemoryLayout<Frame>.stride == format.bytesPerFrame && format.layout == .interleaved
    return map.span(
      of: Frame.self, from: frames.lowerBound * format.bytesPerFrame,
      count: fits ? frameCount : 0)
  }

  /// The bytes of the frames to read, of an interleaved block.
  @_lifetime(borrow self)
  public borrowing func bytes() -> Span<UInt8> {
    map.span(
      of: UInt8.self, from: frames.lowerBound * format.bytesPerFrame,
      count: frameCount * format.bytesPerFrame)
  }

  /// One channel's samples of a planar block.
  @_lifetime(borrow self)
  public borrowing func channel<Sample: BitwiseCopyable>(
    _ channel: Int, as type: Sample.Type
  ) -> Span<Sample> {
    let size = format.sampleFormat.bytesPerSample
    return map.span(
      of: Sample.self, from: (channel * capacity + frames.lowerBound) * size, count: frameCount)
  }
}

extension SampleBuffer {
  /// Opens the samples for reading as PCM.
  public borrowing func withPCM<Failure: Error>(
    _ body: (inout PCMBlock) throws(Failure) -> Void
  ) throws(Failure) {
    guard case .audio(let audio) = format.format, let map = BufferMap(buffer) else { return }
    var block = PCMBlock(map, format: audio)
    try body(&block)
  }
}
