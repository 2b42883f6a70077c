/// The markers of a JPEG file (ITU-T T.81, annex B).
enum JPEGMarkers {
  /// Whether a picture goes on to its end marker: decoders make gray of what is missing.
  static func areWhole(_ bytes: [UInt8]) -> Bool {
    var offset = 2
    while let next = bytes[min(offset, bytes.count)...].firstIndex(of: 0xFF),
      next + 1 < bytes.count
    {
      offset = next + 2
      switch bytes[next + 1] {
      case 0xD9: return true
      // Of data, restarts, and what stands alone; a marker may have more than one 0xFF before it.
      case 0x00, 0x01, 0xD0...0xD8: continue
      case 0xFF: offset = next + 1
      default:
        guard next + 3 < bytes.count else { return false }
        offset = next + 2 + (Int(bytes[next + 2]) << 8 | Int(bytes[next + 3]))
      }
    }
    return false
  }

  /// What is wrong with how a picture's colours lie, such that they can't be decoded: GStreamer has no name
  /// for such pixels. `nil` where they can, and where there is no frame.
  static func samplingProblem(_ bytes: Span<UInt8>) -> String? {
    guard let factors = samplingFactors(bytes) else { return nil }
    if factors.count == 4 { return "has four components, as for print" }
    guard factors.count == 3, let luma = factors.first else { return nil }
    let chroma = factors.dropFirst().map {
      [luma.across / max(1, $0.across), luma.down / max(1, $0.down)]
    }
    let isKnown = chroma.allSatisfy { $0 == chroma[0] && [[1, 1], [2, 1], [2, 2]].contains($0) }
    return isKnown ? nil : "has colours that lie neither as in 4:2:0, nor as in 4:2:2 or 4:4:4"
  }

  /// How often each component has a sample, across and down, by the first frame's header (B.2.2).
  private static func samplingFactors(_ bytes: Span<UInt8>) -> [(across: Int, down: Int)]? {
    var place = 2
    while place + 9 < bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      switch marker {
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF:
        let count = Int(bytes[place + 9])
        guard place + 10 + 3 * count <= bytes.count else { return nil }
        return (0..<count).map { component in
          let factors = bytes[place + 11 + 3 * component]
          return (Int(factors >> 4), Int(factors & 15))
        }
      // The samples come before any frame's header, or the picture ends.
      case 0xD8, 0xD9, 0xDA: return nil
      default: break
      }
      place += 2 + length
    }
    return nil
  }
}
