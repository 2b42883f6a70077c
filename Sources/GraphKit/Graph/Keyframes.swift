/// The keyframes of a live parameter, by time.
struct Keyframes: Hashable, Sendable {
  private let frames: [Keyframe]
  private let times: [Int64]
  private let isWhole: Bool

  /// How many one parameter may have: what a control track of ten minutes at 25 frames a second has.
  static let most = 15_000

  /// Whether a value is a list of keyframes, and no value of the parameter's kind.
  static func areWritten(_ value: JSONValue, for kind: ParameterKind) -> Bool {
    guard case .array(let items) = value, case .array? = items.first else { return false }
    return kind.hasKeyframes
  }

  /// Those of the parameters of a node that have any, where nothing is wrong with them.
  static func all(in values: [String: JSONValue], of type: NodeType) -> [String: Keyframes] {
    guard !values.isEmpty else { return [:] }
    return type.parameters.reduce(into: [:]) { found, info in
      guard let value = values[info.name], areWritten(value, for: info.kind) else { return }
      found[info.name] = try? Keyframes(value, of: info)
    }
  }

  /// Reads what a graph file has of them; throws what is wrong with its shape. Whether the parameter
  /// takes the values is for rules to find.
  init(_ value: JSONValue, of info: NodeType.ParameterInfo) throws(NodeError) {
    guard case .array(let items) = value, !items.isEmpty, items.count <= Self.most else {
      throw NodeError(
        "`\(info.name)` has no keyframes, or more than \(Self.most)",
        remedy: "write a list of `[time, value]`", key: info.name)
    }
    var frames: [Keyframe] = []
    var times: [Int64] = []
    for (index, item) in items.enumerated() {
      let frame = try Keyframe(item, key: "\(info.name)[\(index)]")
      // Samples have whole nanoseconds, rounded down: the frame of 1/3 s comes a trifle before it.
      let time = frame.time.nanoseconds(rounding: .towardZero) ?? 0
      guard times.last.map({ $0 < time }) ?? true else {
        throw NodeError(
          "keyframe \(index + 1) of `\(info.name)` isn't later than the one before",
          remedy: "write keyframes by their times, each time once", key: "\(info.name)[\(index)]")
      }
      frames.append(frame)
      times.append(time)
    }
    (self.frames, self.times) = (frames, times)
    if case .integer = info.kind { isWhole = true } else { isWhole = false }
  }

  /// When there are keyframes.
  var moments: [MediaTime] { frames.map(\.time) }

  /// Whether the value changes no more after a time.
  func areOver(at time: MediaTime) -> Bool { (time.nanoseconds ?? 0) >= times[times.count - 1] }

  /// The value at a time: that of the first keyframe before it, and of the last one after it.
  func value(at time: MediaTime) -> JSONValue {
    let now = time.nanoseconds ?? 0
    let next = number(after: now)
    guard next > 0 else { return frames[0].value }
    guard next < frames.count else { return frames[next - 1].value }
    let part = Double(now - times[next - 1]) / Double(times[next] - times[next - 1])
    return between(
      frames[next - 1].value, frames[next].value, frames[next].easing.progress(part))
  }

  /// The number of the first keyframe after a time, found by halves: checks ask for each of thousands.
  private func number(after time: Int64) -> Int {
    var (low, high) = (0, times.count)
    while low < high {
      let middle = (low + high) / 2
      if times[middle] > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private func between(_ first: JSONValue, _ second: JSONValue, _ part: Double) -> JSONValue {
    switch (first, second) {
    case (.number(let first), .number(let second)):
      let value = first + (second - first) * part
      return .number(isWhole ? value.rounded() : value)
    case (.array(let first), .array(let second)) where first.count == second.count:
      return .array(zip(first, second).map { between($0, $1, part) })
    default: return first
    }
  }
}

extension Keyframe {
  fileprivate init(_ item: JSONValue, key: String) throws(NodeError) {
    guard case .array(let parts) = item, (2...3).contains(parts.count),
      case .number(let seconds) = parts[0], (0...Self.longest).contains(seconds)
    else {
      throw NodeError(
        "\(plain(item)) is no keyframe",
        remedy: "write `[time, value]`, or `[time, value, \"easeInOut\"]`; times are from 0 on",
        key: key)
    }
    self.init(at: MediaTime(seconds: seconds, preferredTimescale: 1_000_000_000), parts[1])
    guard parts.count == 3 else { return }
    let words = Easing.allCases.map(\.rawValue)
    guard case .string(let word) = parts[2], let easing = Easing(rawValue: word) else {
      throw NodeError(
        "\(plain(parts[2])) is no easing", remedy: "write one of \(words.joined(separator: ", "))",
        key: key)
    }
    self.easing = easing
  }

  /// A thousand hours.
  private static let longest = 3_600_000.0
}

extension JSONValue {
  /// Keyframes with every time and value that is written with its unit read as a number.
  func readingKeyframes(_ kind: ParameterKind, in unit: String?) -> JSONValue {
    guard case .array(let items) = self else { return self }
    return .array(
      items.map { item in
        guard case .array(var parts) = item, parts.count >= 2 else { return item }
        parts[0] = parts[0].reading(.number(0...0), in: "s")
        parts[1] = parts[1].reading(kind, in: unit)
        return .array(parts)
      })
  }
}
