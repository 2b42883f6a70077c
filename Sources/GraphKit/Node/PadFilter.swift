/// What is done to the samples that pass a port of an element node, on their way past its pad.
public enum PadFilter: Sendable {
  /// Samples of floating-point audio that are larger are cut to a magnitude, and those that aren't
  /// finite numbers become silence.
  case bounded(to: Double)
  /// Video whose stream doesn't say the matrix of its colours passes with the usual one of its size.
  case completedColors
  /// Audio whose channels can't be converted to a format ends the run as it comes.
  case convertible(to: FormatConstraint)
  /// Packets of Opus pass with the times and lengths that muxers need, and without the headers that
  /// come in a stream from Ogg.
  case timedOpusPackets
  /// The node's own function changes each sample, on the streaming thread; an error ends the run.
  case samples(@Sendable (inout SampleBuffer) throws -> Void)
}
