import Media

extension MovieTrackFormat {
  /// The codec with its profile and level (RFC 6381, 3.3; ISO/IEC 14496-15, annex E).
  package var codecName: String {
    switch codec {
    case .h264 where configuration.count >= 4:
      "avc1." + configuration[1..<4].map { Self.digits($0) }.joined()
    case .h264: "avc1"
    case .hevc: hevcName ?? "hvc1"
    case .aac: "mp4a.40.\(Self.objectType(of: configuration))"
    case .mp3: "mp4a.40.34"
    case .opus: "Opus"
    case .ac3: "ac-3"
    case .eac3: "ec-3"
    case .flac: "fLaC"
    case .alac: "alac"
    default: codec?.rawValue ?? ""
    }
  }

  private static func digits(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + text : text
  }

  /// The object type of an AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
  private static func objectType(of configuration: [UInt8]) -> Int {
    guard let first = configuration.first else { return 2 }
    guard first >> 3 == 31, configuration.count > 1 else { return Int(first >> 3) }
    return 32 + Int(first & 7) << 3 + Int(configuration[1] >> 5)
  }

  /// The profile, the profiles that it is compatible with, the lowest bit first, the tier and level,
  /// and the constraints without the zeros at their end.
  private var hevcName: String? {
    guard configuration.count >= 13 else { return nil }
    let space = ["", "A", "B", "C"][Int(configuration[1] >> 6)]
    var reversed: UInt32 = 0
    for byte in configuration[2..<6].reversed() {
      for bit in 0..<8 { reversed = reversed << 1 | UInt32(byte >> UInt8(bit) & 1) }
    }
    let tier = configuration[1] & 0x20 == 0 ? "L" : "H"
    var words = ["hvc1", space + String(configuration[1] & 0x1f)]
    words.append(String(reversed, radix: 16, uppercase: true))
    words.append(tier + String(configuration[12]))
    for byte in configuration[6..<12].reversed().drop(while: { $0 == 0 }).reversed() {
      words.append(String(byte, radix: 16, uppercase: true))
    }
    return words.joined(separator: ".")
  }
}
