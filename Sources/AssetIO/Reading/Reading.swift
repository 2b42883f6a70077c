import GraphKit
import GraphKitSystem

/// One part of a file on its way to the program.
final class Reading: Sendable {
  private let pipeline: Pipeline
  private let samples: SampleOutput
  /// What the times of samples lack to be the file's.
  private let offset: MediaTime
  private let packets: Monitor<PacketRange?>
  /// Of decoded video, the frame whose length isn't known yet.
  private let frames: Monitor<ShownFrames>?

  /// Checks and plans the graph; nothing runs yet.
  init(_ output: AssetReaderOutput, of asset: MediaAsset, _ range: MediaTimeRange?) throws {
    let graph = ReadingGraph(asset: asset, output: output, range: range)
    pipeline = try graph.pipeline()
    samples = try pipeline.output(ReadingGraph.exit)
    offset = graph.isStored ? .zero : range?.start ?? .zero
    packets = Monitor(graph.isStored ? range.map { PacketRange($0) } : nil)
    frames = if case .video = output.content { Monitor(ShownFrames()) } else { nil }
  }

  func start() { pipeline.start() }
  func cancel() {
    pipeline.cancel()
    _ = frames?.withLock { $0.takeLast() }
  }
  func report() async -> Report { await pipeline.report() }

  /// Whether all of the part was handed out, though its stream goes on.
  var isOver: Bool { packets.withLock { $0?.isOver ?? false } }

  /// The next sample; `nil` at the end, and where the pipeline or the task ended before.
  func next() async -> ReadySampleBuffer? {
    while true {
      if let packet = packets.withLock({ $0?.next() }) { return packet }
      if isOver {
        pipeline.cancel()
        return nil
      }
      guard let sample = await samples.next() else { return lastFrame }
      // A codec's header, which some parsers send as packets, is in the format.
      if sample.format.format.kind == .encodedAudio, !sample.presentationTime.isNumeric { continue }
      let ready = inFileTime(sample)
      if let frames {
        if let frame = frames.withLock({ $0.take(ready) }) { return frame }
        continue
      }
      let isWhole = packets.withLock { packets in
        packets?.append(ready)
        return packets == nil
      }
      if isWhole { return ready }
    }
  }

  /// The frame that none comes after. Where the task was cancelled, others may come yet.
  private var lastFrame: ReadySampleBuffer? {
    Task.isCancelled ? nil : frames?.withLock { $0.takeLast() }
  }

  private func inFileTime(_ sample: consuming SampleBuffer) -> ReadySampleBuffer {
    var sample = sample
    if offset != .zero {
      let (presentation, decode) = (sample.presentationTime, sample.decodeTime)
      if presentation.isNumeric { sample.presentationTime = presentation + offset }
      if decode.isNumeric { sample.decodeTime = decode + offset }
    }
    return ReadySampleBuffer(sample)
  }
}
