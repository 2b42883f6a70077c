import Foundation

/// A strict reader of plain MP4 files, written apart from the one that ships: what it lets pass is
/// right by ISO/IEC 14496-12. It reports every fault it finds.
struct BoxChecker {
  /// What a track claims, and its own table confirms.
  struct Track: Equatable {
    var codec = ""
    var timescale = 0
    var sampleCount = 0
    var mediaDuration = 0
    /// Duration in the movie's units and media time of each edit.
    var edits: [[Int]] = []
    /// Place and size of each sample.
    var extents: [Range<Int>] = []
    /// The number of the description of each sample.
    var descriptions: [Int] = []
    /// When the sample that is presented last ends, in the track's units.
    var presentationEnd = 0
    /// Whether players present it by themselves, and the group of which they present one track.
    var isEnabled = false
    var alternateGroup = 0
  }

  private(set) var faults: [String] = []
  private(set) var tracks: [Track] = []
  private(set) var outermost: [String] = []
  private(set) var movieTimescale = 0
  private let data: [UInt8]
  private var media: [Range<Int>] = []

  init(_ path: String) throws {
    data = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    outermost = boxes(0..<data.count).map(\.type)
    if outermost.first != "ftyp" { faults.append("ftyp isn't first") }
    if outermost.count(where: { $0 == "moov" }) != 1 { faults.append("not one moov") }
    media = boxes(0..<data.count).filter { $0.type == "mdat" }.map(\.content)
    for movie in boxes(0..<data.count) where movie.type == "moov" { check(movie: movie.content) }
    checkOverlaps()
  }

  private mutating func check(movie: Range<Int>) {
    guard let header = find(["mvhd"], movie) else { return faults.append("no mvhd") }
    let isLong = data[header.lowerBound] == 1
    movieTimescale = number(header.lowerBound + (isLong ? 20 : 12), 4)
    let length = number(header.lowerBound + (isLong ? 24 : 16), isLong ? 8 : 4)
    var longest = 0
    for track in boxes(movie) where track.type == "trak" {
      longest = max(longest, check(track: track.content))
    }
    if longest != length { faults.append("mvhd lasts \(length), its longest track \(longest)") }
  }

  /// Checks a track; returns its length in the movie's units.
  private mutating func check(track box: Range<Int>) -> Int {
    var track = Track()
    guard let header = find(["tkhd"], box), let media = find(["mdia", "mdhd"], box),
      let table = find(["mdia", "minf", "stbl"], box)
    else {
      faults.append("a track lacks a header")
      return 0
    }
    let isLong = data[media.lowerBound] == 1
    track.timescale = number(media.lowerBound + (isLong ? 20 : 12), 4)
    track.mediaDuration = number(media.lowerBound + (isLong ? 24 : 16), isLong ? 8 : 4)
    if track.timescale == 0 { faults.append("a track has no timescale") }
    check(table, &track)
    let isHeaderLong = data[header.lowerBound] == 1
    let length = number(header.lowerBound + (isHeaderLong ? 28 : 20), isHeaderLong ? 8 : 4)
    track.isEnabled = data[header.lowerBound + 3] & 1 == 1
    track.alternateGroup = number(header.lowerBound + (isHeaderLong ? 46 : 34), 2)
    check(edits: box, length, &track)
    tracks.append(track)
    return length
  }

  private mutating func check(edits box: Range<Int>, _ length: Int, _ track: inout Track) {
    guard let list = find(["edts", "elst"], box) else { return }
    let size = data[list.lowerBound] == 1 ? 20 : 12
    let half = size == 20 ? 8 : 4
    let count = number(list.lowerBound + 4, 4)
    guard list.count == 8 + count * size else { return faults.append("elst has another size") }
    for entry in 0..<count {
      let place = list.lowerBound + 8 + entry * size
      track.edits.append([number(place, half), signed(place + half, half)])
    }
    let sum = track.edits.reduce(0) { $0 + $1[0] }
    if sum != length { faults.append("tkhd lasts \(length), its edits \(sum)") }
    for edit in track.edits where edit[1] > track.mediaDuration {
      faults.append("an edit begins behind the media")
    }
    guard let edit = track.edits.last, edit[1] >= 0, movieTimescale > 0 else { return }
    let end = Double(edit[1]) / Double(track.timescale) + Double(edit[0]) / Double(movieTimescale)
    let slack = 1.0 / Double(movieTimescale) + 1e-9
    if end > Double(track.presentationEnd) / Double(track.timescale) + slack {
      faults.append("the edits outlast the media")
    }
  }

  private mutating func checkOverlaps() {
    let extents = tracks.flatMap(\.extents).sorted { $0.lowerBound < $1.lowerBound }
    for (a, b) in zip(extents, extents.dropFirst()) where a.upperBound > b.lowerBound {
      faults.append("samples overlap at \(b.lowerBound)")
    }
    for extent in extents
    where !media.contains(where: {
      $0.lowerBound <= extent.lowerBound && extent.upperBound <= $0.upperBound
    }) {
      faults.append("a sample at \(extent.lowerBound) is outside mdat")
    }
  }
}

// MARK: Sample entries

extension BoxChecker {
  /// The box of a sample entry that has its configuration, and how many bytes are in front of it.
  private static let configurations: [String: (box: String, fields: Int)] = [
    "avc1": ("avcC", 78), "hvc1": ("hvcC", 78), "vp09": ("vpcC", 78), "av01": ("av1C", 78),
    "ipcm": ("pcmC", 28), "fpcm": ("pcmC", 28), "tx3g": ("ftab", 38), "Opus": ("dOps", 28),
    "fLaC": ("dfLa", 28), "ac-3": ("dac3", 28), "ec-3": ("dec3", 28),
  ]

  private mutating func check(entry type: String, _ content: Range<Int>) {
    guard let (name, fields) = Self.configurations[type] else { return }
    let inside = boxes(content.lowerBound + fields..<content.upperBound)
    guard let box = inside.first(where: { $0.type == name })?.content else {
      return faults.append("\(type) has no \(name)")
    }
    let isWhole =
      switch name {
      // Version 1, eight bytes, of which the last say that no others follow (VP9 binding, 4.3).
      case "vpcC":
        box.count == 12 && number(box.lowerBound, 4) == 1 << 24
          && number(box.lowerBound + 10, 2) == 0
          && [8, 10, 12].contains(data[box.lowerBound + 6] >> 4) && data[box.lowerBound + 5] >= 10
      // A marker, and a sequence header that has its size (AV1 binding, 2.3).
      case "av1C":
        box.count > 6 && data[box.lowerBound] == 0x81 && data[box.lowerBound + 4] == 0x0a
          && Int(data[box.lowerBound + 5]) == box.count - 6
      // A bit rate, and three or four bytes a substream (ETSI TS 102 366, F.6).
      case "dec3": box.count >= 5 && number(box.lowerBound, 2) >> 3 > 0
      case "dac3": box.count == 3
      case "pcmC":
        box.count == 6 && data[box.lowerBound + 4] == 1
          && Int(data[box.lowerBound + 5]) == number(content.lowerBound + 18, 2)
      default: box.count > 6
      }
    if !isWhole { faults.append("\(name) is wrong: \(Array(data[box]))") }
  }
}

// MARK: The table of samples

extension BoxChecker {
  private mutating func check(_ table: Range<Int>, _ track: inout Track) {
    guard let description = find(["stsd"], table), let sizes = find(["stsz"], table),
      let times = find(["stts"], table), let chunks = find(["stsc"], table)
    else { return faults.append("a track lacks stsd, stsz, stts or stsc") }
    if number(description.lowerBound + 4, 4) > 0 { track.codec = type(description.lowerBound + 12) }
    let entries = boxes(description.lowerBound + 8..<description.upperBound)
    for entry in entries { check(entry: entry.type, entry.content) }
    if entries.count != number(description.lowerBound + 4, 4) {
      faults.append("stsd counts others")
    }
    let common = number(sizes.lowerBound + 4, 4)
    track.sampleCount = number(sizes.lowerBound + 8, 4)
    let all = (0..<track.sampleCount).map {
      common > 0 ? common : number(sizes.lowerBound + 12 + $0 * 4, 4)
    }
    let runs = pairs(times)
    if runs.reduce(0, { $0 + $1[0] }) != track.sampleCount { faults.append("stts counts others") }
    let sum = runs.reduce(0) { $0 + $1[0] * $1[1] }
    if sum != track.mediaDuration {
      faults.append("mdhd lasts \(track.mediaDuration), stts \(sum)")
    }
    track.presentationEnd = sum
    if let offsets = find(["ctts"], table) {
      let offsetRuns = pairs(offsets)
      if offsetRuns.reduce(0, { $0 + $1[0] }) != track.sampleCount {
        faults.append("ctts counts others")
      }
      track.presentationEnd = presentationEnd(runs, offsetRuns)
    }
    checkSyncSamples(table, track)
    track.extents = extents(of: all, chunks, table, &track.descriptions)
    if !track.descriptions.allSatisfy((1...max(1, entries.count)).contains) {
      faults.append("stsc names a description that isn't there")
    }
  }

  private func presentationEnd(_ durations: [[Int]], _ offsets: [[Int]]) -> Int {
    let lengths = durations.flatMap { Array(repeating: $0[1], count: $0[0]) }
    let delays = offsets.flatMap { Array(repeating: $0[1], count: $0[0]) }
    var (time, last, end) = (0, Int.min, 0)
    for (length, delay) in zip(lengths, delays) {
      // Each sample is presented up to the next, however far that is decoded from it.
      if time + delay >= last { (last, end) = (time + delay, time + delay + length) }
      time += length
    }
    return end
  }

  private mutating func checkSyncSamples(_ table: Range<Int>, _ track: Track) {
    guard let sync = find(["stss"], table) else { return }
    let numbers = (0..<number(sync.lowerBound + 4, 4)).map {
      number(sync.lowerBound + 8 + $0 * 4, 4)
    }
    if numbers != numbers.sorted() || numbers.contains(where: { $0 < 1 || $0 > track.sampleCount })
    {
      faults.append("stss is out of order or range")
    }
    if track.sampleCount > 0, numbers.first != 1 { faults.append("the first sample isn't sync") }
  }

  private mutating func extents(
    of sizes: [Int], _ chunks: Range<Int>, _ table: Range<Int>, _ descriptions: inout [Int]
  ) -> [Range<Int>] {
    let long = find(["co64"], table)
    guard let offsets = long ?? find(["stco"], table) else {
      faults.append("no stco")
      return []
    }
    let width = long == nil ? 4 : 8
    let places = (0..<number(offsets.lowerBound + 4, 4)).map {
      number(offsets.lowerBound + 8 + $0 * width, width)
    }
    let runs = (0..<number(chunks.lowerBound + 4, 4)).map { entry in
      (0..<3).map { number(chunks.lowerBound + 8 + entry * 12 + $0 * 4, 4) }
    }
    if zip(runs, runs.dropFirst()).contains(where: { $0[0] >= $1[0] }) {
      faults.append("stsc isn't in order")
    }
    var extents: [Range<Int>] = []
    for (index, place) in places.enumerated() {
      guard let run = runs.last(where: { $0[0] <= index + 1 }) else { continue }
      var start = place
      for _ in 0..<run[1] where extents.count < sizes.count {
        let size = sizes[extents.count]
        extents.append(start..<start + size)
        descriptions.append(run[2])
        start += size
      }
    }
    if extents.count != sizes.count { faults.append("stsc and stco cover \(extents.count)") }
    return extents
  }

  private func pairs(_ box: Range<Int>) -> [[Int]] {
    (0..<number(box.lowerBound + 4, 4)).map { entry in
      [number(box.lowerBound + 8 + entry * 8, 4), signed(box.lowerBound + 12 + entry * 8, 4)]
    }
  }
}

// MARK: Bytes

extension BoxChecker {
  private func number(_ offset: Int, _ count: Int) -> Int {
    guard offset + count <= data.count else { return 0 }
    return data[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func signed(_ offset: Int, _ count: Int) -> Int {
    count == 4 ? Int(Int32(truncatingIfNeeded: number(offset, 4))) : number(offset, 8)
  }

  private func type(_ offset: Int) -> String {
    offset + 4 <= data.count ? String(decoding: data[offset..<offset + 4], as: UTF8.self) : ""
  }

  /// The boxes that fill a range, to the byte.
  private mutating func boxes(_ range: Range<Int>) -> [(type: String, content: Range<Int>)] {
    var found: [(type: String, content: Range<Int>)] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      var (size, header) = (number(offset, 4), 8)
      if size == 1 { (size, header) = (number(offset + 8, 8), 16) }
      if size == 0 { size = range.upperBound - offset }
      guard size >= header, offset + size <= range.upperBound else { break }
      found.append((type(offset + 4), offset + header..<offset + size))
      offset += size
    }
    if offset != range.upperBound { faults.append("boxes don't fill \(range)") }
    return found
  }

  private mutating func find(_ path: [String], _ range: Range<Int>) -> Range<Int>? {
    var range: Range<Int>? = range
    for name in path {
      range = range.flatMap { inside in boxes(inside).first { $0.type == name }?.content }
    }
    return range
  }
}
