extension MovieIndex {
  /// The language of a track: a tag of BCP 47 where it has one, else the three letters of ISO 639-2/T
  /// that all tracks have (ISO/IEC 14496-12, 8.4.2 and 8.4.6); `nil` where it is undetermined, and of
  /// the numbers that old QuickTime movies have in their place.
  func language(of track: MovieTrack) -> String? {
    if let box = data.first("mdia", "elng", in: track.box), let tag = text(of: box) { return tag }
    guard let header = data.first("mdia", "mdhd", in: track.box),
      let code = data.integer(
        at: header.content + (data.version(header) == 1 ? 32 : 20), bytes: 2), code >= 0x400
    else { return nil }
    let letters = [10, 5, 0].map { UInt8(0x60 + code >> $0 & 0x1f) }
    guard letters.allSatisfy({ (0x61...0x7a).contains($0) }) else { return nil }
    let language = String(decoding: letters, as: UTF8.self)
    return language == "und" ? nil : language
  }

  private func text(of box: MovieBox) -> String? {
    let bytes = (box.content + 4..<max(box.content + 4, min(box.end, box.content + 64)))
      .map { UInt8(truncatingIfNeeded: data.integer(at: $0, bytes: 1) ?? 0) }
    let text = bytes.prefix { $0 > 0x20 && $0 < 0x7f }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}
