extension MovieIndex {
  /// What the index says of a track for those who choose among several: whether it is enabled (ISO/IEC
  /// 14496-12, 8.3.2), its name, and whether its subtitles are forced (QuickTime File Format, "User Data
  /// Atoms" and "Subtitle Sample Data", and the kind of ISO/IEC 14496-12, 8.10.4).
  func label(of track: MovieTrack) -> TrackLabel {
    var label = TrackLabel()
    label.isDefault = (data.integer(at: track.header.content, bytes: 4) ?? 1) & 1 != 0
    label.name = data.first("udta", "name", in: track.box).flatMap(name)
    if track.codec == "tx3g", let table = data.first("stsd", in: track.table) {
      label.isForced = (data.u32(table.content + 24) ?? 0) & 0x8000_0000 != 0
    }
    for kind in data.first("udta", in: track.box).map(data.boxes) ?? [] where kind.type == "kind" {
      let bytes = bytes(of: kind).dropFirst(4)
      if Array(bytes) == TrackLabel.forcedKind { label.isForced = true }
    }
    return label
  }

  private static let longestName = 1 << 12

  private func name(_ box: MovieBox) -> String? {
    let text = bytes(of: box).prefix { $0 != 0 }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }

  private func bytes(of box: MovieBox) -> [UInt8] {
    let end = min(box.end, box.content + Self.longestName)
    return (box.content..<max(box.content, end)).map {
      UInt8(truncatingIfNeeded: data.integer(at: $0, bytes: 1) ?? 0)
    }
  }
}
