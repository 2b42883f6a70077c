extension RunRequest {
  /// What the words after `graphctl run` ask for, where these are nothing but one file, flags, and
  /// options with a value in the next word. `nil` for all others, right or wrong: they are
  /// ArgumentParser's, which takes as long over any as a small graph takes to run.
  init?(plain words: some Sequence<String>) {
    self.init(graph: GraphFile(path: ""))
    var words = EventKinds.joining(Array(words)).makeIterator()
    while let word = words.next() {
      if take(flag: word) { continue }
      guard word.utf8.first == UInt8(ascii: "-") else {
        guard graph.path.isEmpty, !word.isEmpty else { return nil }
        graph.path = word
        continue
      }
      guard let value = words.next(), !value.isEmpty, value.utf8.first != UInt8(ascii: "-"),
        take(value, for: word)
      else { return nil }
    }
    if graph.path.isEmpty { return nil }
  }

  private mutating func take(flag word: String) -> Bool {
    switch word {
    case "--overwrite": overwrites = true
    case "--quiet", "-q": options.isQuiet = true
    default: return take(events: word)
    }
    return true
  }

  private mutating func take(events word: String) -> Bool {
    guard word.hasPrefix("--events="), options.events.isEmpty,
      let list = try? EventKinds(String(word.dropFirst("--events=".count)))
    else { return false }
    options.events = list.kinds
    return true
  }

  private mutating func take(_ value: String, for option: String) -> Bool {
    switch option {
    case "--set":
      guard let setting = try? Setting(value) else { return false }
      graph.settings.append(setting)
    case "--plugin": graph.plugins.append(value)
    case "--report" where options.report == nil: options.report = value
    case "--trace" where options.trace == nil: options.trace = value
    case "--control" where options.control == nil: options.control = value
    default: return false
    }
    return true
  }
}
