/// Changes that leave the size of the index as it is.
extension MovieIndex {
  /// Makes players skip a track altogether: some refuse a movie with a track that has no samples.
  mutating func hide(_ track: MovieTrack) {
    for (index, byte) in "free".utf8.enumerated() {
      data.bytes[track.box.start + 4 + index] = byte
    }
  }

  func duration(of header: MovieBox, at places: (short: Int, long: Int))
    -> (offset: Int, width: Int, value: Int)
  {
    let isLong = data.version(header) == 1
    let (offset, width) =
      isLong ? (header.content + places.long, 8) : (header.content + places.short, 4)
    return (offset, width, data.integer(at: offset, bytes: width) ?? 0)
  }

  /// The position of a track's first sample in the file.
  func firstSample(of track: MovieTrack) -> (offset: Int, size: Int)? {
    guard let sizes = data.first("stsz", in: track.table),
      let chunks = data.boxes(of: track.table).first(where: { ["stco", "co64"].contains($0.type) }),
      let offset = data.integer(at: chunks.content + 8, bytes: chunks.type == "co64" ? 8 : 4),
      let common = data.u32(sizes.content + 4),
      let size = common > 0 ? common : data.u32(sizes.content + 12)
    else { return nil }
    return (offset, size)
  }

  /// Moves every chunk by a number of bytes; `false`, and no use to anyone, where one would lie
  /// beyond what its table can say.
  mutating func shiftChunks(by distance: Int) -> Bool {
    for track in tracks {
      for box in data.boxes(of: track.table) where ["stco", "co64"].contains(box.type) {
        let width = box.type == "co64" ? 8 : 4
        let count = min(data.u32(box.content + 4) ?? 0, max(0, box.end - box.content - 8) / width)
        for entry in 0..<count {
          let place = box.content + 8 + entry * width
          let (offset, isTooFar) = (data.integer(at: place, bytes: width) ?? 0)
            .addingReportingOverflow(distance)
          guard !isTooFar, width == 8 || offset <= Int(UInt32.max) else { return false }
          data.set(offset, at: place, bytes: width)
        }
      }
    }
    return true
  }
}
