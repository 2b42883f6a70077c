/// What the colours of video are, by the numbers of ISO/IEC 23091-2 (ITU-T H.273), as containers
/// have them.
package struct ColorNumbers: Hashable, Sendable {
  package var primaries: Int
  package var transfer: Int
  package var matrix: Int
  package var isFullRange: Bool

  /// The numbers of caps' `colorimetry`; `nil` where that says nothing, or isn't known here.
  ///
  /// The text is a name, or four numbers of GStreamer's own: range, matrix, transfer and primaries.
  package init?(colorimetry: String) {
    let text = Self.names[colorimetry] ?? colorimetry
    let parts = text.split(separator: ":").map { Int($0) }
    guard parts.count == 4, let range = parts[0], let matrix = parts[1], let transfer = parts[2],
      let primaries = parts[3]
    else { return nil }
    func number(_ index: Int, in table: [Int]) -> Int {
      table.indices.contains(index) ? table[index] : 2
    }
    self.matrix = number(matrix, in: Self.matrices)
    self.transfer = number(transfer, in: Self.transfers)
    self.primaries = number(primaries, in: Self.primaries)
    isFullRange = range == 1
    if (self.primaries, self.transfer, self.matrix) == (2, 2, 2) { return nil }
  }

  static let names = [
    "bt601": "2:4:16:4", "bt709": "2:3:5:1", "smpte240m": "2:5:6:5", "sRGB": "1:1:7:1",
    "bt2020": "2:6:11:7", "bt2020-10": "2:6:13:7", "bt2100-pq": "2:6:14:7",
    "bt2100-hlg": "2:6:15:7",
  ]
  /// By `GstVideoColorMatrix`, `GstVideoTransferFunction` and `GstVideoColorPrimaries`; 2 is "not
  /// said".
  private static let matrices = [2, 0, 4, 1, 6, 7, 9]
  private static let transfers = [2, 8, 2, 2, 4, 1, 7, 13, 5, 9, 10, 15, 2, 14, 16, 18, 6]
  private static let primaries = [2, 1, 4, 5, 6, 7, 8, 9, 2, 10, 11, 12, 22]
}

/// The transfer functions of high dynamic range, by their names in playlists.
package enum HighRange: String, Hashable, Sendable {
  case pq = "PQ"
  case hlg = "HLG"
}

extension ColorNumbers {
  /// The transfer function where it is one of high dynamic range (ITU-T H.273, table 3).
  package var highRange: HighRange? {
    switch transfer {
    case 16: .pq
    case 18: .hlg
    default: nil
    }
  }
}
