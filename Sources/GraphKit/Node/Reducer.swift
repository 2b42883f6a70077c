/// A summary of a stretch of audio, which grows block by block.
///
/// A summary begins at some frame of its stream, counted from the stream's first, and takes the
/// frames that follow in order. It belongs to one thread at a time.
public protocol Reducer: Sendable {
  /// Takes the frames that follow those it has; the block can't be kept. Throws where it can't
  /// measure samples of that kind, which fails the run.
  mutating func add(_ block: borrowing PCMBlock) throws(NodeError)
}

/// A summary that may be made in pieces.
///
/// The law: however a stream is cut, the summaries of its pieces, merged in order, equal the one
/// of the whole, bit for bit. The engine relies on it to reduce on all cores, and on several
/// machines: there summaries are written to files, by what `Codable` has them write of themselves, and
/// one that is read is equal to the one that was written.
public protocol AssociativeReducer: Reducer, Equatable, Codable {
  /// Takes the summary of the frames that follow those it has. Where some are missing in between,
  /// they count as silence that isn't measured: they change nothing.
  mutating func merge(_ next: consuming Self)

  /// The frame after the last one taken.
  var endFrame: Int { get }

  /// Whether it may be merged into a summary that was read of a file: both are of one format, made with
  /// the same settings, and its frames follow. By default all are. What a summary says of itself alone
  /// is checked by its `init(from:)`, which throws.
  func continues(_ before: Self) -> Bool
}

extension AssociativeReducer {
  public func continues(_ before: Self) -> Bool { true }
}

/// A node that reduces audio to a summary, and sends what it makes of it.
///
/// The engine calls ``SwiftNode``'s functions, which this protocol has: an author writes
/// ``makeSummary(of:from:)`` and ``send(_:to:)``. Where ``Summary`` is an ``AssociativeReducer``
/// the engine may make many summaries at once, of pieces, and merge them.
public protocol ReducerNode: SwiftNode {
  /// What the node gathers.
  associatedtype Summary: Reducer

  /// An empty summary that takes frames of a format, from a frame of the stream on, which counts
  /// from 0. Called on the thread that adds to the summary, once for each piece of a stream.
  func makeSummary(of format: AudioFormat, from frame: Int) throws(NodeError) -> Summary

  /// Sends what the node makes of a whole stream. It announces the format of what it sends.
  func send(_ summary: consuming Summary, to outputs: NodeOutputs) throws

  /// Sends what is complete already, at times, while a stream goes on. By default nothing.
  mutating func sendCompleted(_ summary: inout Summary, to outputs: NodeOutputs) throws

  /// The summary of the stream that runs; `nil` before it has a format.
  var summary: Summary? { get set }

  /// The frame after the last one that the node needs of audio at a sample rate; `nil` where it
  /// needs all. What follows need not be read. By default all is needed.
  func endFrame(at sampleRate: Int) -> Int?
}

/// A reducer node whose streams may be reduced in pieces, on all cores.
public protocol AssociativeReducerNode: ReducerNode where Summary: AssociativeReducer {}

extension ReducerNode {
  public mutating func sendCompleted(_ summary: inout Summary, to outputs: NodeOutputs) throws {}

  public func endFrame(at sampleRate: Int) -> Int? { nil }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .audio(let audio) = format.format else {
      throw NodeError("\(format) is not raw audio", remedy: "wire raw audio here", key: "in")
    }
    if let summary {
      self.summary = nil
      try send(summary, to: outputs)
    }
    summary = try makeSummary(of: audio, from: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    // Taken out and put back: a copy of the summary would copy all that it holds.
    guard var current = summary.take() else { return }
    try sample.withPCM { block throws(NodeError) in try current.add(block) }
    try sendCompleted(&current, to: outputs)
    summary = current
  }

  public mutating func finish(to outputs: NodeOutputs) throws {
    guard let summary else { return }
    self.summary = nil
    try send(consume summary, to: outputs)
  }
}
