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
    case Array("OggS".utf8): place = try? OggPageWalk.firstDamage(file)
    case Array("FLV\u{1}".utf8): place = try? FlashTagWalk.firstDamage(file)
    default: place = nil
    }
    return place.map { "`\(path)` is damaged at byte \($0)" }
  }
}

extension MatroskaExtent {
  /// Where the first element is that isn't one of a file, of its segment or of a cluster, nor leads to
  /// such, or that goes beyond the end; only the elements' headers are read. What was recorded live may
  /// end anywhere.
  fileprivate static func firstDamage(_ file: File, _ head: [UInt8]) throws(File.Failure) -> Int? {
    var elements = EBMLElements(file: file)
    let stated = end(head)
    let limit = min(stated ?? elements.size, elements.size)
    while elements.offset < limit {
      let place = elements.offset
      guard let element = try elements.next() else { return place }
      if element.id == segment || element.id == cluster {
        elements.offset = element.start
        continue
      }
      guard let next = element.end, next <= limit else {
        return stated == nil && isKnown(element.id) ? nil : place
      }
      elements.offset = next
      if isKnown(element.id) || next == limit { continue }
      guard let following = try elements.next(), isKnown(following.id) else { return place }
    }
    return nil
  }

  private static func isKnown(_ id: Int) -> Bool { isPart(id) || isOfCluster(id) }

  private static let cluster = 0x1f43_b675

  private static func isOfCluster(_ id: Int) -> Bool {
    // Timestamp, SilentTracks, Position, PrevSize, SimpleBlock, BlockGroup, EncryptedBlock
    [0xe7, 0x5854, 0xa7, 0xab, 0xa3, 0xa0, 0xaf].contains(id)
  }
}

/// The pages of an Ogg file (RFC 3533, 6), one after the other.
private enum OggPageWalk {
  /// Where the first page is that isn't one, whose bytes aren't those of its checksum, or that isn't
  /// the next of its stream; `nil`, too, of a file that ends within a page.
  static func firstDamage(_ file: File) throws(File.Failure) -> Int? {
    var (place, numbers) = (0, [UInt32: UInt32]())
    while place < file.size {
      let head = try file.read(at: place, count: 27 + 255)
      guard let size = size(head) else { return head.count < 27 + 255 ? nil : place }
      var page = try file.read(at: place, count: size)
      guard page.count == size else { return nil }
      let (serial, number, sum) = (word(page, 14), word(page, 18), word(page, 22))
      page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
      let isFirst = page[5] & 2 != 0
      guard OggPage.checksum(page, from: 0) == sum,
        isFirst || numbers[serial].map({ number == $0 &+ 1 }) ?? true
      else { return place }
      numbers[serial] = number
      place += size
    }
    return nil
  }

  private static func size(_ head: [UInt8]) -> Int? {
    guard head.count >= 27, head.starts(with: Array("OggS".utf8) + [0]) else { return nil }
    let segments = Int(head[26])
    guard head.count >= 27 + segments else { return nil }
    return 27 + segments + head[27..<27 + segments].reduce(0) { $0 + Int($1) }
  }

  private static func word(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << (8 * UInt32($1)) }
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
