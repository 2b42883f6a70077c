extension MediaTime: CustomStringConvertible, CustomDebugStringConvertible {
  /// The time in seconds with three decimals: `1.500 s`; or `invalid`, `indefinite`, `+infinity`,
  /// `-infinity`.
  public var description: String {
    guard isNumeric else { return word }
    guard
      let rounded = ExactFraction(Int128(value), over: UInt128(timescale))
        .units(of: 1000, rounding: .halfAwayFromZero)
    else { return "\(value / Int64(timescale)).000 s" }
    let (seconds, thousandths) = rounded.value.magnitude.quotientAndRemainder(dividingBy: 1000)
    let sign = rounded.value < 0 ? "-" : ""
    return "\(sign)\(seconds).\(String(thousandths + 1000).dropFirst()) s"
  }

  /// The time exactly, as it is stored: `3003/90000`, with a `~` before it where it was rounded.
  public var debugDescription: String {
    isNumeric ? "\(hasBeenRounded ? "~" : "")\(value)/\(timescale)" : word
  }

  private var word: String {
    switch form {
    case .numeric: "numeric"
    case .invalid: "invalid"
    case .indefinite: "indefinite"
    case .positiveInfinity: "+infinity"
    case .negativeInfinity: "-infinity"
    }
  }
}

extension MediaTime: Codable {
  /// Writes the text of ``debugDescription``: no JSON reader, of whatever language, loses a bit.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(debugDescription)
  }

  /// Reads the text of ``debugDescription``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = MediaTime(exactText: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no time; write one as \"3003/90000\"")
    }
    self = time
  }

  private init?(exactText text: String) {
    let words: [MediaTime] = [.invalid, .indefinite, .positiveInfinity, .negativeInfinity]
    if let time = words.first(where: { $0.word == text }) {
      self = time
      return
    }
    let isRounded = text.hasPrefix("~")
    let parts = text.dropFirst(isRounded ? 1 : 0)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let value = Int64(parts[0]), let timescale = Int32(parts[1]),
      timescale > 0
    else { return nil }
    self.init(value: value, timescale: timescale, hasBeenRounded: isRounded)
  }
}
