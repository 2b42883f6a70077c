import GraphKit

/// The law of an `AssociativeReducer`: any cut of a stream, merged, gives what the whole gives, also
/// where the summaries are written to files and read before they are merged.
public enum ReducerLaw {
  /// The summary of a sample that is cut at some frames, in order, with the pieces merged from the
  /// left, or from the right where `fromRight` says so. Throws where the cuts aren't in order, or one is
  /// none of the sample's, and what the node throws.
  public static func summary<N: AssociativeReducerNode>(
    of node: N, _ sample: borrowing SampleBuffer, cutAt cuts: [Int], fromRight: Bool = false
  ) throws(NodeError) -> N.Summary? {
    guard case .audio(let format) = sample.format.format else { return nil }
    let ends = [0] + cuts + [sample.frameCount]
    guard zip(ends, ends.dropFirst()).allSatisfy({ $0 <= $1 }) else {
      throw NodeError(
        "cuts at \(cuts) of a sample of \(sample.frameCount) frames",
        remedy: "give them in order, each from 0 to the number of frames")
    }
    var pieces: [N.Summary] = []
    for (start, end) in zip(ends, ends.dropFirst()) {
      var summary = try node.makeSummary(of: format, from: start)
      try sample.withPCM { block throws(NodeError) in
        block.select(start..<end)
        try summary.add(block)
      }
      do { pieces.append(try summary.rewritten()) } catch {
        throw NodeError(
          "a summary can't be read as it was written", remedy: "look at its `Codable`")
      }
    }
    return merge(pieces, fromRight: fromRight)
  }

  private static func merge<Summary: AssociativeReducer>(
    _ pieces: [Summary], fromRight: Bool
  ) -> Summary? {
    guard var result = fromRight ? pieces.last : pieces.first else { return nil }
    if fromRight {
      for piece in pieces.dropLast().reversed() {
        var left = piece
        left.merge(result)
        result = left
      }
    } else {
      for piece in pieces.dropFirst() { result.merge(piece) }
    }
    return result
  }
}
