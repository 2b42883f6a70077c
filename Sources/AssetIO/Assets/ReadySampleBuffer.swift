public import GraphKit

/// A sample buffer that nothing changes any more, so that any number of holders may have it.
///
/// It is one reference to shared memory, as ``SampleBuffer`` is; the last holder frees the memory or
/// gives it back to its pool. Safe to read from any thread. Who wants to change samples takes a
/// reference that may be written to, by ``share()``: the change is then made to a copy.
public final class ReadySampleBuffer: Sendable {
  private let sample: SampleBuffer

  /// Takes a sample over.
  public init(_ sample: consuming SampleBuffer) { self.sample = sample }

  /// What the samples are.
  public var format: FormatDescription { sample.format }

  /// When the first of the samples is to be presented; invalid where unknown.
  public var presentationTime: MediaTime { sample.presentationTime }

  /// When the samples are to be decoded; invalid where unknown or of no meaning.
  public var decodeTime: MediaTime { sample.decodeTime }

  /// How long the samples last; invalid where unknown.
  public var duration: MediaTime { sample.duration }

  /// Whether decoding can start here: always so for raw media.
  public var isSync: Bool { sample.isSync }

  /// Bytes of the samples.
  public var byteCount: Int { sample.byteCount }

  /// Samples of each channel, of raw audio; zero for anything else.
  public var frameCount: Int { sample.frameCount }

  /// Another reference to the same samples, which may be written to: the first write copies them.
  public func share() -> SampleBuffer { sample.share() }

  /// Reads the bytes. The span is empty where the memory can't be mapped.
  public func withBytes<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    try sample.withBytes(body)
  }

  /// Reads all PCM samples, of all channels, in the order in which they lie.
  public func withSamples<Sample: BitwiseCopyable, Result>(
    as type: Sample.Type, _ body: (Span<Sample>) throws -> Result
  ) rethrows -> Result {
    try sample.withSamples(as: type, body)
  }

  /// Reads a plane's bytes of a frame; `body` gets them with the distance of two rows in bytes.
  public func withPlane<Result>(
    _ plane: Int, _ body: (Span<UInt8>, _ bytesPerRow: Int) throws -> Result
  ) rethrows -> Result {
    try sample.withPlane(plane, body)
  }
}
