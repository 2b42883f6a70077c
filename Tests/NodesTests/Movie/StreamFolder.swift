import Foundation

@testable import Containers

/// A folder with a stream, read as players read it.
struct StreamFolder {
  /// A segment as a playlist lists it, with what is in its file.
  struct Segment {
    var name: String
    var seconds: Double
    var date: Date?
    /// When its first sample is decoded and its last ends, in the track's units.
    var start: Int
    var end: Int
    /// When its first sample is presented.
    var presented: Int
  }

  /// A playlist of segments.
  struct Playlist {
    var target = 0
    var sequence = 0
    var kind = ""
    var map = ""
    var isEnded = false
    var segments: [Segment] = []
  }

  let folder: String

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// Reads a playlist, with the segments that it lists.
  func playlist(_ name: String) throws -> Playlist {
    var list = Playlist()
    var (seconds, date) = (0.0, Date?.none)
    for line in try text(name).split(separator: "\n") {
      let value = String(line.drop { $0 != ":" }.dropFirst())
      switch line.prefix(while: { $0 != ":" }) {
      case "#EXT-X-TARGETDURATION": list.target = Int(value) ?? 0
      case "#EXT-X-MEDIA-SEQUENCE": list.sequence = Int(value) ?? 0
      case "#EXT-X-PLAYLIST-TYPE": list.kind = value
      case "#EXT-X-MAP":
        list.map = value.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
      case "#EXT-X-ENDLIST": list.isEnded = true
      case "#EXTINF": seconds = Double(value.dropLast()) ?? -1
      case "#EXT-X-PROGRAM-DATE-TIME":
        let format = ISO8601DateFormatter()
        format.formatOptions.insert(.withFractionalSeconds)
        date = format.date(from: value)
      case let word where !word.hasPrefix("#"):
        let times = try times(of: String(line))
        list.segments.append(
          Segment(
            name: String(line), seconds: seconds, date: date, start: times.start, end: times.end,
            presented: times.presented))
        date = nil
      default: break
      }
    }
    return list
  }

  /// What the fragments of a segment say of their times.
  private func times(of name: String) throws -> (start: Int, end: Int, presented: Int) {
    let bytes = try bytes(name)
    func number(_ offset: Int, _ count: Int) -> Int {
      bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }
    func place(_ type: String, from: Int = 0) -> Int? {
      bytes[from...].firstRange(of: Array(type.utf8))?.lowerBound
    }
    guard let decode = place("tfdt"), let run = place("trun"), let header = place("tfhd") else {
      return (-1, -1, -1)
    }
    let start = number(decode + 8, 8)
    let (flags, count) = (number(run + 5, 3), number(run + 8, 4))
    let width = 4 * [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 }
    let entries = run + 12 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    let presented = start + (flags & 0x800 != 0 ? number(entries + width - 4, 4) : 0)
    guard flags & 0x100 != 0 else {
      return (start, start + count * number(header + 12, 4), presented)
    }
    let length = (0..<count).reduce(0) { $0 + number(entries + $1 * width, 4) }
    return (start, start + length, presented)
  }

  /// What a player would object to in a playlist; nothing in a sound one. The rules are those of RFC
  /// 8216, and those by which hls.js places segments.
  func complaints(_ name: String, timescale: Int) throws -> [String] {
    let list = try playlist(name)
    var found: [String] = []
    if list.segments.isEmpty { found.append("it has no segments") }
    for segment in list.segments where Int(segment.seconds.rounded()) > list.target {
      found.append("\(segment.name) is longer than the target: \(segment.seconds)")
    }
    for (segment, next) in zip(list.segments, list.segments.dropFirst()) {
      if segment.end != next.start {
        found.append("\(next.name) begins at \(next.start), not at \(segment.end)")
      }
      let length = Double(next.start - segment.start) / Double(timescale)
      if abs(length - segment.seconds) > 0.001 {
        found.append("\(segment.name) is \(length) s long, not \(segment.seconds)")
      }
    }
    for segment in list.segments {
      let bytes = try bytes(segment.name)
      if bytes[4..<8] != ArraySlice("styp".utf8) { found.append("\(segment.name) has no styp") }
    }
    return found
  }
}
