import GraphKitSystem

/// Where a Matroska file ends by its header, and where it is damaged.
enum MatroskaExtent {
  /// Where a Matroska file is damaged so that its reader finds no more of it: where one of its parts
  /// ends, none begins (RFC 9559, 5.1), nor one of a kind that isn't known and leads to another. `nil`
  /// where there is no such place, and of a live one, which doesn't say where it ends. The parts' headers
  /// alone are read.
  static func damage(_ file: File, _ head: [UInt8]) throws(File.Failure) -> Int? {
    // A server would be asked for each header on its own.
    guard file.web == nil, let end = end(head), end <= file.size else { return nil }
    var elements = EBMLElements(file: file)
    while elements.offset < end {
      let place = elements.offset
      guard let element = try elements.next() else { return place }
      if element.id == segment {
        elements.offset = element.start
      } else if let next = element.end, next > place, next <= end {
        elements.offset = next
        if isPart(element.id) || next == end { continue }
        guard let following = try elements.next(), isPart(following.id) else { return place }
      } else {
        return isPart(element.id) && element.end == nil ? nil : place
      }
    }
    return nil
  }

  /// Where the first element is that isn't one of a file, of its segment or of a cluster, nor leads to
  /// such, or that goes beyond the end; only the elements' headers are read. What was recorded live may
  /// end anywhere.
  static func firstDamage(_ file: File, _ head: [UInt8]) throws(File.Failure) -> Int? {
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

  private static let segment = 0x1853_8067

  /// Whether an element is the file's header or segment, one of the segment's own, or one of those that
  /// may be anywhere.
  private static func isPart(_ id: Int) -> Bool {
    switch id {
    case 0x1a45_dfa3, segment: true
    // SeekHead, Info, Tracks, Cluster, Cues, Attachments, Chapters, Tags
    case 0x114d_9b74, 0x1549_a966, 0x1654_ae6b, 0x1f43_b675, 0x1c53_bb6b, 0x1941_a469, 0x1043_a770,
      0x1254_c367:
      true
    // Void, CRC-32
    case 0xec, 0xbf: true
    default: false
    }
  }

  /// Where the segment of a Matroska file ends (RFC 8794, 4 and RFC 9559, 5.1); a live one doesn't
  /// say.
  static func end(_ head: [UInt8]) -> Int? {
    guard head.starts(with: [0x1a, 0x45, 0xdf, 0xa3]), let header = EBML.number(head, 4) else {
      return nil
    }
    let offset = header.end + header.value
    guard offset < head.count - 12, head[offset...].starts(with: [0x18, 0x53, 0x80, 0x67]),
      let segment = EBML.number(head, offset + 4), segment.value < 1 << 55
    else { return nil }
    return segment.end + segment.value
  }
}
