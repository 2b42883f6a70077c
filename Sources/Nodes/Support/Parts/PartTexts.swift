import Containers

/// Texts of a movie in parts, which wait until it is known in which parts they are shown: one that is shown
/// where a part begins goes on there.
struct PartTexts {
  private var held: [Int: [PartSplitter.Held]] = [:]

  /// Whether texts of a track wait.
  func isEmpty(_ track: Int) -> Bool { held[track, default: []].isEmpty }

  /// How many bytes wait.
  var byteCount: Int { held.values.joined().reduce(0) { $0 + $1.bytes.count } }

  mutating func add(_ text: PartSplitter.Held, to track: Int) {
    held[track, default: []].append(text)
  }

  /// The texts of the part, in the order in which they begin: those that end by a time.
  mutating func take(endingBy time: Int64) -> [(text: PartSplitter.Held, track: Int)] {
    var taken: [(text: PartSplitter.Held, track: Int)] = []
    for track in held.keys.sorted() {
      let texts = held[track, default: []]
      let count = texts.firstIndex { $0.sample.end > time } ?? texts.count
      guard count > 0 else { continue }
      held[track] = Array(texts[count...])
      taken += texts[..<count].map { ($0, track) }
    }
    return taken
  }

  /// What is shown of texts before a time at which a part begins. What is shown of them from then on
  /// waits.
  mutating func cut(at time: Int64) -> [(text: PartSplitter.Held, track: Int)] {
    var before: [(text: PartSplitter.Held, track: Int)] = []
    for track in held.keys.sorted() {
      held[track] = held[track, default: []].compactMap { text in
        if text.sample.presentation < time { before.append((text.lasting(to: time), track)) }
        return text.sample.end > time ? text.lasting(from: time) : nil
      }
    }
    return before
  }
}

extension MovieSample {
  /// When it ends, however long it says that it is.
  fileprivate var end: Int64 {
    let (end, isTooFar) = presentation.addingReportingOverflow(max(0, duration))
    return isTooFar ? .max : end
  }
}

extension PartSplitter.Held {
  fileprivate func lasting(to time: Int64) -> Self {
    var text = self
    text.sample.duration = min(text.sample.end, time) - text.sample.presentation
    return text
  }

  fileprivate func lasting(from time: Int64) -> Self {
    guard sample.presentation < time else { return self }
    var text = self
    text.sample.duration = sample.end - time
    (text.sample.presentation, text.sample.decode) = (time, time)
    return text
  }
}
