/// Samples of tracks of text (3GPP TS 26.245, 5.17; QuickTime File Format, "Text Media").
package enum MovieText {
  /// The sample that shows nothing.
  static let empty: [UInt8] = [0, 0]

  /// A sample that shows a text, of which it takes as much as a sample can have.
  package static func sample(_ text: String) -> [UInt8] {
    let bytes = cut(text, to: 0xffff)
    return [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes
  }

  /// As much of a text as so many bytes hold, without a part of a character.
  static func cut(_ text: String, to count: Int) -> [UInt8] {
    var bytes = Array(text.utf8.prefix(count))
    while bytes.count > count - 4, String(validating: bytes, as: UTF8.self) == nil {
      bytes.removeLast()
    }
    return bytes
  }

  /// The title of a chapter, which says that it is in UTF-8.
  static func title(_ text: String) -> [UInt8] {
    sample(text) + [0, 0, 0, 12] + Array("encd".utf8) + [0, 0, 1, 0]
  }
}
