import GraphKitSystem

/// The tags of a Flash video (Video File Format Specification 10.1, E.4), one after the other.
enum FlashTags {
  /// Where the first tag is that isn't one of audio, video or data. Writers are wrong about the lengths
  /// between them.
  static func firstDamage(_ file: File) throws(File.Failure) -> Int? {
    try walk(file).damage
  }

  /// What is missing of a file, in words; `nil` where it isn't one of these, or ends with a tag.
  static func shortfall(of path: String, _ file: File, _ head: [UInt8]) throws(File.Failure)
    -> String?
  {
    guard head.starts(with: [0x46, 0x4c, 0x56, 1]), try !endsWithTag(file) else { return nil }
    let end = try walk(file)
    // Some lack the length after their last tag, or have zeros behind it.
    guard end.damage == nil, ![0, 4].contains(end.place - file.size) else { return nil }
    let rest = end.place < file.size ? try file.read(at: end.place, count: 11) : [1]
    guard rest.contains(where: { $0 != 0 }) else { return nil }
    return "`\(path)` was cut off: it ends within a tag"
  }

  /// Whether the file's last bytes are the length of the tag before them, so that it needn't be walked
  /// through.
  private static func endsWithTag(_ file: File) throws(File.Failure) -> Bool {
    guard file.size > 13 + 15 else { return false }
    let length = number(try file.read(at: file.size - 4, count: 4)[...])
    guard (11..<file.size - 13).contains(length) else { return false }
    let tag = try file.read(at: file.size - 4 - length, count: 4)
    return tag.count == 4 && isTag(tag[0]) && number(tag[1...]) == length - 11
  }

  /// Where the first tag is that isn't one, and the end of the last that is.
  private static func walk(_ file: File) throws(File.Failure) -> (damage: Int?, place: Int) {
    let head = try file.read(at: 0, count: 9)
    guard head.count == 9 else { return (nil, 0) }
    // After the header, and after each tag, is the length of what came before.
    var place = number(head[5..<9]) + 4
    while place + 11 <= file.size {
      let tag = try file.read(at: place, count: 11)
      guard tag.count == 11 else { break }
      guard isTag(tag[0]), number(tag[8..<11]) == 0 else { return (place, place) }
      place += 11 + number(tag[1..<4]) + 4
    }
    return (nil, place)
  }

  private static func isTag(_ type: UInt8) -> Bool { [8, 9, 18].contains(type & 0x1f) }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
