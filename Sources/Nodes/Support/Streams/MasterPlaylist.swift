import Containers
import GraphKit

/// The playlist that names a stream's renditions (RFC 8216, 4.3.4).
struct MasterPlaylist {
  let renditions: [Rendition]

  /// Renditions of audio that a player chooses one of: those of one codec.
  private struct Group {
    var name: String
    var codec: String
    var members: [Rendition] = []
    var peak: Int { members.map(\.peakBitRate).max() ?? 0 }
    var average: Int { members.map(\.averageBitRate).max() ?? 0 }
  }

  var text: String {
    let audio = renditions.filter { !$0.isVideo }
    let video = renditions.filter(\.isVideo)
    var lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"]
    if video.isEmpty {
      for rendition in audio { lines += variant(rendition, nil) }
      return lines.joined(separator: "\n") + "\n"
    }
    let groups = Self.groups(audio)
    for group in groups { lines += media(group) }
    for rendition in video {
      if groups.isEmpty { lines += variant(rendition, nil) }
      for group in groups { lines += variant(rendition, group) }
    }
    // For connections that have no room for video.
    for group in groups { lines += variant(group) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func groups(_ audio: [Rendition]) -> [Group] {
    audio.reduce(into: []) { groups, rendition in
      let codec = rendition.facts.codecName ?? ""
      if let index = groups.firstIndex(where: { $0.codec == codec }) {
        groups[index].members.append(rendition)
      } else {
        let name = groups.isEmpty ? "audio" : "audio\(groups.count + 1)"
        groups.append(Group(name: name, codec: codec, members: [rendition]))
      }
    }
  }

  private func media(_ group: Group) -> [String] {
    var names: Set<String> = []
    let presented = group.members.firstIndex { $0.label.isDefault } ?? 0
    return group.members.enumerated().map { index, rendition in
      // No two have one name (4.3.4.1.1).
      let wanted =
        rendition.label.name ?? rendition.facts.tags["language-name"] ?? rendition.name
      let name = names.insert(wanted).inserted ? wanted : "\(wanted) (\(rendition.name))"
      names.insert(name)
      var fields = ["TYPE=AUDIO", "GROUP-ID=\"\(group.name)\"", "NAME=\(StreamText.quoted(name))"]
      if let language = rendition.facts.tags["language-tag"]
        ?? rendition.facts.tags["language-code"]
      {
        fields.append("LANGUAGE=\(StreamText.quoted(language))")
      }
      fields += ["DEFAULT=\(index == presented ? "YES" : "NO")", "AUTOSELECT=YES"]
      if let channels = rendition.facts.format?.channels {
        fields.append("CHANNELS=\"\(channels)\"")
      }
      fields.append("URI=\"\(rendition.playlistName)\"")
      return "#EXT-X-MEDIA:" + fields.joined(separator: ",")
    }
  }

  /// A group by itself.
  private func variant(_ group: Group) -> [String] {
    let fields = [
      "BANDWIDTH=\(max(1, group.peak))", "AVERAGE-BANDWIDTH=\(max(1, group.average))",
      "CODECS=\"\(group.codec)\"", "AUDIO=\"\(group.name)\"",
    ]
    return ["#EXT-X-STREAM-INF:" + fields.joined(separator: ","), group.members[0].playlistName]
  }

  private func variant(_ rendition: Rendition, _ group: Group?) -> [String] {
    let codecs = [rendition.facts.codecName, group?.codec].compactMap(\.self).filter { $0 != "" }
    var fields = [
      "BANDWIDTH=\(max(1, rendition.peakBitRate + (group?.peak ?? 0)))",
      "AVERAGE-BANDWIDTH=\(max(1, rendition.averageBitRate + (group?.average ?? 0)))",
      "CODECS=\"\(codecs.joined(separator: ","))\"",
    ]
    if let size = rendition.shownSize {
      fields.append("RESOLUTION=\(size.width)x\(size.height)")
    }
    if rendition.isVideo, let rate = rendition.facts.format?.frameRate {
      fields.append("FRAME-RATE=\(StreamText.decimals(rate, 3))")
    }
    if let range = rendition.videoRange { fields.append("VIDEO-RANGE=\(range)") }
    if let group { fields.append("AUDIO=\"\(group.name)\"") }
    return ["#EXT-X-STREAM-INF:" + fields.joined(separator: ","), rendition.playlistName]
  }
}

extension Rendition {
  /// How large its frames are shown; `nil` for audio.
  var shownSize: (width: Int, height: Int)? {
    guard isVideo, let format = facts.format, format.width > 0 else { return nil }
    let shape = format.pixelAspectRatio?.value ?? 1
    let size = (width: Int((Double(format.width) * shape).rounded()), height: format.height)
    let isTurned = [.rotate90, .rotate270, .mirrorRotate90, .mirrorRotate270].contains(rotation)
    return isTurned ? (size.height, size.width) : size
  }
}

extension Rendition {
  /// What its colours are where they are of high dynamic range; `nil` for usual ones.
  var highRangeColor: ColorNumbers? {
    isVideo ? facts.format?.color.flatMap { $0.highRange == nil ? nil : $0 } : nil
  }

  /// The range of its colours in a playlist, which is SDR where it says none
  /// (draft-pantos-hls-rfc8216bis, 4.4.6.2).
  fileprivate var videoRange: String? { highRangeColor?.highRange?.rawValue }
}

extension StreamText {
  /// A ratio to some decimals.
  static func decimals(_ ratio: Rational, _ count: Int) -> String {
    let scale = (0..<count).reduce(1) { product, _ in product * 10 }
    let value = Int((ratio.value * Double(scale)).rounded())
    return "\(value / scale).\(digits(value % scale, count))"
  }
}
