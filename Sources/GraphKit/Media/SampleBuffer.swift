import GStreamer

/// Media samples with their time and format: one reference to a shared buffer.
///
/// Passing a sample on moves the reference and copies nothing; ``share()`` makes another one. A
/// holder that writes to a shared sample gets a copy of its own. The last reference gone frees the
/// memory or gives it back to its pool.
///
/// One value belongs to one thread at a time, and may be handed to another. Times are kept to the
/// nearest nanosecond.
public struct SampleBuffer: ~Copyable, Sendable {
  package var buffer: Buffer
  /// What the samples are.
  public var format: FormatDescription
  /// The buffer's own time at time zero, in nanoseconds.
  package private(set) var origin: Int64 = 0
  /// Whether it was given a presentation time that no sample can have: it has none then.
  private(set) var hasOddTime = false

  package init(_ buffer: consuming Buffer, format: FormatDescription, origin: Int64 = 0) {
    self.buffer = buffer
    self.format = format
    self.origin = origin
  }

  /// A buffer as it comes from an element, which may have cut planar audio, or audio out of a file
  /// where no frame can be read at once, or have left a part of a frame at a file's end.
  init(entering buffer: consuming Buffer, format: FormatDescription, origin: Int64) {
    var entering = buffer
    if case .audio(let audio) = format.format {
      if audio.layout == .planar { entering.packPlanes() }
      entering.align(to: audio.alignment)
      let part = entering.size % format.unit
      if part > 0 { entering.trim(offset: 0, size: entering.size - part) }
    }
    self.init(entering, format: format, origin: origin)
  }

  /// Has the memory of raw audio begin where its frames can be read.
  mutating func alignFrames(of audio: AudioFormat) { buffer.align(to: audio.alignment) }

  /// Moves the origin of the buffer's own time; the time at which it is presented stays the same.
  package mutating func setOrigin(_ new: Int64) {
    guard new != origin else { return }
    let (presentation, decode) = (presentationTime, decodeTime)
    origin = new
    if presentation.isNumeric { presentationTime = presentation }
    if decode.isNumeric { decodeTime = decode }
  }

  /// Gives up the format and hands the buffer over, as elements take it.
  package consuming func intoBuffer() -> Buffer {
    if case .audio(let audio) = format.format, audio.layout == .planar {
      buffer.describeSound(as: format.caps, frames: buffer.size / audio.bytesPerFrame)
    }
    return buffer
  }

  /// Has the buffer's own time begin early enough for a time before zero.
  private mutating func makeRoom(for time: MediaTime) {
    guard let nanoseconds = time.nanoseconds, nanoseconds.addingClamped(origin) < 0 else { return }
    setOrigin(Int64(0).subtractingClamped(nanoseconds))
  }

  private func time(_ clock: UInt64?) -> MediaTime {
    clock.map { MediaTime(nanoseconds: Int64(clamping: $0).subtractingClamped(origin)) } ?? .invalid
  }

  /// When the first of the samples is to be presented, in nanoseconds: as ``presentationTime`` without
  /// a fraction, for what is asked of every sample.
  var start: Int64? {
    buffer.presentationTime.map { Int64(clamping: $0).subtractingClamped(origin) }
  }

  private func clock(_ time: MediaTime) -> UInt64? {
    time.nanoseconds.flatMap { UInt64(exactly: $0.addingClamped(origin)) }
  }

  /// A sample with fresh memory whose contents are undefined, none where `byteCount` isn't positive.
  public init(byteCount: Int, format: FormatDescription) {
    buffer = Buffer(size: byteCount)
    self.format = format
  }

  /// A sample that holds a copy of some bytes.
  public init(bytes: [UInt8], format: FormatDescription) {
    self.init(byteCount: bytes.count, format: format)
    withMutableBytes { span in
      for index in span.indices { span[index] = bytes[index] }
    }
  }

  /// Another reference to the same samples.
  public borrowing func share() -> SampleBuffer {
    var other = SampleBuffer(buffer.share(), format: format, origin: origin)
    other.hasOddTime = hasOddTime
    return other
  }

  /// Bytes of the samples.
  public var byteCount: Int { buffer.size }

  /// When the first of the samples is to be presented; invalid where unknown.
  public var presentationTime: MediaTime {
    get { time(buffer.presentationTime) }
    set {
      makeRoom(for: newValue)
      let time = clock(newValue)
      buffer.presentationTime = time
      hasOddTime = time == nil && (newValue.isNumeric || newValue.isInfinite)
    }
  }

  /// When the samples are to be decoded; invalid where unknown or of no meaning.
  public var decodeTime: MediaTime {
    get { time(buffer.decodeTime) }
    set {
      makeRoom(for: newValue)
      buffer.decodeTime = clock(newValue)
    }
  }

  /// Where the samples begin in their stream, as their source counts: bytes of a file, frames of
  /// audio. `nil` where the source doesn't say.
  public var streamOffset: Int? { buffer.fileOffset.flatMap { Int(exactly: $0) } }

  /// How long the samples last; invalid where unknown.
  public var duration: MediaTime {
    get { MediaTime(clock: buffer.duration) }
    set { buffer.duration = newValue.clock }
  }

  /// Whether decoding can start here: always so for raw media.
  public var isSync: Bool {
    get { !buffer.isDelta }
    set { buffer.isDelta = !newValue }
  }

  /// Whether it is a header of its stream, in which there may be no media.
  public var isHeader: Bool { buffer.isHeader }

  /// Whether something is missing before these samples.
  public var isDiscontinuity: Bool {
    get { buffer.isDiscontinuity }
    set { buffer.isDiscontinuity = newValue }
  }

  /// Cuts the samples down to some of their bytes, without a copy.
  public mutating func trim(offset: Int, byteCount: Int) {
    let start = min(max(offset, 0), self.byteCount)
    buffer.trim(offset: start, size: min(max(byteCount, 0), self.byteCount - start))
  }

  /// Has a decoder leave out the first frames of a packet of audio that has `count` of them, and no
  /// others, whatever was noted of that before. What is left is presented so that it ends with the
  /// packet.
  public mutating func clipStart(_ frames: Int, of count: Int, sampleRate: Int) {
    buffer.clipStart(frames, of: count, rate: UInt64(max(0, sampleRate)))
  }

  /// Has a decoder leave out of a packet of audio that has `count` frames those at its end that its duration
  /// doesn't count, where nothing was noted of them and they are more than a millisecond.
  public mutating func clipEnd(of count: Int, sampleRate: Int) {
    buffer.clipEnd(of: count, rate: UInt64(max(0, sampleRate)))
  }

  /// Reads the bytes. The span is empty where the memory can't be mapped.
  public borrowing func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result
  {
    guard let map = BufferMap(buffer) else { return try body(Span()) }
    return try body(map.span(of: UInt8.self, from: 0, count: map.size))
  }

  /// Writes the bytes, after a copy where others hold them too. The span is empty where the
  /// memory can't be mapped.
  public mutating func withMutableBytes<Result>(
    _ body: (inout MutableSpan<UInt8>) throws -> Result
  ) rethrows -> Result {
    guard var map = MutableBufferMap(&buffer) else {
      var none = MutableSpan<UInt8>()
      return try body(&none)
    }
    let size = map.size
    var span = map.mutableSpan(of: UInt8.self, from: 0, count: size)
    return try body(&span)
  }
}

extension SampleBuffer {
  /// Writes the memory as elements of a type, after a copy where others hold it too. The span is
  /// empty where the memory can't be mapped.
  public mutating func withMutableElements<Element: BitwiseCopyable, Result>(
    as type: Element.Type, _ body: (inout MutableSpan<Element>) throws -> Result
  ) rethrows -> Result {
    guard var map = MutableBufferMap(&buffer) else {
      var none = MutableSpan<Element>()
      return try body(&none)
    }
    let count = map.size / MemoryLayout<Element>.stride
    var span = map.mutableSpan(of: Element.self, from: 0, count: count)
    return try body(&span)
  }
}

extension AudioFormat {
  /// The power of two that a sample's memory has to begin at a multiple of: that of one value.
  fileprivate var alignment: Int { 1 << min(3, bytesPerFrame.trailingZeroBitCount) }
}

extension MediaTime {
  package init(clock: UInt64?) {
    self = clock.map { MediaTime(value: Int64(clamping: $0), timescale: 1_000_000_000) } ?? .invalid
  }
}
