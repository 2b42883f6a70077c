import GraphKitSystem

/// Places of a file at which its reader finds nothing that it knows. Readers look for what comes after
/// them that they can read, and don't say what they left out.
package enum FileDamage {
  /// Where a file is first damaged between its beginning and its end, in words; `nil` where it isn't, and
  /// of containers that don't let it be seen. All of the file is looked through.
  package static func first(in path: String, _ file: File) -> String? {
    guard let head = try? file.read(at: 0, count: 64) else { return nil }
    let place: Int?
    switch Array(head.prefix(4)) {
    case [0x1a, 0x45, 0xdf, 0xa3]: place = try? MatroskaExtent.firstDamage(file, head)
    case Array("OggS".utf8): place = try? OggExtent.firstDamage(file)
    case Array("FLV\u{1}".utf8): place = try? FlashTagWalk.firstDamage(file)
    default: place = nil
    }
    return place.map { "`\(path)` is damaged at byte \($0)" }
  }
}

/// The tags of a Flash video (Video File Format Specification 10.1, E.4), one after the other.
private enum FlashTagWalk {
  /// Where the first tag is that isn't one of audio, video or data. Writers are wrong about the lengths
  /// between them.
  static func firstDamage(_ file: File) throws(File.Failure) -> Int? {
    let head = try file.read(at: 0, count: 9)
    guard head.count == 9 else { return nil }
    // After the header, and after each tag, is the length of what came before.
    var place = number(head[5..<9]) + 4
    while place + 11 <= file.size {
      let tag = try file.read(at: place, count: 11)
      guard [8, 9, 18].contains(tag[0] & 0x1f), number(tag[8..<11]) == 0 else { return place }
      place += 11 + number(tag[1..<4]) + 4
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
