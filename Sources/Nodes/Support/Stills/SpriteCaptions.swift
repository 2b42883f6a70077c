import GraphKit

/// The WebVTT file of a sprite: for each part of the video the part of a picture that shows it, as
/// players of the web read it for previews on their timeline.
///
/// A part of a picture is named by a media fragment, `#xywh=` (W3C Media Fragments URI 1.0, 4.2.2).
struct SpriteCaptions: Sendable {
  private struct Caption {
    var start: MediaTime
    var target: String
  }

  private var captions: [Caption] = []

  /// Adds a picture that stands for the video from a time on.
  mutating func add(
    _ picture: String, at place: PictureRect, from time: MediaTime, seenFrom vtt: String
  ) {
    let target = Self.reference(to: picture, from: vtt)
    captions.append(
      Caption(
        start: time,
        target: "\(target)#xywh=\(place.x),\(place.y),\(place.width),\(place.height)"))
  }

  /// The file's text, for a video that ends at a time. The first picture is for the beginning, too,
  /// and each is up to the next one.
  func text(until end: MediaTime) -> String {
    var text = "WEBVTT\n"
    var start = MediaTime.zero
    for (index, caption) in captions.enumerated() {
      let isLast = index + 1 == captions.count
      let next = isLast ? max(end, caption.start) : captions[index + 1].start
      // A cue that ends where it begins isn't valid.
      guard Self.milliseconds(next) > Self.milliseconds(start) else { continue }
      text += "\n\(Self.timestamp(start)) --> \(Self.timestamp(next))\n\(caption.target)\n"
      start = next
    }
    return text
  }

  private static func milliseconds(_ time: MediaTime) -> Int64 {
    time.converted(to: 1_000).value
  }

  /// `00:01:02.500`.
  private static func timestamp(_ time: MediaTime) -> String {
    let all = max(0, milliseconds(time))
    let (seconds, rest) = all.quotientAndRemainder(dividingBy: 1_000)
    let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60]
    let words = parts.map { StreamText.digits(Int($0), 2) }
    return words.joined(separator: ":") + "." + StreamText.digits(Int(rest), 3)
  }

  /// A file as a relative reference of another's text (RFC 3986): by its name where both are in one
  /// folder, else by its path.
  private static func reference(to path: String, from other: String) -> String {
    let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = other.lastIndex(of: "/").map { other[...$0] } ?? ""
    let text = path[..<start] == folder ? path[start...] : path[...]
    return StreamText.reference(to: String(text))
  }
}
