import GraphKit

/// A data file that was looked through and found right.
///
/// Points of a binary file stay there until they are asked for; those of JSON are kept, in at most
/// as many bytes as the file has.
struct PeaksFile: Sendable {
  /// What the points are.
  let format: PeaksFormat
  /// The number of points.
  let count: Int
  private let contents: Contents

  private enum Contents {
    case binary(InputFile, PeaksDat.Header)
    case values([Int16])
  }

  /// Looks through a file. Its first byte tells the formats from each other.
  init(_ path: String) throws(NodeError) {
    let file = try InputFile(path)
    guard let first = try file.bytes(at: 0, count: 1).first else {
      throw NodeError.badPeaks(file, "is empty")
    }
    if first < 3 {
      let header = try PeaksDat.Header(reading: file)
      (format, count, contents) = (header.format, header.count, .binary(file, header))
    } else {
      var reader = PeaksJSONReader(file)
      let peaks = try reader.read()
      (format, count, contents) = (peaks.format, peaks.count, .values(peaks.values))
    }
  }

  /// Some of the points.
  func peaks(_ points: Range<Int>) throws(NodeError) -> Peaks {
    let width = format.valuesPerPoint
    let values = points.lowerBound * width..<points.upperBound * width
    switch contents {
    case .values(let all): return Peaks(format, values: Array(all[values]))
    case .binary(let file, let header): return try header.peaks(values, of: file)
    }
  }
}

extension NodeError {
  /// A data file that can't be read, and why.
  static func badPeaks(_ file: InputFile, _ what: String) -> NodeError {
    NodeError(
      "`\(file.path)` \(what)",
      remedy: "give a whole .dat or .json file, as audiowaveform and `peaksSink` write them",
      key: "path")
  }
}
