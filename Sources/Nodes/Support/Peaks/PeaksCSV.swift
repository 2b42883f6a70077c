import GraphKit

/// Points as text: a line for each, with its low and high value for each channel, as
/// audiowaveform's text files have them. Of points that are one magnitude just that is written.
enum PeaksCSV {
  /// Writes a file.
  static func write(_ peaks: Peaks, bits: Int, to file: inout WholeFile) throws(NodeError) {
    let isPair = peaks.format.reduction.isPair
    var line: [UInt8] = []
    for point in 0..<peaks.count {
      line.removeAll(keepingCapacity: true)
      for channel in 0..<peaks.format.channels {
        if channel > 0 { line.append(UInt8(ascii: ",")) }
        if isPair {
          line.append(decimal: Peaks.value(peaks.low(point, channel: channel), bits: bits))
          line.append(UInt8(ascii: ","))
        }
        line.append(decimal: Peaks.value(peaks.high(point, channel: channel), bits: bits))
      }
      line.append(UInt8(ascii: "\n"))
      try file.write(line)
    }
  }
}
