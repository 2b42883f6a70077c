import GraphKit
import Kernels

/// Brings video of high dynamic range (PQ or HLG) down to standard range, BT.709.
///
/// Frames of standard range go through unchanged. Frames are worked on in 8 bits.
public struct ToneMap: SwiftNode {
  /// How the values of high dynamic range stand for light.
  public enum Transfer: String, CaseIterable, Sendable {
    /// SMPTE ST 2084, up to 10,000 cd/m².
    case pq
    /// ARIB STD-B67, as a display of 1,000 cd/m² shows it (ITU-R BT.2100).
    case hlg
  }

  /// The transfer function of video that doesn't say; `nil` to leave such video as it is.
  public var transfer: Transfer?
  /// The brightest light that is kept, in cd/m².
  public var peak = 1_000.0 { didSet { table = nil } }
  /// The light that the curve takes as 1, in cd/m²: more makes the video darker.
  public var white = 100.0 { didSet { table = nil } }

  private var format: VideoFormat?
  private var result: FormatDescription?
  private var table: ColorTable?

  /// A curve for video that was mastered at 1,000 cd/m².
  public init() {}

  public static let declaration = NodeDeclaration<ToneMap>(
    "toneMap", role: .effect, help: "Brings HDR video (PQ, HLG) down to standard range.",
    phrase: "brought to standard range",
    example: "decoder -> toneMap -> encoder",
    parameters: [
      .choice(
        "transfer", \.transfer,
        help: "The HDR transfer function of video that doesn't say; otherwise its own."),
      .number(
        "peak", \.peak, in: 100...10_000, unit: "cd/m²", live: true,
        help: "The brightest light that is kept; what is brighter becomes white."),
      .number(
        "white", \.white, in: 25...1_000, unit: "cd/m²", live: true,
        help: "The light that the curve takes as 1; more makes the video darker."),
    ])

  public static let ports = EffectPorts<Video>(.video([.i420, .nv12]))

  public var traits: NodeTraits { NodeTraits(isFramewise: true) }

  public mutating func prepare(
    for format: FormatDescription, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard case .video(var video) = format.format else {
      throw NodeError("\(format) is not raw video", remedy: "wire raw video here")
    }
    (self.format, table, result) = (video, nil, nil)
    guard curve(for: video) != nil else { return try outputs.announce(format, on: 0) }
    video.colorimetry = "bt709"
    let described = try FormatDescription(.video(video))
    result = described
    try outputs.announce(described, on: 0)
  }

  public mutating func process(
    _ sample: consuming SampleBuffer, on input: Int, to outputs: NodeOutputs
  ) throws {
    guard let result, let format else { return try outputs.send(sample) }
    let table = try currentTable(for: format)
    do {
      var frame = try sample.videoFrame()
      let layout = format.pixelFormat == .nv12 ? ColorLayout.paired : .planar
      guard frame.apply(.table(table), as: layout) else {
        throw NodeError("a frame is smaller than its format", remedy: "look at what made it")
      }
    }
    sample.format = result
    try outputs.send(sample)
  }

  private mutating func currentTable(for format: VideoFormat) throws -> ColorTable {
    if let table { return table }
    guard let curve = curve(for: format) else {
      throw NodeError("a frame came before its format", remedy: "look at what made it")
    }
    // What doesn't say is what is usual of high dynamic range.
    let encoding =
      format.colorimetry.isEmpty ? ColorEncoding(.bt2020, .video) : ColorEncoding(format)
    let (decoding, target) = (encoding.toRGB, ColorEncoding(.bt709, .video).fromRGB)
    let made = ColorTable { values in
      let changed = target(curve(decoding(SIMD3<Double>(values)) / 255) * 255)
      let rounded = changed.rounded(.toNearestOrAwayFromZero)
      return SIMD3<UInt8>(rounded.clamped(lowerBound: .zero, upperBound: SIMD3(repeating: 255)))
    }
    guard let made else {
      throw NodeError(
        "no memory for a table of colours, 64 MiB", remedy: "give the process more memory")
    }
    table = made
    return made
  }

  /// The curve for video of a format; `nil` where that is of standard range.
  private func curve(for video: VideoFormat) -> ToneCurve? {
    let colors = ColorNumbers(colorimetry: video.colorimetry)
    let stated: Transfer? = colors?.highRange.map { $0 == .pq ? .pq : .hlg }
    guard let found = stated ?? (colors == nil ? transfer : nil) else { return nil }
    // ITU-T H.273, table 2.
    return ToneCurve(found, hasWidePrimaries: colors?.primaries != 1, peak: peak, white: white)
  }
}
