import GraphKit

/// Ways to cut the same audio into blocks: an effect must give the same for all of them.
public enum BlockCut: String, Hashable, Sendable, CaseIterable {
  /// All in one block.
  case whole
  /// Each frame a block of its own.
  case oneFrame
  /// Blocks of sizes that fit nothing: 1, 7, 64, 3, 1021 frames, and again.
  case odd

  /// The blocks that some frames are cut into.
  public func blocks(of frameCount: Int) -> [Range<Int>] {
    let sizes = sizes(frameCount)
    var blocks: [Range<Int>] = []
    var start = 0
    while start < frameCount {
      let end = min(frameCount, start + sizes[blocks.count % sizes.count])
      blocks.append(start..<end)
      start = end
    }
    return blocks
  }

  private func sizes(_ frameCount: Int) -> [Int] {
    switch self {
    case .whole: [frameCount]
    case .oneFrame: [1]
    case .odd: [1, 7, 64, 3, 1021]
    }
  }
}

/// Runs a fresh node on the same PCM samples in every ``BlockCut``, and returns what came out,
/// which must be the same each time; else throws
/// ``HarnessError/cutDiffers(_:index:whole:found:)``.
///
/// - Parameters:
///   - values: interleaved samples; a planar format's blocks are made of them.
///   - format: what the samples are.
///   - makeNode: makes the node, with one audio input and one audio output.
public func outputOfEveryCut<N: SwiftNode, Value: BitwiseCopyable & Equatable>(
  of values: [Value], format: AudioFormat, _ makeNode: () -> N
) throws -> [Value] {
  let whole = try output(of: values, format, .whole, makeNode())
  for cut in BlockCut.allCases where cut != .whole {
    let found = try output(of: values, format, cut, makeNode())
    guard found != whole else { continue }
    let index = zip(found, whole).enumerated().first { $1.0 != $1.1 }?.offset
    let place = index ?? min(found.count, whole.count)
    throw HarnessError.cutDiffers(
      cut, index: place, whole: whole[checked: place].map { "\($0)" },
      found: found[checked: place].map { "\($0)" })
  }
  return whole
}

private func output<N: SwiftNode, Value: BitwiseCopyable>(
  of values: [Value], _ format: AudioFormat, _ cut: BlockCut, _ node: N
) throws -> [Value] {
  let harness = NodeHarness(node)
  let channels = max(1, format.channels)
  for block in cut.blocks(of: values.count / channels) {
    let part = Array(values[block.lowerBound * channels..<block.upperBound * channels])
    try harness.push(format.layout == .planar ? part.planar(channels) : part, format: format)
  }
  try harness.finish()
  return try harness.samples().flatMap { sample -> [Value] in
    let values = sample.values(as: Value.self)
    guard case .audio(let audio) = sample.format, audio.layout == .planar else { return values }
    return values.interleaved(max(1, audio.channels))
  }
}

extension Array {
  /// Interleaved values as one channel after another.
  func planar(_ channels: Int) -> [Element] {
    (0..<channels).flatMap { channel in
      stride(from: channel, to: count, by: channels).map { self[$0] }
    }
  }

  /// Values that lie channel after channel, interleaved.
  func interleaved(_ channels: Int) -> [Element] { planar(Swift.max(1, count / channels)) }

  subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
