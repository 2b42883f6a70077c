import GraphKit

/// What encoded video is for: a set of an encoder's parameters, each of which may be given beside it.
///
/// The sets are in `docs/encoders.md`, parameter by parameter.
public enum EncoderPurpose: String, CaseIterable, Sendable {
  /// Small, for players on the web, which seek often.
  case web
  /// Nearly without loss, for work that goes on later.
  case archive
  /// Made at once, for a look at it.
  case preview

  /// The help of the parameter.
  static let help =
    "What it is for: sets quality, speed and key frames, as far as they aren't given."

  /// The value for a purpose.
  func choose<Value>(web: Value, archive: Value, preview: Value) -> Value {
    switch self {
    case .web: web
    case .archive: archive
    case .preview: preview
    }
  }

  /// The most frames from one key frame to the next.
  var keyFrameInterval: Int { choose(web: 120, archive: 250, preview: 30) }
}

extension EncoderPurpose? {
  /// The most frames from one key frame to the next, where nothing says.
  var keyFrameInterval: Int { self?.keyFrameInterval ?? 60 }
}
