import GraphKitSystem

/// Where a movie ends by its boxes.
enum MovieExtent {
  /// Where the last box of a movie ends (ISO/IEC 14496-12, 4.2).
  static func end(of file: File) -> Int? {
    let end = file.size
    var (offset, boxes) = (0, 0)
    // More boxes than the longest recording in fragments has.
    while offset < end, boxes < 1_000_000 {
      guard let bytes = try? file.read(at: offset, count: 16) else { return nil }
      let data = MovieBytes(bytes: bytes)
      guard let short = data.u32(0), let type = data.type(at: 4) else { return nil }
      guard offset > 0 || ["ftyp", "moov", "mdat", "free", "skip", "wide"].contains(type),
        let size = short == 1 ? data.u64(8) : short, size >= 8, size < 1 << 60
      else { return nil }
      offset += size
      boxes += 1
    }
    return offset
  }
}
