/// The speakers that channels are for, in the order of the channels: that of the bits, which are those of
/// WAV files (`dwChannelMask` of `WAVEFORMATEXTENSIBLE`).
public struct Speakers: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// The speakers of some bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Front left.
  public static let frontLeft = Speakers(rawValue: 1 << 0)
  /// Front right.
  public static let frontRight = Speakers(rawValue: 1 << 1)
  /// Front centre.
  public static let frontCenter = Speakers(rawValue: 1 << 2)
  /// The one of low-frequency effects.
  public static let lowFrequency = Speakers(rawValue: 1 << 3)
  /// Back left.
  public static let backLeft = Speakers(rawValue: 1 << 4)
  /// Back right.
  public static let backRight = Speakers(rawValue: 1 << 5)
  /// Between front left and front centre.
  public static let frontLeftOfCenter = Speakers(rawValue: 1 << 6)
  /// Between front right and front centre.
  public static let frontRightOfCenter = Speakers(rawValue: 1 << 7)
  /// Back centre.
  public static let backCenter = Speakers(rawValue: 1 << 8)
  /// Left.
  public static let sideLeft = Speakers(rawValue: 1 << 9)
  /// Right.
  public static let sideRight = Speakers(rawValue: 1 << 10)
  /// Front left, above.
  public static let topFrontLeft = Speakers(rawValue: 1 << 12)
  /// Front right, above.
  public static let topFrontRight = Speakers(rawValue: 1 << 14)
  /// Back left, above.
  public static let topBackLeft = Speakers(rawValue: 1 << 15)
  /// Back right, above.
  public static let topBackRight = Speakers(rawValue: 1 << 17)

  /// Front left and right.
  public static let stereo: Speakers = [.frontLeft, .frontRight]
  /// 3.0: front left, right and centre.
  public static let threeZero: Speakers = [.stereo, .frontCenter]
  /// Quadraphonic: front and back, left and right.
  public static let quad: Speakers = [.stereo, .backLeft, .backRight]
  /// 5.0: 3.0, back left and right.
  public static let fiveZero: Speakers = [.threeZero, .backLeft, .backRight]
  /// 5.1: 5.0 with low-frequency effects.
  public static let fiveOne: Speakers = [.fiveZero, .lowFrequency]
  /// 6.1: 3.0 with low-frequency effects, back centre, left and right.
  public static let sixOne: Speakers = [
    .threeZero, .lowFrequency, .backCenter, .sideLeft, .sideRight,
  ]
  /// 7.1: 5.1, left and right.
  public static let sevenOne: Speakers = [.fiveOne, .sideLeft, .sideRight]

  /// Those of so many channels where nothing says otherwise: the layouts that FLAC, Vorbis and Opus have
  /// (RFC 9639, 9.1.3; Vorbis I, 4.3.9; RFC 7845, 5.1.1.2). None of more than eight.
  public static func usual(_ channels: Int) -> Speakers {
    let all: [Speakers] = [
      [], .frontCenter, .stereo, .threeZero, .quad, .fiveZero, .fiveOne, .sixOne, .sevenOne,
    ]
    return all.indices.contains(channels) ? all[channels] : []
  }

  /// Whether each has a name here: of others GraphKit doesn't know which caps have them.
  package var isKnown: Bool { Self(capsMask: capsMask) == self }

  /// How many they are.
  public var count: Int { rawValue.nonzeroBitCount }

  /// Each by itself, in the order of their channels.
  public var each: [Speakers] {
    (0..<32).map { Speakers(rawValue: 1 << $0) }.filter { isSuperset(of: $0) }
  }
}

extension Speakers: CustomStringConvertible {
  /// The layout as a person says it: `5.1`; of others the speakers, `FL+FR+LFE+TFL`.
  public var description: String {
    if let name = Self.names.first(where: { $0.speakers == self })?.name { return name }
    return each.map { speaker in
      Self.letters.first { $0.0 == speaker }?.1 ?? "\(speaker.rawValue.trailingZeroBitCount)"
    }.joined(separator: "+")
  }

  private static let names: [(name: String, speakers: Speakers)] = [
    ("mono", .frontCenter), ("stereo", .stereo), ("2.1", [.stereo, .lowFrequency]),
    ("3.0", .threeZero), ("3.0(back)", [.stereo, .backCenter]),
    ("3.1", [.threeZero, .lowFrequency]), ("4.0", [.threeZero, .backCenter]), ("quad", .quad),
    ("quad(side)", [.stereo, .sideLeft, .sideRight]),
    ("4.1", [.threeZero, .lowFrequency, .backCenter]), ("5.0", .fiveZero),
    ("5.0(side)", [.threeZero, .sideLeft, .sideRight]), ("5.1", .fiveOne),
    ("5.1(side)", [.threeZero, .lowFrequency, .sideLeft, .sideRight]),
    ("6.0", [.threeZero, .backCenter, .sideLeft, .sideRight]), ("6.1", .sixOne),
    ("6.1(back)", [.fiveOne, .backCenter]), ("7.0", [.fiveZero, .sideLeft, .sideRight]),
    ("7.1", .sevenOne), ("7.1(wide)", [.fiveOne, .frontLeftOfCenter, .frontRightOfCenter]),
  ]

  private static let letters: [(Speakers, String)] = [
    (.frontLeft, "FL"), (.frontRight, "FR"), (.frontCenter, "FC"), (.lowFrequency, "LFE"),
    (.backLeft, "BL"), (.backRight, "BR"), (.frontLeftOfCenter, "FLC"),
    (.frontRightOfCenter, "FRC"), (.backCenter, "BC"), (.sideLeft, "SL"), (.sideRight, "SR"),
    (.topFrontLeft, "TFL"), (.topFrontRight, "TFR"), (.topBackLeft, "TBL"),
    (.topBackRight, "TBR"),
  ]
}

extension Speakers {
  /// The bits of caps that differ: GStreamer has a second LFE before the speakers at the sides, and those
  /// above in an order in which the channels of these follow as they do in WAV files.
  private static let capsBits: [(Speakers, UInt64)] = [
    (.sideLeft, 1 << 10), (.sideRight, 1 << 11), (.topFrontLeft, 1 << 12),
    (.topFrontRight, 1 << 13), (.topBackLeft, 1 << 16), (.topBackRight, 1 << 17),
  ]

  /// The bits as caps have them.
  package var capsMask: UInt64 {
    Self.capsBits.reduce(UInt64(rawValue & 0x1ff)) { mask, bit in
      isSuperset(of: bit.0) ? mask | bit.1 : mask
    }
  }

  /// The speakers of caps; `nil` where there are others among them.
  package init?(capsMask: UInt64) {
    self.init(rawValue: UInt32(capsMask & 0x1ff))
    for (speaker, bit) in Self.capsBits where capsMask & bit != 0 { insert(speaker) }
    guard self.capsMask == capsMask else { return nil }
  }

  /// The same as a value of caps.
  package var capsText: String {
    let digits = String(capsMask, radix: 16)
    return "0x" + String(repeating: "0", count: 16 - digits.count) + digits
  }
}
