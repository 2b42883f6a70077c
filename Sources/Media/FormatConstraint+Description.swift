extension FormatConstraint: CustomStringConvertible {
  /// The constraint as a person says it: `raw video I420 or NV12, 1280x720 at 30/s`.
  public var description: String {
    ([subject] + audioWords + [picture].compactMap { $0 }).joined(separator: ", ")
  }

  private var subject: String {
    if !codecs.isEmpty { return FormatWords.either(codecs.map(\.spoken)) }
    let formats = sampleFormats.map(\.rawValue) + pixelFormats.map(\.spoken)
    return [kind.spoken, FormatWords.either(formats), FormatWords.either(layouts.map(\.rawValue))]
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var audioWords: [String] {
    [
      FormatWords.either(sampleRates.map(FormatWords.sampleRate)),
      FormatWords.either(channels.map(FormatWords.channels)),
    ].filter { !$0.isEmpty }
  }

  private var picture: String? {
    FormatWords.picture(width: width, height: height, frameRate: frameRate)
  }
}
