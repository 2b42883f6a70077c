import CGStreamer

extension Element {
  /// Has a parser of texts of Advanced SubStation Alpha, or those in a bin, pass no drawings. It (1.22)
  /// leaves out what is in braces, and with that what says that coordinates follow: they became words. It
  /// also puts a space before breaks of lines, and two in place of one that isn't broken.
  package func leaveOutDrawings() {
    guard !isBin else {
      onChild { if !$0.isBin { $0.leaveOutDrawings() } }
      return
    }
    guard factoryName == "ssaparse" else { return }
    pad("sink")?.replaceBuffers { $0.withoutDrawings() }
  }
}

extension Buffer {
  /// The same text without its drawings; `nil` where nothing is left.
  fileprivate consuming func withoutDrawings() -> Buffer? {
    var bytes = [UInt8](repeating: 0, count: size)
    unsafe bytes.withUnsafeMutableBytes { bytes in
      _ = unsafe gst_buffer_extract(raw, 0, bytes.baseAddress, gsize(bytes.count))
    }
    let line = ScriptLine(bytes)
    guard line.kept != bytes else { return self }
    guard line.hasText else { return nil }
    let changed = Buffer(line.kept)
    let flags = GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
    unsafe gst_buffer_copy_into(changed.raw, raw, GstBufferCopyFlags(flags), 0, gsize.max)
    return changed
  }
}

/// A line of a script as Matroska has it: eight fields, and the text (RFC 9559's registry of codecs,
/// S_TEXT/ASS).
private struct ScriptLine {
  /// The line without what draws, and with the characters that a backslash and a letter stand for.
  private(set) var kept: [UInt8] = []
  private(set) var hasText = false

  init(_ line: [UInt8]) {
    var rest = line[...]
    for _ in 0..<8 {
      guard let comma = rest.firstIndex(of: UInt8(ascii: ",")) else {
        kept = line
        return
      }
      rest = rest[(comma + 1)...]
    }
    kept = Array(line[..<rest.startIndex])
    var isDrawing = false
    // A brace after the last that closes is a letter, and isn't looked for again.
    let last = rest.lastIndex(of: UInt8(ascii: "}")) ?? rest.startIndex
    while let next = rest.first {
      if next == UInt8(ascii: "{"), rest.startIndex < last,
        let end = rest.firstIndex(of: UInt8(ascii: "}"))
      {
        isDrawing = Self.drawing(in: rest[..<end]) ?? isDrawing
        kept += rest[...end]
        rest = rest[(end + 1)...]
      } else if next == UInt8(ascii: "\\"), let word = rest.dropFirst().first.flatMap(Self.word) {
        if !isDrawing { kept += word }
        rest = rest.dropFirst(2)
      } else {
        if !isDrawing { take(next) }
        rest = rest.dropFirst()
      }
    }
  }

  private mutating func take(_ letter: UInt8) {
    hasText = hasText || letter > 0x20
    kept.append(letter)
  }

  /// What a letter stands for after a backslash: a break of the line, one that may be a space, and a space
  /// at which no line is broken.
  private static func word(_ letter: UInt8) -> [UInt8]? {
    switch letter {
    case UInt8(ascii: "N"): [0x0a]
    case UInt8(ascii: "n"): [0x20]
    case UInt8(ascii: "h"): [0xc2, 0xa0]
    default: nil
    }
  }

  /// Whether what follows some words in braces is a drawing: `\p1` begins one, `\p0` ends it.
  private static func drawing(in words: ArraySlice<UInt8>) -> Bool? {
    let tags = words.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return tags.dropFirst().compactMap { tag -> Bool? in
      guard tag.first == UInt8(ascii: "p"), let size = tag.dropFirst().first,
        digits.contains(size)
      else { return nil }
      return size != UInt8(ascii: "0")
    }.last
  }
}
