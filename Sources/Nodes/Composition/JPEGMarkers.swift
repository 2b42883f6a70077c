/// The markers of a JPEG file (ITU-T T.81, annex B).
enum JPEGMarkers {
  /// Whether a picture goes on to its end marker: decoders make gray of what is missing.
  static func areWhole(_ bytes: [UInt8]) -> Bool {
    var place = 2
    while let next = bytes[min(place, bytes.count)...].firstIndex(of: 0xFF),
      next + 1 < bytes.count
    {
      place = next + 2
      switch bytes[next + 1] {
      case 0xD9: return true
      // Of data, restarts, and what stands alone; a marker may have more than one 0xFF before it.
      case 0x00, 0x01, 0xD0...0xD8: continue
      case 0xFF: place = next + 1
      default:
        guard next + 3 < bytes.count else { return false }
        place = next + 2 + (Int(bytes[next + 2]) << 8 | Int(bytes[next + 3]))
      }
    }
    return false
  }
}
