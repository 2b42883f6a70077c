extension FormatConstraint {
  /// Why audio of these channels can't be converted to what `wanted` asks for, where that is known:
  /// GStreamer's converters take at most 63 channels, and mix none where more than 8 enter or
  /// leave, since nothing says which speakers those are.
  public func conversionProblem(to wanted: FormatConstraint) -> NodeError? {
    guard kind == .audio, let count = channels.first, channels.count == 1 else { return nil }
    guard count <= Self.mostConvertedChannels else {
      return NodeError(
        "\(count) channels enter, and a converter takes at most \(Self.mostConvertedChannels)",
        remedy: "give it audio of fewer channels")
    }
    let fitting = wanted.channels
    guard let nearest = fitting.min(by: { abs($0 - count) < abs($1 - count) }),
      !fitting.contains(count), max(count, nearest) > Self.mostMixedChannels
    else { return nil }
    return NodeError(
      "\(count == 1 ? "1 channel enters" : "\(count) channels enter"), which can't be mixed to "
        + "\(nearest): of more than \(Self.mostMixedChannels) nothing says which speakers they are",
      remedy: "give it audio of \(nearest) channel\(nearest == 1 ? "" : "s")")
  }

  private static let mostConvertedChannels = 63
  private static let mostMixedChannels = 8
}
