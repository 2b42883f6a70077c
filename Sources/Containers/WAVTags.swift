import GraphKitSystem

/// What a WAV file says of itself: the texts of its `LIST` chunk of type `INFO`, before its samples or after
/// them (Multimedia Programming Interface and Data Specifications 1.0, "INFO list chunk").
enum WAVTags {
  /// Their identifiers, and GStreamer's names of them.
  private static let names = [
    "INAM": "title", "IART": "artist", "IPRD": "album", "ICMT": "comment", "ICOP": "copyright",
    "IGNR": "genre", "ICRD": "datetime", "ISFT": "encoder", "ISBJ": "album-artist",
    "ITRK": "track-number", "IPRT": "track-number",
  ]
  private static let mostChunks = 1_000
  private static let mostBytes = 1 << 20

  /// The texts of a file whose samples end somewhere, by GStreamer's names of tags. `end` is where they do,
  /// since some headers don't know it.
  static func texts(of file: File, samplesEndingAt end: Int) -> [String: String] {
    var (offset, texts) = (12, [String: String]())
    // A file of nothing but chunks of no length would be walked for ever.
    for _ in 0..<mostChunks {
      guard let chunk = chunk(file, at: offset) else { break }
      if chunk.name == "LIST", chunk.length <= mostBytes,
        let list = try? file.read(at: offset + 8, count: chunk.length),
        list.starts(with: "INFO".utf8)
      {
        texts.merge(Self.texts(in: list)) { first, _ in first }
      }
      let next = chunk.name == "data" ? end : offset + 8 + chunk.length
      offset = next + next % 2
    }
    return texts
  }

  private static func chunk(_ file: File, at offset: Int) -> (name: String, length: Int)? {
    guard offset <= file.size - 8, let head = try? file.read(at: offset, count: 8), head.count == 8
    else { return nil }
    return (String(decoding: head[..<4], as: UTF8.self), number(head[4...]))
  }

  private static func texts(in list: [UInt8]) -> [String: String] {
    var (place, texts) = (4, [String: String]())
    while place + 8 <= list.count {
      let length = number(list[place + 4..<place + 8])
      let end = min(place + 8 + length, list.count)
      if let name = names[String(decoding: list[place..<place + 4], as: UTF8.self)],
        let text = text(list[place + 8..<end])
      {
        texts[name] = texts[name] ?? text
      }
      place += 8 + length + length % 2
    }
    return texts
  }

  /// UTF-8, or else Latin 1, as older programs write it; `nil` for nothing.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    let bytes = bytes.prefix { $0 != 0 }
    guard !bytes.isEmpty else { return nil }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
