import Media

/// The speakers of channels as movies and CAF files say them.
extension Speakers {
  /// Those of a box or chunk `chan` (Core Audio Format, "Channel Layout Chunk"); `nil` where it has
  /// channels in another order than ``Speakers``.
  init?(layoutTag: Int, bitmap: Int) {
    guard layoutTag != 1 << 16 else {
      self.init(rawValue: UInt32(truncatingIfNeeded: bitmap))
      return
    }
    guard let layout = Self.layouts[layoutTag >> 16], layout.count == layoutTag & 0xffff else {
      return nil
    }
    self = layout
  }

  /// The tags of layouts (`kAudioChannelLayoutTag_…`): MPEG_3_0_A, MPEG_4_0_A, MPEG_5_0_A, MPEG_5_1_A,
  /// MPEG_7_1_A, Quadraphonic and ITU_2_2, DVD_4.
  private static let layouts: [Int: Speakers] = [
    113: .threeZero, 115: [.threeZero, .backCenter], 117: .fiveZero, 121: .fiveOne,
    126: [.fiveOne, .frontLeftOfCenter, .frontRightOfCenter], 108: .quad, 132: .quad,
    133: [.stereo, .lowFrequency],
  ]

  /// The numbers of ISO/IEC 23091-3 for each, in the order of the channels.
  var positions: [UInt8] {
    // Those at the sides are the surround speakers where there are none at the back.
    let back: [UInt8] = isDisjoint(with: [.sideLeft, .sideRight]) ? [4, 5] : [8, 9]
    let sides: [UInt8] = isDisjoint(with: [.backLeft, .backRight]) ? [4, 5] : [13, 14]
    let all: [UInt8] = [0, 1, 2, 3] + back + [6, 7, 10] + sides
    return each.compactMap { speaker in
      let bit = speaker.rawValue.trailingZeroBitCount
      return all.indices.contains(bit) ? all[bit] : nil
    }
  }

  /// Those of such numbers; `nil` where the channels are in another order than ``Speakers``.
  init?(positions: [UInt8]) {
    let bits = [0, 1, 2, 3, 4, 5, 6, 7, 4, 5, 8, nil, nil, 9, 10]
    self = []
    for position in positions {
      guard bits.indices.contains(Int(position)), let bit = bits[Int(position)],
        rawValue >> bit == 0
      else { return nil }
      insert(Speakers(rawValue: 1 << bit))
    }
  }
}
