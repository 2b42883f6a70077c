import Media

/// What a movie says of a VP9 stream (VP Codec ISO Media File Format Binding, 4.3).
package struct VP9Configuration {
  package var profile = 0
  package var bitDepth = 8
  /// Where the samples of colour are: 1 for 4:2:0 at those of brightness, 2 for 4:2:2, 3 for 4:4:4.
  package var subsampling = 1
  package var color: ColorNumbers?

  package init() {}

  /// The contents of a `vpcC` box for frames of a size and rate.
  package func bytes(width: Int, height: Int, frameRate: Rational?) -> [UInt8] {
    let rate = frameRate?.value ?? 30
    return [
      UInt8(clamping: profile), Self.level(width, height, rate),
      UInt8(clamping: bitDepth << 4 | subsampling << 1 | (color?.isFullRange == true ? 1 : 0)),
      UInt8(clamping: color?.primaries ?? 2), UInt8(clamping: color?.transfer ?? 2),
      UInt8(clamping: color?.matrix ?? 2), 0, 0,
    ]
  }

  /// The level, ten times its number, that frames need by their size and rate (VP9 Levels).
  private static func level(_ width: Int, _ height: Int, _ rate: Double) -> UInt8 {
    let (size, edge) = (width.multipliedReportingOverflow(by: height), max(width, height))
    guard !size.overflow else { return 0 }
    let fitting = levels.first { _, second, frame, longest in
      Double(size.partialValue) * rate <= second && size.partialValue <= frame && edge <= longest
    }
    return fitting?.level ?? 0
  }

  /// Samples of brightness a second and a frame, and the longer edge, that each level admits.
  private static let levels: [(level: UInt8, second: Double, frame: Int, edge: Int)] = [
    (10, 829_440, 36_864, 512), (11, 2_764_800, 73_728, 768), (20, 4_608_000, 122_880, 960),
    (21, 9_216_000, 245_760, 1_344), (30, 20_736_000, 552_960, 2_048),
    (31, 36_864_000, 983_040, 2_752), (40, 83_558_400, 2_228_224, 4_160),
    (41, 160_432_128, 2_228_224, 4_160), (50, 311_951_360, 8_912_896, 8_384),
    (51, 588_251_136, 8_912_896, 8_384), (52, 1_176_502_272, 8_912_896, 8_384),
    (60, 1_176_502_272, 35_651_584, 16_832), (61, 2_353_004_544, 35_651_584, 16_832),
    (62, 4_706_009_088, 35_651_584, 16_832),
  ]
}
