import Media

extension MovieIndex {
  /// What has GStreamer's demuxer (1.22) take packets of one size for packets, by where in the box of the
  /// index it goes: with ALAC and FLAC it takes them for bytes of PCM, be it silence or a file of one
  /// packet. A compression of -2 says that they are packets (QuickTime File Format, "Sound Sample
  /// Description (Version 1)").
  var equalSizePatches: [Int: [UInt8]] {
    var patches: [Int: [UInt8]] = [:]
    for track in tracks where track.kind == .encodedAudio {
      guard let sizes = data.first("stsz", in: track.table), data.u32(sizes.content + 4) != 0,
        let table = data.first("stsd", in: track.table),
        let entry = data.box(at: table.content + 8, limit: table.end),
        ["alac", "fLaC"].contains(entry.type), entry.end - entry.start >= 36
      else { continue }
      patches[entry.start + 28] = [0xff, 0xfe]
    }
    return patches
  }
}
