import System

/// Where the sound of an AIFF file ends by its header (Apple's Audio Interchange File Format,
/// version 1.3, and AIFF-C).
enum AIFFExtent {
  static func end(of file: File) -> Int? {
    guard let head = try? file.read(at: 0, count: 12) else { return nil }
    let data = MovieBytes(bytes: head)
    guard data.type(at: 0) == "FORM", ["AIFF", "AIFC"].contains(data.type(at: 8)) else {
      return nil
    }
    var place = 12
    // A file of nothing but chunks of no length would be walked for ever.
    for _ in 0..<1_000 {
      guard let bytes = try? file.read(at: place, count: 8) else { return nil }
      let chunk = MovieBytes(bytes: bytes)
      guard let type = chunk.type(at: 0), let length = chunk.u32(4) else { return nil }
      // Who can't go back in a file leaves no size there.
      if type == "SSND" { return length == 0 || length == 0xffff_ffff ? nil : place + 8 + length }
      place += 8 + length + length % 2
    }
    return nil
  }
}
