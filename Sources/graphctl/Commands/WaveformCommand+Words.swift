extension WaveformCommand {
  /// What the words after `graphctl waveform` ask for, where these are nothing but files, flags,
  /// and options for data files with a value in the next word. `nil` for all others, right or
  /// wrong: they are ArgumentParser's, which takes longer over any than a second of audio to be
  /// reduced.
  init?(plain words: some Sequence<String>) {
    self.init()
    (files, reduction, picture) = (.unset, .unset, .unset)
    (overwriting, printGraph, quiet) = (.unset, false, false)
    var words = words.makeIterator()
    while let word = words.next() {
      if take(flag: word) { continue }
      guard word.utf8.first == UInt8(ascii: "-") else {
        guard files.file == nil, !word.isEmpty else { return nil }
        files.file = word
        continue
      }
      guard let value = words.next(), !value.isEmpty, value.utf8.first != UInt8(ascii: "-"),
        take(value, for: word)
      else { return nil }
    }
    guard !files.outputKind.isPicture, (try? files.validate()) != nil, (try? validate()) != nil
    else { return nil }
  }

  private mutating func take(flag word: String) -> Bool {
    switch word {
    case "--overwrite": overwriting.overwrite = true
    case "--print-graph": printGraph = true
    case "--quiet", "-q": quiet = true
    case "--split-channels": reduction.splitChannels = true
    default: return false
    }
    return true
  }

  /// Takes an option that wasn't there before.
  private mutating func take(_ value: String, for option: String) -> Bool {
    switch option {
    case "-i", "--input-filename": Self.set(&files.inputFilename, value)
    case "-o", "--output-filename": Self.set(&files.outputFilename, value)
    case "-z", "--zoom": Self.set(&reduction.zoom, .init(argument: value))
    case "-b", "--bits": Self.set(&reduction.bits, Int(value))
    case "-e", "--end": Self.set(&reduction.end, Double(value))
    case "--pixels-per-second": Self.set(&reduction.pixelsPerSecond, Double(value))
    case "--points": Self.set(&reduction.points, Int(value))
    default: false
    }
  }

  private static func set<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
    guard place == nil, let value else { return false }
    place = value
    return true
  }
}
