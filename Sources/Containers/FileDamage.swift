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
    case Array("FLV\u{1}".utf8): place = try? FlashTags.firstDamage(file)
    default: place = nil
    }
    return place.map { "`\(path)` is damaged at byte \($0)" }
  }
}
