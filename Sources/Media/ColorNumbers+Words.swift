extension ColorNumbers {
  /// Colours by caps' `colorimetry`, in words: `bt709`, `bt709 of full range`, or each of them where no name
  /// stands for all.
  package static func words(_ colorimetry: String) -> String {
    let parts = colorimetry.split(separator: ":").map(String.init)
    guard parts.count == 4 else { return colorimetry }
    let range = parts[0] == "1" ? "full range" : parts[0] == "2" ? "limited range" : nil
    let rest = ":" + parts[1...].joined(separator: ":")
    if let known = names.first(where: { $0.value.hasSuffix(rest) })?.key {
      return range.map { "\(known) of \($0)" } ?? known
    }
    guard let numbers = ColorNumbers(colorimetry: colorimetry) else { return range ?? colorimetry }
    let words = [
      range, matrixNames[numbers.matrix].map { "matrix \($0)" },
      transferNames[numbers.transfer].map { "transfer \($0)" },
      primaryNames[numbers.primaries].map { "primaries \($0)" },
    ]
    return words.compactMap(\.self).joined(separator: ", ")
  }

  private static let matrixNames = [
    0: "RGB", 1: "bt709", 4: "fcc", 6: "bt601", 7: "smpte240m", 9: "bt2020",
  ]
  private static let transferNames = [
    1: "bt709", 4: "gamma 2.2", 5: "gamma 2.8", 6: "bt601", 7: "smpte240m", 8: "linear",
    9: "log100", 10: "log316", 13: "sRGB", 14: "bt2020-10", 15: "bt2020-12", 16: "PQ", 18: "HLG",
  ]
  private static let primaryNames = [
    1: "bt709", 4: "bt470m", 5: "bt470bg", 6: "smpte170m", 7: "smpte240m", 8: "film", 9: "bt2020",
    10: "smpte428", 11: "smpte431", 12: "smpte432", 22: "ebu3213",
  ]
}
