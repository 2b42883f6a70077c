/// Which of two passes over the same frames an encoder makes.
public enum EncodingPass: Hashable, Sendable {
  /// It learns how hard the frames are to encode; what it makes of them is thrown away.
  case first
  /// It encodes them, and spends its bits by what the first has learned.
  case second
}
