import GraphKit
import GraphKitSystem

/// A sample that left a node: kept whole, so that a test can look at it as often as it likes.
public final class CollectedSample: Sendable {
  /// The sample itself.
  public let sample: SampleBuffer

  /// Keeps a sample.
  public init(_ sample: consuming SampleBuffer) { self.sample = sample }

  /// What the sample is.
  public var format: MediaFormat { sample.format.format }
  /// When it is to be presented.
  public var presentationTime: MediaTime { sample.presentationTime }
  /// How long it lasts.
  public var duration: MediaTime { sample.duration }

  /// All its bytes.
  public var bytes: [UInt8] { values(as: UInt8.self) }

  /// All its PCM samples, in the order in which they lie; `Value` must be that of the format.
  public func values<Value: BitwiseCopyable>(as type: Value.Type) -> [Value] {
    sample.withSamples(as: Value.self) { Array(copying: $0) }
  }
}

extension SampleBuffer {
  /// PCM samples, given in the order in which they are to lie, the first of them `start` frames
  /// after zero. `Value` must be that of the format, or `UInt8` for the bytes of any.
  public init<Value: BitwiseCopyable>(
    pcm values: [Value], format: FormatDescription, start: Int = 0
  ) {
    if let bytes = values as? [UInt8] {
      self.init(bytes: bytes, format: format)
    } else {
      self.init(byteCount: values.count * MemoryLayout<Value>.stride, format: format)
      write(values)
    }
    guard case .audio(let audio) = format.format else { return }
    presentationTime = MediaTime(frames: start, at: audio.sampleRate)
    duration = MediaTime(frames: start + frameCount, at: audio.sampleRate) - presentationTime
  }

  /// Overwrites PCM samples; as many as there are and are given.
  mutating func write<Value: BitwiseCopyable>(_ values: [Value]) {
    guard var block = try? audioBlock() else { return }
    var span = block.samples(as: Value.self)
    for index in span.indices.prefix(values.count) { span[index] = values[index] }
  }
}
