/// A value that a live parameter has at a moment, and how it comes there.
///
/// Graph files write them as lists: `"opacity": [[0, 0], [2, 1, "easeOut"]]`. Numbers and lists of
/// numbers go from one value to the next; words, text and switches change at the keyframe's time.
public struct Keyframe: Hashable, Sendable {
  /// How a number goes from the keyframe before to this one.
  public enum Easing: String, CaseIterable, Sendable {
    /// At one speed.
    case linear
    /// Slowly first: the square of the time.
    case easeIn
    /// Slowly last: the same from the end.
    case easeOut
    /// Slowly at both ends: `3t² - 2t³`.
    case easeInOut
    /// Not at all: it stays as it was, and changes at the keyframe's time.
    case hold

    /// The part of the way at a part of the time, each from 0 to 1.
    func progress(_ time: Double) -> Double {
      switch self {
      case .linear: time
      case .easeIn: time * time
      case .easeOut: time * (2 - time)
      case .easeInOut: time * time * (3 - 2 * time)
      case .hold: 0
      }
    }
  }

  /// The presentation time, as the node sees it.
  public var time: MediaTime
  /// The value from then on.
  public var value: JSONValue
  /// How it comes there from the keyframe before.
  public var easing: Easing

  /// A keyframe.
  public init(at time: MediaTime, _ value: JSONValue, _ easing: Easing = .linear) {
    (self.time, self.value, self.easing) = (time, value, easing)
  }

  /// As graph files write it.
  var json: JSONValue {
    let easing: [JSONValue] = easing == .linear ? [] : [.string(easing.rawValue)]
    return .array([.number(time.seconds), value] + easing)
  }
}

extension ParameterKind {
  /// Whether a parameter of the kind may have keyframes where it is live. Lists of records may not:
  /// what is one of them, and what a keyframe?
  var hasKeyframes: Bool {
    switch self {
    case .bool, .integer, .number, .numberOrWord, .string, .choice: true
    case .list(.number, _), .tuple(.number, _): true
    case .list, .tuple, .path, .rational, .object, .record: false
    }
  }
}
