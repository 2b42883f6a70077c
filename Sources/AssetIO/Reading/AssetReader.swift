public import GraphKit
import GraphKitSystem

/// Reads the samples of a file's tracks, as AVFoundation's `AVAssetReader` does.
///
/// ```swift
/// let asset = try await MediaAsset(path: "talk.mp4")
/// let reader = try AssetReader(asset)
/// let sound = try reader.outputProvider(for: .audio(asset.tracks(.audio)[0], .init(.f32)))
/// try reader.start()
/// for try await block in sound { print(block.presentationTime, block.frameCount) }
/// ```
///
/// Each output has a graph of its own: one that isn't read holds no other up. Safe to use from any
/// task.
public final class AssetReader: Sendable {
  /// How far reading has come.
  public enum Status: String, Sendable {
    /// It hasn't been started.
    case unknown
    /// Samples may be taken.
    case reading
    /// All samples of all outputs were taken; ``AssetReader/warnings`` says what the file lacks.
    case completed
    /// An output can't be read any further; ``AssetReader/error`` says why.
    case failed
    /// It was cancelled.
    case cancelled
  }

  private struct State {
    var providers: [SampleProvider] = []
    var isStarted = false
    var isCancelled = false
  }

  /// What is read.
  public let asset: MediaAsset
  /// Which part of it is read, exact to the sample and to the frame; `nil` for all. Packets are handed
  /// out from that on which decoding the part begins with.
  public let timeRange: MediaTimeRange?
  private let state = Monitor(State())

  /// A reader of an asset, or of a part of it. Throws where no file has such a part.
  public init(_ asset: MediaAsset, timeRange: MediaTimeRange? = nil) throws(NodeError) {
    try timeRange?.check()
    (self.asset, self.timeRange) = (asset, timeRange)
  }

  /// Adds an output, and returns where its samples are taken.
  ///
  /// Throws where the track is of another asset or another kind, where no decoder is installed, where
  /// the wanted format can't be made, and where the reader has been started.
  public func outputProvider(for output: AssetReaderOutput) throws -> SampleProvider {
    let provider = try SampleProvider(output, of: asset, timeRange)
    try state.withLock { state throws(NodeError) in
      guard !state.isStarted, !state.isCancelled else {
        throw NodeError(
          "an output for a reader that has been started", remedy: "add it before `start()`")
      }
      state.providers.append(provider)
    }
    return provider
  }

  /// Why an output can't be added, in words; `nil` where it can.
  public func reasonAgainst(_ output: AssetReaderOutput) -> String? {
    do {
      _ = try ReadingGraph(asset: asset, output: output, range: timeRange).pipeline()
      return nil
    } catch { return "\(error)" }
  }

  /// Whether an output can be added.
  public func canAdd(_ output: AssetReaderOutput) -> Bool { reasonAgainst(output) == nil }

  /// Begins to read. Throws where there is no output, and where it was started or cancelled before.
  public func start() throws(NodeError) {
    let providers = try state.withLock { state throws(NodeError) in
      guard !state.isStarted, !state.isCancelled else {
        throw NodeError(
          state.isCancelled ? "the reader was cancelled" : "the reader was started already",
          remedy: "make another one, or `reset` an output")
      }
      guard !state.providers.isEmpty else {
        throw NodeError("the reader has no output", remedy: "ask for an `outputProvider(for:)`")
      }
      state.isStarted = true
      return state.providers
    }
    for provider in providers { provider.start() }
  }

  /// Ends at once: a caller that waits for a sample gets a `CancellationError`.
  public func cancelReading() {
    let providers = state.withLock { state in
      state.isCancelled = true
      return state.providers
    }
    for provider in providers { provider.cancel() }
  }

  /// How far reading has come.
  public var status: Status {
    let (providers, isStarted, isCancelled) = state.withLock {
      ($0.providers, $0.isStarted, $0.isCancelled)
    }
    let all = providers.map(\.status)
    if all.contains(.failed) { return .failed }
    if isCancelled {
      return all.allSatisfy { $0 == .completed } && isStarted ? .completed : .cancelled
    }
    guard isStarted else { return .unknown }
    return all.allSatisfy { $0 == .completed } ? .completed : .reading
  }

  /// Why reading failed; `nil` where it didn't.
  public var error: (any Error)? {
    state.withLock { $0.providers }.lazy.compactMap(\.error).first
  }

  /// What was out of the ordinary in what has been read; see ``SampleProvider/warnings``.
  public var warnings: [RunWarning] { state.withLock { $0.providers }.flatMap(\.warnings) }
}
