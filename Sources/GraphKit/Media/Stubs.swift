extension MediaTime {
  static let invalid = MediaTime(value: 0, timescale: 0)
  var clock: UInt64? { timescale > 0 ? UInt64(Double(value) / Double(timescale) * 1e9) : nil }
}
extension MediaFormat {
  init(capsText: String) { self = .other(caps: capsText) }
  var capsText: String { "" }
}
extension FormatConstraint { var capsText: String? { nil } }
extension MediaTime { var seconds: Double { Double(value) / Double(timescale) } }
