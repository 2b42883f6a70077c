import GraphKit

/// Has texts of WebVTT pass as they are in their file, without what comes before each.
///
/// `matroskademux` (1.22), which takes them for another kind of text, has characters of tags stand for
/// themselves (`&lt;`) in all that come before the first with a tag that it knows.
struct WebVTTTexts: StreamFilter {
  /// How many lines come before each text.
  let head: Int
  private var hasTags = false

  init(head: Int) { self.head = head }

  mutating func pass(_ sample: inout SampleBuffer) -> Bool {
    let text = sample.text
    hasTags = hasTags || text.contains("<")
    let own = hasTags ? text : SubtitleText.plain(text, isMarkup: true)
    let lines = own.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    let shown = lines.dropFirst(head).joined(separator: "\n")
    if shown != text { sample.setText(shown) }
    return !shown.isEmpty
  }
}

extension SampleBuffer {
  /// A text's.
  var text: String {
    withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
  }

  /// Has it hold another text.
  mutating func setText(_ text: String) {
    var changed = SampleBuffer(bytes: Array(text.utf8), format: format)
    changed.presentationTime = presentationTime
    changed.duration = duration
    self = changed
  }
}
