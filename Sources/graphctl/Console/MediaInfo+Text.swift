import AssetIO
import GraphKit

extension MediaInfo {
  /// What is in the file for a person to read: a line for the file, and one for each track.
  var text: String {
    let rate = bitRate.map { "\(($0 / 1_000)) kbit/s" }
    let facts = [container, duration.map(Self.clock), byteCount.fileSize, rate].compactMap(\.self)
    var lines = ["\(path): \(facts.joined(separator: ", "))"]
    lines.append(Table.text(tracks.map(\.cells), indent: 2))
    if let loudness { lines.append("  loudness: \(loudness.text)") }
    lines += metadata.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
    lines += pictures.map { "  picture: \($0.kind), \($0.format), \($0.byteCount.fileSize)" }
    if !chapters.isEmpty { lines.append("  chapters:") }
    lines += chapters.map { "    \(Self.clock($0.time))  \($0.title)" }
    return lines.joined(separator: "\n")
  }

  /// A time as players show it: `1:05.00`.
  fileprivate static func clock(_ seconds: Double) -> String {
    let hundredths = Int((seconds * 100).rounded())
    let (minutes, rest) = (hundredths / 6_000, hundredths % 6_000)
    let hours = minutes / 60
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let start = hours > 0 ? "\(hours):\(padded(minutes % 60))" : "\(minutes)"
    return "\(start):\(padded(rest / 100)).\(padded(rest % 100))"
  }
}

extension MediaInfo.Track {
  fileprivate var cells: [String] {
    let facts = [
      name.map { "\"\($0)\"" }, duration.map(MediaInfo.clock), beginning,
      language.map { "language \($0)" },
      rotation, colorWords, isDefault == true ? "default" : nil, isForced == true ? "forced" : nil,
    ]
    return ["\(number)", kind, format, facts.compactMap(\.self).joined(separator: ", ")]
  }
}

extension MediaInfo.Track {
  /// When it begins, where that isn't with the file.
  private var beginning: String? {
    start.flatMap { $0 > 0 ? "from \(MediaInfo.clock($0))" : nil }
  }
}

extension LoudnessMeasurement {
  /// `-16.02 LUFS, range 4.10 LU, true peak -1.23 dBTP`.
  fileprivate var text: String {
    guard integrated != nil || truePeak != nil else { return "silence" }
    let parts = [
      integrated.map { "\($0.decimals(2)) LUFS" } ?? "none: shorter than 0.4 s, or below -70 LUFS",
      integrated == nil ? nil : range.map { "range \($0.decimals(2)) LU" },
      truePeak.map { "true peak \($0.decimals(2)) dBTP" },
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}
