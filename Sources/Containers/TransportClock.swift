import Media
import GraphKitSystem

/// The clock of an MPEG transport stream (ISO/IEC 13818-1, 2.4.3.5), where GStreamer's demuxer (1.22)
/// would lose times by it: there is none, packets come before its first value, or its values are so
/// far apart that the demuxer takes each for the beginning of another timeline.
///
/// The demuxer then finds one value more, from before all packets: one of the stream's own clock
/// where that is only late, or else the only one of another, which the table of the program names.
package struct TransportClock {
  /// How much is looked at, and the longest distance of two values that the demuxer takes for one
  /// timeline, in units of 1/90,000 s.
  private static let byteCount = 4 << 20
  private static let longestStep = 36_000
  /// How much is looked at for the end.
  private static let tailByteCount = 2 << 20
  /// The identifier of the packet: the last that isn't of empty packets.
  private static let identifier = 0x1ffe

  private let bytes: [UInt8]
  private let size: Int
  private let lead: Int
  /// The table of the program, and what it says.
  private var table: (packet: Int, section: Range<Int>)?
  private var tableIdentifier: Int?
  private var clock = 0x1fff
  private var streams: Set<Int> = []

  private var isOdd = false
  private var clockTimes: [Int] = []
  private var packetTimes: [Int] = []
  private var hasEarlyPackets = false

  /// The clock of a file that begins so; `nil` of what is no transport stream.
  package init?(_ file: File, _ head: [UInt8]) {
    guard let (lead, size) = MultiplexHead.transportPackets(head),
      let bytes = try? file.read(at: 0, count: Self.byteCount)
    else { return nil }
    self.init(bytes: bytes, size: size, lead: lead)
    read()
  }

  /// How the file is to be read; `nil` where it is to be read as it is.
  package var reading: StreamEdit? { isUnusable ? replacement : nil }

  /// How long the streams of the file are together, by the times at which their packets are decoded; `nil`
  /// where those don't show it. GStreamer's demuxer takes the clock's last value for the end, which is that
  /// of one stream alone: of a recording whose camera stopped first it is too early.
  package func length(of file: File) -> MediaTime? {
    let place = max(0, file.size - Self.tailByteCount) / size * size
    guard !isOdd, let zero = packetTimes.first,
      let tail = try? file.read(at: place, count: file.size - place)
    else { return nil }
    func distances(_ times: [Int]) -> [Int] { times.map { Self.distance(of: $0, from: zero) } }
    var end = TransportClock(bytes: tail, size: size, lead: lead)
    (end.clock, end.streams, end.tableIdentifier) = (clock, streams, 0)
    end.read()
    guard let first = distances(packetTimes).min(), let last = distances(end.packetTimes).max(),
      last > first,
      // Where the clock goes on, the demuxer knows best, also where it began anew.
      distances(end.clockTimes).allSatisfy({ last - $0 > 2 * Self.longestStep })
    else { return nil }
    return MediaTime(value: Int64(last - first), timescale: 90_000)
  }

  /// How much later a time is than another, of times that count up to 2^33.
  private static func distance(of time: Int, from zero: Int) -> Int {
    let forward = (time - zero) & (1 << 33 - 1)
    return forward < 1 << 32 ? forward : forward - 1 << 33
  }

  private init(bytes: [UInt8], size: Int, lead: Int) {
    (self.bytes, self.size, self.lead) = (bytes, size, lead)
  }

  private mutating func read() {
    guard bytes.count >= size else { return }
    for start in stride(from: lead, through: bytes.count - size + lead, by: size) {
      guard bytes[start] == 0x47 else { return }
      read(packet: start)
    }
  }

  private mutating func read(packet start: Int) {
    let identifier = Int(bytes[start + 1] & 0x1f) << 8 | Int(bytes[start + 2])
    let end = start + 188
    let fields = bytes[start + 3] >> 4
    if fields & 2 != 0, identifier == clock, bytes[start + 4] >= 7, bytes[start + 5] & 0x10 != 0 {
      clockTimes.append(number(start + 6, 4) << 1 | Int(bytes[start + 10] >> 7))
    }
    let payload = start + 4 + (fields & 2 != 0 ? 1 + Int(bytes[start + 4]) : 0)
    guard fields & 1 != 0, bytes[start + 1] & 0x40 != 0, payload + 20 <= end else { return }
    if identifier == 0 {
      readPrograms(payload..<end)
    } else if identifier == tableIdentifier {
      if table == nil { readProgram(payload..<end, packet: start - lead) }
    } else if streams.contains(identifier) {
      readTime(payload)
    }
  }

  /// The section that a packet begins with, if it is whole in it.
  private func section(_ payload: Range<Int>, table: Int) -> Range<Int>? {
    let start = payload.lowerBound + 1 + Int(bytes[payload.lowerBound])
    guard start + 12 <= payload.upperBound, bytes[start] == table else { return nil }
    let end = start + 3 + number(start + 1, 2) & 0xfff
    return start + 16 <= end && end <= payload.upperBound ? start..<end : nil
  }

  private mutating func readPrograms(_ payload: Range<Int>) {
    guard tableIdentifier == nil, let section = section(payload, table: 0) else { return }
    let programs = stride(from: section.lowerBound + 8, to: section.upperBound - 4, by: 4)
      .filter { number($0, 2) != 0 }
    // Each program has a clock of its own.
    isOdd = programs.count != 1
    tableIdentifier = programs.first.map { number($0 + 2, 2) & 0x1fff }
  }

  private mutating func readProgram(_ payload: Range<Int>, packet: Int) {
    guard let section = section(payload, table: 2) else { return isOdd = true }
    table = (packet, section)
    clock = number(section.lowerBound + 8, 2) & 0x1fff
    var place = section.lowerBound + 12 + number(section.lowerBound + 10, 2) & 0xfff
    while place + 5 <= section.upperBound - 4 {
      streams.insert(number(place + 1, 2) & 0x1fff)
      place += 5 + number(place + 3, 2) & 0xfff
    }
  }

  /// When the packet of a stream that begins here is decoded.
  private mutating func readTime(_ place: Int) {
    // Those of some kinds have no header (2.4.3.7).
    guard number(place, 3) == 1, bytes[place + 6] & 0xc0 == 0x80, bytes[place + 7] & 0x80 != 0
    else { return }
    if clockTimes.isEmpty { hasEarlyPackets = true }
    let field = place + (bytes[place + 7] & 0x40 != 0 ? 14 : 9)
    let (high, middle) = (Int(bytes[field] >> 1 & 7), number(field + 1, 2) >> 1)
    packetTimes.append(high << 30 | middle << 15 | number(field + 3, 2) >> 1)
  }

  private var isUnusable: Bool {
    // Where the clock itself begins anew, so do the times of packets.
    !isOdd && steps.allSatisfy { (0..<900_000).contains($0) } && (hasEarlyPackets || isSlow)
  }

  private var isSlow: Bool { steps.contains { $0 > Self.longestStep } }

  private var steps: [Int] { zip(clockTimes.dropFirst(), clockTimes).map { $0 - $1 } }

  private var replacement: StreamEdit? {
    guard let table, let first = packetTimes.min(), let last = packetTimes.max(),
      last - first < 1 << 32
    else { return nil }
    // A tenth of a second earlier than anything else.
    let time = max(0, first - 9_000)
    if let known = clockTimes.first, !isSlow,
      (0...Self.longestStep).contains(known - min(time, known))
    {
      return StreamEdit(insertions: [table.packet + size: packet(clock, min(time, known))])
    }
    return StreamEdit(
      insertions: [table.packet + size: packet(Self.identifier, time)],
      patches: [table.section.lowerBound: renamedTable(table.section)])
  }

  /// A packet with a time and nothing else.
  private func packet(_ identifier: Int, _ time: Int) -> [UInt8] {
    var packet = [UInt8](repeating: 0, count: lead) + [0x47] + Self.bytes(of: identifier, 2)
    packet += [0x20, 183, 0x10] + Self.bytes(of: time >> 1, 4) + [UInt8(time & 1) << 7 | 0x7e, 0]
    return packet + [UInt8](repeating: 0xff, count: size - packet.count)
  }

  /// The table of the program with another clock.
  private func renamedTable(_ section: Range<Int>) -> [UInt8] {
    var table = Array(bytes[section])
    (table[8], table[9]) = (0xe0 | UInt8(Self.identifier >> 8), UInt8(Self.identifier & 0xff))
    let sum = Self.checksum(table.dropLast(4))
    return table.dropLast(4) + Self.bytes(of: sum, 4)
  }

  private func number(_ place: Int, _ count: Int) -> Int {
    guard place >= 0, place + count <= bytes.count else { return 0 }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func bytes(of value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  /// The checksum of a section (ISO/IEC 13818-1, annex A).
  private static func checksum(_ bytes: some Sequence<UInt8>) -> Int {
    var sum: UInt32 = .max
    for byte in bytes {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum << 1 ^ (sum >> 31 == 1 ? 0x04c1_1db7 : 0) }
    }
    return Int(sum)
  }
}
