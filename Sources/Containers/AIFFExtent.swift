import GraphKitSystem

/// Where the audio of an AIFF file ends by its header (Apple's Audio Interchange File Format,
/// version 1.3, and AIFF-C).
enum AIFFExtent {
  static func end(of file: File) -> Int? {
    guard let (start, length) = chunk("SSND", of: file) else { return nil }
    // Who can't go back in a file leaves no size there.
    return length == 0 || length == 0xffff_ffff ? nil : start + length
  }

  /// What the audio of an AIFF-C file is called that GStreamer's reader (1.22) refuses; `nil` for
  /// all others.
  static func compression(of file: File) -> String? {
    guard let (start, _) = chunk("COMM", of: file),
      let bytes = try? file.read(at: start + 18, count: 4)
    else { return nil }
    return switch MovieBytes(bytes: bytes).type(at: 0)?.lowercased() {
    case "alaw": "A-law"
    case "ulaw": "µ-law"
    case "raw ": "unsigned samples"
    default: nil
    }
  }

  /// Where the contents of a chunk begin, and how many bytes they are said to be.
  static func chunk(_ name: String, of file: File) -> (start: Int, length: Int)? {
    guard let head = try? file.read(at: 0, count: 12) else { return nil }
    let data = MovieBytes(bytes: head)
    guard data.type(at: 0) == "FORM", ["AIFF", "AIFC"].contains(data.type(at: 8)) else {
      return nil
    }
    var offset = 12
    // A file of nothing but chunks of no length would be walked for ever.
    for _ in 0..<1_000 {
      guard let bytes = try? file.read(at: offset, count: 8) else { return nil }
      let chunk = MovieBytes(bytes: bytes)
      guard let type = chunk.type(at: 0), let length = chunk.u32(4) else { return nil }
      if type == name { return (offset + 8, length) }
      offset += 8 + length + length % 2
    }
    return nil
  }
}
