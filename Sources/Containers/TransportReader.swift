import GraphKitSystem
import Media

/// Reads the program of an MPEG transport stream, and counts its packets of media, without GStreamer
/// (ISO/IEC 13818-1, 2.4).
public enum TransportReader {
  /// Looks into a file. A broken file is an error, never a trap; of one that was cut off, what is there
  /// counts.
  public static func read(_ path: String) throws(NodeError) -> ContainerSummary {
    guard let tracks = try tracks(of: path) else {
      throw NodeError(
        "`\(path)` is no transport stream, or has no program",
        remedy: "give one that was written whole")
    }
    return ContainerSummary(
      tracks: tracks, duration: tracks.map { $0.start + $0.duration }.max() ?? 0,
      isFragmented: false, isOptimizedForNetworkUse: false)
  }

  private static func tracks(of path: String) throws(NodeError) -> [ContainerSummary.Track]? {
    do throws(File.Failure) {
      let file = try File(path)
      guard
        let (lead, size) = MultiplexHead.transportPackets(
          try file.read(at: 0, count: MultiplexHead.byteCount))
      else { return nil }
      var walk = TransportWalk()
      let blockSize = size * 1_024
      for offset in stride(from: 0, to: file.size, by: blockSize) {
        walk.take(try file.read(at: offset, count: blockSize), size: size, lead: lead)
      }
      return walk.tracks
    } catch {
      throw NodeError("`\(path)` can't be read: \(error.text)", remedy: "give another file")
    }
  }
}

/// A walk over the packets of a stream, from its beginning on.
private struct TransportWalk {
  private var table: Int?
  private var program: [TransportStream] = []
  /// What was counted of each identifier: packets may come before the table that names them.
  private var counts: [Int: TransportCount] = [:]

  /// The streams of the program, in the order of its table; `nil` where there is none.
  var tracks: [ContainerSummary.Track]? {
    let counted = program.map { counts[$0.identifier] ?? TransportCount() }
    let start = counted.compactMap(\.start).min() ?? 0
    return program.isEmpty
      ? nil : program.indices.map { program[$0].summary($0 + 1, counted[$0], after: start) }
  }

  mutating func take(_ bytes: [UInt8], size: Int, lead: Int) {
    for start in stride(from: lead, through: bytes.count - 188, by: size)
    where bytes[start] == 0x47 {
      take(Array(bytes[start..<start + 188]))
    }
  }

  private mutating func take(_ packet: [UInt8]) {
    let identifier = Int(packet[1] & 0x1f) << 8 | Int(packet[2])
    let hasStart = packet[1] & 0x40 != 0
    let start = packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4
    guard hasStart, packet[3] & 0x10 != 0, start < packet.count else { return }
    let payload = packet[start...]
    if identifier == 0 {
      takePrograms(payload)
    } else if identifier == table {
      takeStreams(payload)
    } else {
      counts[identifier, default: TransportCount()].take(payload)
    }
  }

  /// The section that a payload begins with, from its table's identifier on, without its checksum.
  private func section(_ payload: ArraySlice<UInt8>) -> [UInt8] {
    let start = payload.startIndex + 1 + Int(payload.first ?? 0)
    guard start + 3 <= payload.endIndex else { return [] }
    let length = Int(payload[start + 1] & 0x0f) << 8 | Int(payload[start + 2])
    return Array(payload[start..<min(payload.endIndex, max(start + 3, start + 3 + length - 4))])
  }

  /// The association of programs with their tables; 0 is the network's.
  private mutating func takePrograms(_ payload: ArraySlice<UInt8>) {
    let section = section(payload)
    for place in stride(from: 8, through: section.count - 4, by: 4) where table == nil {
      let program = Int(section[place]) << 8 | Int(section[place + 1])
      if program != 0 { table = Int(section[place + 2] & 0x1f) << 8 | Int(section[place + 3]) }
    }
  }

  private mutating func takeStreams(_ payload: ArraySlice<UInt8>) {
    let section = section(payload)
    guard section.count > 12, section[0] == 2 else { return }
    var place = 12 + (Int(section[10] & 0x0f) << 8 | Int(section[11]))
    while place + 5 <= section.count {
      let identifier = Int(section[place + 1] & 0x1f) << 8 | Int(section[place + 2])
      let length = Int(section[place + 3] & 0x0f) << 8 | Int(section[place + 4])
      if !program.contains(where: { $0.identifier == identifier }) {
        let end = min(section.count, place + 5 + length)
        program.append(
          TransportStream(
            identifier: identifier, type: section[place],
            descriptors: Array(section[(place + 5)..<end])))
      }
      place += 5 + length
    }
  }
}

/// What was counted of a stream. Times are in 1/90,000 s.
private struct TransportCount {
  private(set) var samples = 0
  private(set) var start: Int?
  private var end = 0
  private var newest = 0
  private var step = 0

  /// In seconds.
  var length: Double { start.map { Double(end - $0 + step) / 90_000 } ?? 0 }

  /// The header of a packet of media (2.4.3.6), with its time where it has one.
  mutating func take(_ payload: ArraySlice<UInt8>) {
    let first = payload.startIndex
    guard payload.count >= 9, payload[first] == 0, payload[first + 1] == 0, payload[first + 2] == 1
    else { return }
    samples += 1
    guard payload[first + 7] & 0x80 != 0, payload.count >= 14 else { return }
    let bytes = payload[(first + 9)..<(first + 14)].map { Int($0) }
    var time = (bytes[0] >> 1 & 7) << 30 | bytes[1] << 22 | (bytes[2] >> 1) << 15
    time |= bytes[3] << 7 | bytes[4] >> 1
    // The counter begins anew after 26 hours.
    while start != nil, time < newest - 1 << 32 { time += 1 << 33 }
    if start != nil { step = step == 0 ? abs(time - newest) : min(step, abs(time - newest)) }
    newest = time
    start = min(start ?? time, time)
    end = max(end, time)
  }
}

/// A stream of a program.
private struct TransportStream {
  let identifier: Int
  let type: UInt8
  let descriptors: [UInt8]

  func summary(
    _ number: Int, _ count: TransportCount, after origin: Int
  ) -> ContainerSummary.Track {
    ContainerSummary.Track(
      identifier: number, kind: kind, codec: codec, timescale: 90_000, sampleCount: count.samples,
      mediaDuration: count.length, start: count.start.map { Double($0 - origin) / 90_000 } ?? 0,
      duration: count.length)
  }

  /// What the stream's type says (2.4.4.9), and that of ATSC for AC-3.
  private var codec: String {
    switch type {
    case 0x01, 0x02: "MPEG-2"
    case 0x03, 0x04: "MP3"
    case 0x0f, 0x11: "AAC"
    case 0x1b: "H.264"
    case 0x24: "HEVC"
    case 0x81: "AC-3"
    case 0x06 where descriptors.firstRange(of: Array("Opus".utf8)) != nil: "Opus"
    case 0x06 where descriptors.first == 0x6a: "AC-3"
    default: "type \(type)"
    }
  }

  private var kind: MediaKind {
    switch type {
    case 0x01, 0x02, 0x1b, 0x24: .video
    case 0x03, 0x04, 0x0f, 0x11, 0x81, 0x06: .audio
    default: .any
    }
  }
}
