/// The bytes with which H.264 and HEVC keep a start code from appearing among the contents of a unit
/// (ITU-T H.264, 7.4.1.1; H.265, 7.4.2).
enum EscapedBytes {
  /// A unit's contents with them.
  static func added(to contents: some Collection<UInt8>) -> [UInt8] {
    var (found, zeros) = ([UInt8](), 0)
    for byte in contents {
      if zeros >= 2, byte <= 3 {
        found.append(3)
        zeros = 0
      }
      zeros = byte == 0 ? zeros + 1 : 0
      found.append(byte)
    }
    return found
  }

  /// What of a unit's bytes is its contents.
  static func removed(from bytes: some Collection<UInt8>) -> [UInt8] {
    var (found, zeros) = ([UInt8](), 0)
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      found.append(byte)
    }
    return found
  }
}
