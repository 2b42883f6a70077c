import GStreamer
import Synchronization

/// A piece's summary, while it grows and on its way to the node that merges the pieces.
///
/// It gives its summary up to the one who takes it: a second reference would have it copied. While
/// it grows the summary stays where it is, too: its kind is known only to the graph, so that moving
/// one is a call for each of its parts.
final class Piece<Summary: AssociativeReducer>: Sendable {
  let start: Int
  /// Frames a second.
  let rate: Int
  private let summary: Mutex<Summary?>

  init(start: Int, rate: Int, summary: Summary) {
    (self.start, self.rate) = (start, rate)
    self.summary = Mutex(summary)
  }

  func add(_ block: borrowing PCMBlock) throws {
    try summary.withLock { summary in try summary?.add(block) }
  }

  /// The summary; `nil` where it has been taken already.
  func take() -> Summary? { summary.withLock { $0.take() } }
}

enum PieceFormat {
  static let caps = "application/x-graphkit-piece"
}

extension AssociativeReducerNode {
  /// A node that reduces a share of the frames of a stream.
  func piece(of share: PieceShare) -> any SwiftNode { PieceReduction(self, share: share) }

  /// A node that puts the summaries of so many of them together; those of a part of the stream that
  /// begins at `partStart` to the bytes of a file, and otherwise to what the node makes of them.
  func merger(of count: Int, partFrom partStart: Int?) -> any SwiftNode {
    MergeReduction(self, count: count, partFrom: partStart)
  }
}

/// Reduces pieces of a stream: frames are placed by their samples' times.
struct PieceReduction<N: AssociativeReducerNode>: SwiftNode {
  private let node: N
  private let share: PieceShare
  private var format: AudioFormat?
  private var current: Piece<N.Summary>?
  /// Where the current piece ends so far.
  private var endFrame = 0
  private var pieceFormat: FormatDescription?

  init() { self.init(N(), share: .whole) }

  init(_ node: N, share: PieceShare) {
    self.node = node
    self.share = share
  }

  static var declaration: NodeDeclaration<Self> {
    NodeDeclaration(
      "\(N.declaration.name)Piece", role: .reducer, help: "Reduces pieces of a stream.",
      example: "")
  }

  static var ports: TransformPorts<Audio, AnyMedia> {
    TransformPorts(FormatConstraint(.audio), FormatConstraint(.any))
  }

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .audio(let audio) = format.format else {
      throw NodeError("\(format) is not raw audio", remedy: "wire raw audio here", key: "in")
    }
    // Frames are counted at one sampling rate; on one core, too, what follows would be refused.
    if let known = self.format, known != audio {
      throw NodeError(
        "the audio format changes from \(MediaFormat.audio(known)) to \(format)",
        remedy: "convert it to one format first", key: "in")
    }
    try sendPiece(to: outputs)
    self.format = audio
    let pieces = try FormatDescription(.other(caps: PieceFormat.caps))
    pieceFormat = pieces
    try outputs.announce(pieces, on: 0)
  }

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let format else { return }
    let time = sample.presentationTime
    let start = time.isNumeric ? time.frames(at: format.sampleRate) : endFrame
    try sample.withPCM { block in try add(&block, from: start, of: format, outputs) }
  }

  private mutating func add(
    _ block: inout PCMBlock, from start: Int, of format: AudioFormat, _ outputs: NodeOutputs
  ) throws {
    let end = start + block.frameCount
    var frame = start
    while let run = share.run(from: frame, to: end) {
      if endFrame != run.lowerBound { try sendPiece(to: outputs) }
      let piece =
        try current
        ?? Piece(
          start: run.lowerBound, rate: format.sampleRate,
          summary: node.makeSummary(of: format, from: run.lowerBound))
      block.select(run.lowerBound - start..<run.upperBound - start)
      try piece.add(block)
      (current, endFrame, frame) = (piece, run.upperBound, run.upperBound)
    }
  }

  mutating func finish(to outputs: NodeOutputs) throws { try sendPiece(to: outputs) }

  private mutating func sendPiece(to outputs: NodeOutputs) throws {
    guard let piece = current.take(), let pieceFormat else { return }
    var sample = SampleBuffer(byteCount: 0, format: pieceFormat)
    sample.buffer.attachment = piece
    try outputs.send(sample)
  }
}

/// Puts the summaries of pieces together, in the order of the stream.
struct MergeReduction<N: AssociativeReducerNode>: SwiftNode {
  private var node: N
  private let count: Int
  /// The frame at which a part of the stream begins; `nil` where all of it is reduced here.
  private let partStart: Int?
  private var merged: N.Summary?
  /// Pieces that came before those in front of them, by where they start.
  private var waiting: [Int: N.Summary] = [:]
  /// Where the last piece of each input starts: those that follow start later.
  private var latest: [Int]
  private var rate = 0
  private var gaps = SoundGap()

  init() { self.init(N(), count: 1, partFrom: nil) }

  init(_ node: N, count: Int, partFrom partStart: Int?) {
    (self.node, self.count, self.partStart) = (node, count, partStart)
    latest = Array(repeating: -1, count: count)
  }

  static var declaration: NodeDeclaration<Self> {
    NodeDeclaration(
      "\(N.declaration.name)Merge", role: .reducer, help: "Puts the pieces together.", example: "")
  }

  static var ports: SinkPorts<AnyMedia> { SinkPorts(help: "Pieces.") }

  /// The ports of the node that it stands for, with an input for each reducer of pieces.
  var portDeclarations: [PortDeclaration] {
    let outputs =
      partStart == nil
      ? node.portDeclarations.filter { $0.direction == .output }
      : [PortDeclaration("part", .output, FormatConstraint(.any), help: "A part's summary.")]
    return (1...count).map {
      PortDeclaration("in.\($0)", .input, FormatConstraint(.any), help: "Pieces.")
    } + outputs
  }

  mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {}

  mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let piece = sample.buffer.attachment as? Piece<N.Summary> else { return }
    waiting[piece.start] = piece.take()
    latest[input] = piece.start
    rate = piece.rate
    // Where frames are missing, the piece after them is the next once no earlier one can come.
    let known = latest.min() ?? -1
    while let start = waiting.keys.min(), start <= known || start == end,
      let next = waiting.removeValue(forKey: start)
    {
      append(next, from: start, outputs)
    }
    guard partStart == nil, var whole = merged.take() else { return }
    try node.sendCompleted(&whole, to: outputs)
    merged = whole
  }

  /// Where what is merged ends.
  private var end: Int { merged?.endFrame ?? partStart ?? 0 }

  private mutating func append(_ next: N.Summary, from start: Int, _ outputs: NodeOutputs) {
    // Of a stream that was cut, the first packets can't be decoded.
    let least = end == 0 ? rate / 10 : 0
    if start > end + least {
      let times = [end, start].map { MediaTime(frames: $0, at: rate) }
      if let message = gaps.message(from: times[0], to: times[1]) { outputs.warn(message) }
    }
    guard var whole = merged.take() else {
      merged = next
      return
    }
    whole.merge(next)
    merged = whole
  }

  mutating func finish(to outputs: NodeOutputs) throws {
    for start in waiting.keys.sorted() {
      if let piece = waiting.removeValue(forKey: start) { append(piece, from: start, outputs) }
    }
    guard let merged else { return }
    self.merged = nil
    node.summary = nil
    guard partStart != nil else { return try node.send(consume merged, to: outputs) }
    let format = try FormatDescription(.other(caps: PartFile.caps))
    try outputs.announce(format, on: 0)
    try outputs.send(SampleBuffer(bytes: PartFile.bytes(of: merged), format: format))
  }
}

extension MediaTime {
  /// The nearest frame at a sampling rate. At rates that only a damaged file has, one that leaves
  /// room to count on from.
  func frames(at rate: Int) -> Int {
    guard let nanoseconds else { return 0 }
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let whole = Int128(seconds) * Int128(rate)
    let part = (Int128(rest) * Int128(rate) + 500_000_000) / 1_000_000_000
    return Int(min(max(whole + part, -1 << 60), 1 << 60))
  }
}
