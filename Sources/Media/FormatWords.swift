/// How values of formats are said, in descriptions and in diagnostics alike.
package enum FormatWords {
  /// `a`, `a or b`, `a, b or c`.
  package static func either(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// `48 kHz`, `22.05 kHz`, `800 Hz`.
  package static func sampleRate(_ rate: Int) -> String {
    rate < 1000 ? "\(rate) Hz" : "\(decimal(thousandths: rate)) kHz"
  }

  /// `mono`, `stereo`, `6 channels`.
  package static func channels(_ count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    default: "\(count) channels"
    }
  }

  /// `30/s`, `29.97/s`; as a fraction where that is no ordinary number.
  package static func frameRate(_ rate: Rational) -> String {
    let thousandths = (rate.value * 1000).rounded()
    guard thousandths >= 1, let whole = Int(exactly: thousandths) else { return "\(rate)/s" }
    return "\(decimal(thousandths: whole))/s"
  }

  /// `1280x720 at 30/s`, as much of it as is known; `nil` where nothing is.
  static func picture(width: Int?, height: Int?, frameRate: Rational?) -> String? {
    let rate = frameRate.map(Self.frameRate)
    switch (width, height) {
    case (let width?, let height?): return "\(width)x\(height)" + (rate.map { " at \($0)" } ?? "")
    case (let width?, nil): return "\(width) wide" + (rate.map { " at \($0)" } ?? "")
    case (nil, let height?): return "\(height) high" + (rate.map { " at \($0)" } ?? "")
    case (nil, nil): return rate
    }
  }

  private static func decimal(thousandths: Int) -> String {
    let (whole, rest) = thousandths.quotientAndRemainder(dividingBy: 1000)
    guard rest != 0 else { return "\(whole)" }
    var digits = String(rest + 1000).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }
}

extension PixelFormat {
  /// The format as a person says it: `I420`.
  public var spoken: String { capsName }
}

extension Codec {
  /// The codec as a person says it: `H.264`, `AAC`.
  public var spoken: String {
    switch self {
    case .h264: "H.264"
    case .hevc: "HEVC"
    case .vp8: "VP8"
    case .vp9: "VP9"
    case .av1: "AV1"
    case .mpeg4: "MPEG-4 video"
    case .mpeg2: "MPEG-2 video"
    case .jpeg: "JPEG"
    case .png: "PNG"
    case .bmp: "BMP"
    case .prores: "ProRes"
    case .dnxhd: "DNxHD"
    case .theora: "Theora"
    case .sorenson: "Sorenson Spark"
    case .aac: "AAC"
    case .mp3: "MP3"
    case .opus: "Opus"
    case .vorbis: "Vorbis"
    case .flac: "FLAC"
    case .alac: "ALAC"
    case .ac3: "AC-3"
    case .eac3: "Enhanced AC-3"
    case .dts: "DTS"
    case .mp2: "MP2"
    case .alaw: "A-law"
    case .mulaw: "µ-law"
    case .adpcm: "ADPCM"
    case .wavpack: "WavPack"
    }
  }
}
