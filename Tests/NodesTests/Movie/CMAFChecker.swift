import Foundation

/// A strict reader of CMAF tracks (ISO/IEC 23000-19, 7.3 to 7.7), written apart from what ships: a
/// header, and segments after it. It reports every fault it finds.
struct CMAFChecker {
  private(set) var faults: [String] = []
  /// When each fragment begins and ends, in the track's units.
  private(set) var fragments: [Range<Int>] = []
  private(set) var sampleCount = 0
  private var data: [UInt8]
  private var sequence = 0
  /// Whether its times of decoding are those of the encoder, as in streams of several tracks.
  private let keepsDecodeTimes: Bool
  private var isVideo = false

  /// Reads a header and its segments, or one file of all.
  init(_ header: [UInt8], segments: [[UInt8]], keepsDecodeTimes: Bool = false) {
    data = header
    self.keepsDecodeTimes = keepsDecodeTimes
    let outer = boxes(0..<data.count)
    let begin = outer.prefix { ["ftyp", "moov"].contains($0.type) }
    expect(begin.map(\.type) == ["ftyp", "moov"], "the header is \(outer.map(\.type))")
    guard begin.count == 2 else { return }
    check(type: begin[0].content)
    check(movie: begin[1].content)
    if begin.count < outer.count { check(segment: Array(outer.dropFirst(2)), "the file") }
    for (index, segment) in segments.enumerated() {
      data = segment
      check(segment: boxes(0..<data.count), "segment \(index + 1)")
    }
  }

  private mutating func expect(_ isTrue: Bool, _ fault: String) {
    if !isTrue { faults.append(fault) }
  }

  private func brands(_ type: Range<Int>) -> [String] {
    [word(type.lowerBound)]
      + stride(from: type.lowerBound + 8, to: type.upperBound, by: 4).map { word($0) }
  }

  private mutating func check(type: Range<Int>) {
    let brands = brands(type)
    for brand in (keepsDecodeTimes ? [] : ["cmfc", "cmf2"]) + ["iso6", "iso9"] {
      expect(brands.dropFirst().contains(brand), "the header has no \(brand): \(brands)")
    }
    expect(brands.dropFirst().contains(brands[0]), "it isn't compatible with its own brand")
  }

  private mutating func check(movie: Range<Int>) {
    let inside = boxes(movie)
    expect(inside.first?.type == "mvhd", "mvhd isn't first")
    expect(inside.count { $0.type == "trak" } == 1, "not one track")
    expect(inside.count { $0.type == "mvex" } == 1, "no mvex")
    guard let header = find(["mvhd"], movie), let track = find(["trak"], movie),
      let defaults = find(["mvex", "trex"], movie), let media = find(["mdia", "mdhd"], track),
      let table = find(["mdia", "minf", "stbl"], track), let shown = find(["tkhd"], track),
      let handler = find(["mdia", "hdlr"], track)
    else { return faults.append("a header is missing") }
    isVideo = word(handler.lowerBound + 8) == "vide"
    expect(number(header.lowerBound + 16, 4) == 0, "mvhd has a length")
    expect(number(shown.lowerBound + 20, 4) == 0, "tkhd has a length")
    expect(number(shown.lowerBound + 1, 3) & 3 == 3, "the track isn't enabled")
    expect(number(media.lowerBound + 16, 4) == 0, "mdhd has a length")
    expect(number(media.lowerBound + 12, 4) > 0, "no timescale")
    expect(find(["edts"], track) == nil, "cmf2 has no edit list")
    expect(number(defaults.lowerBound + 8, 4) == 1, "trex names another sample entry")
    for (type, count) in [("stsd", 1), ("stts", 0), ("stsc", 0), ("stco", 0)] {
      guard let box = find([type], table) else { return faults.append("no \(type)") }
      expect(number(box.lowerBound + 4, 4) == count, "\(type) has other than \(count) entries")
    }
    expect(find(["stsz"], table).map { number($0.lowerBound + 8, 4) } == 0, "stsz has entries")
  }

  private mutating func check(segment: [(type: String, content: Range<Int>)], _ name: String) {
    var rest = segment[...]
    expect(rest.first?.type == "styp", "\(name) has no styp")
    while let box = rest.popFirst() {
      if box.type == "styp" {
        let brands = brands(box.content)
        for brand in ["msdh", "cmfs"] {
          expect(brands.dropFirst().contains(brand), "\(name) has no \(brand)")
        }
        continue
      }
      guard box.type == "moof", let samples = rest.popFirst(), samples.type == "mdat" else {
        return faults.append("\(name) has \(box.type) where a fragment should be")
      }
      check(fragment: box.content, samples.content, name)
    }
  }

  private mutating func check(fragment: Range<Int>, _ samples: Range<Int>, _ name: String) {
    let types = boxes(fragment).map(\.type)
    expect(types == ["mfhd", "traf"], "\(name): a fragment is \(types)")
    guard let head = find(["mfhd"], fragment), let header = find(["traf", "tfhd"], fragment),
      let time = find(["traf", "tfdt"], fragment), let run = find(["traf", "trun"], fragment),
      let track = find(["traf"], fragment)
    else { return faults.append("\(name): a box is missing") }
    expect(boxes(track).map(\.type) == ["tfhd", "tfdt", "trun"], "\(name): \(boxes(track))")
    expect(number(head.lowerBound + 4, 4) > sequence, "\(name): numbers don't grow")
    sequence = number(head.lowerBound + 4, 4)
    let usual = number(header.lowerBound + 1, 3)
    expect(usual & 0x2_0000 != 0 && usual & 1 == 0, "\(name): places don't count from the moof")
    expect(number(header.lowerBound + 4, 4) == 1, "\(name) is of another track")
    let flags = number(run.lowerBound + 1, 3)
    for (what, own, each) in [("lengths", 0x8, 0x100), ("sizes", 0x10, 0x200)] {
      expect(usual & own != 0 || flags & each != 0, "\(name): \(what) are those of trex")
    }
    expect(usual & 0x20 != 0 || flags & 0x400 != 0, "\(name): flags are those of trex")
    expect(flags & 1 != 0, "\(name): trun says no place")
    let place = fragment.lowerBound - 8 + number(run.lowerBound + 8, 4)
    expect(place == samples.lowerBound, "\(name): samples are at \(place), not in the mdat")
    check(run: run, flags, usual, header, from: number(time.lowerBound + 4, 8), samples.count, name)
  }

  /// Checks the samples of a fragment that begins at a time.
  private mutating func check(
    run: Range<Int>, _ flags: Int, _ usual: Int, _ header: Range<Int>, from start: Int,
    _ size: Int, _ name: String
  ) {
    var place = header.lowerBound + 8
    func common(_ flag: Int) -> Int {
      guard usual & flag != 0 else { return 0 }
      defer { place += 4 }
      return number(place, 4)
    }
    let (length, bytes, sync) = (common(0x8), common(0x10), common(0x20))
    var entry = run.lowerBound + 12 + (flags & 4 != 0 ? 4 : 0)
    func field(_ flag: Int, _ other: Int) -> Int {
      guard flags & flag != 0 else { return other }
      defer { entry += 4 }
      return number(entry, 4)
    }
    var (time, sum, times) = (start, 0, [Int]())
    for index in 0..<number(run.lowerBound + 4, 4) {
      let duration = field(0x100, length)
      sum += field(0x200, bytes)
      let isSync = field(0x400, sync) & 0x1_0000 == 0
      if index == 0 { expect(isSync, "\(name) doesn't begin with a key frame") }
      times.append(time + Int(Int32(truncatingIfNeeded: field(0x800, 0))))
      time += duration
      sampleCount += 1
    }
    expect(entry == run.upperBound, "\(name): trun has another size")
    expect(sum == size, "\(name): samples of \(sum) bytes in \(size)")
    expect(times.min() == times.first, "\(name) isn't presented from its first sample on")
    expect(keepsDecodeTimes || times.first == start, "\(name) isn't presented when it is decoded")
    expect(!keepsDecodeTimes || start <= times.min() ?? 0, "\(name) is presented too early")
    expect(fragments.last.map { $0.upperBound == start } ?? true, "\(name) begins at \(start)")
    fragments.append(start..<time)
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    guard offset + count <= data.count else { return 0 }
    return data[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func word(_ offset: Int) -> String {
    String(decoding: data[offset..<min(offset + 4, data.count)], as: UTF8.self)
  }

  private mutating func boxes(_ range: Range<Int>) -> [(type: String, content: Range<Int>)] {
    var found: [(type: String, content: Range<Int>)] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      let size = number(offset, 4)
      guard size >= 8, offset + size <= range.upperBound else { break }
      found.append((word(offset + 4), offset + 8..<offset + size))
      offset += size
    }
    expect(offset == range.upperBound, "boxes don't fill \(range)")
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
