import GStreamer
import GraphKitSystem

/// Samples put aside on disk until all of them are there, then read back in their order: for a node
/// that must hear everything before it gives anything, in memory that doesn't grow.
///
/// The file has no name any more once it is open, so that nothing is left of it, however the
/// process ends. It takes the bytes of the samples and 32 more for each. All samples have one
/// format.
public struct SampleSpill: Sendable {
  /// The folder that the file is in.
  public let folder: String
  private let file: File
  private var format: FormatDescription?
  private var end = 0
  private var offset = 0

  private static let headerSize = 32

  /// Makes the file, in a folder or, without one, in that of `TMPDIR` or else in `/var/tmp`, which
  /// is on disk where `/tmp` may be in memory.
  public init(in folder: String = "") throws(NodeError) {
    self.folder = folder.isEmpty ? Machine.variable("TMPDIR") ?? "/var/tmp" : folder
    do {
      file = try File(namelessIn: self.folder)
    } catch {
      throw NodeError(
        "no temporary file can be made in `\(self.folder)`: \(error.text)",
        remedy: folder.isEmpty
          ? "set `TMPDIR` to a folder that may be written" : "name a folder that may be written",
        key: folder.isEmpty ? nil : "folder")
    }
  }

  /// Puts a sample after the last one.
  public mutating func append(_ sample: borrowing SampleBuffer) throws(NodeError) {
    if format == nil { format = sample.format }
    let (time, length) = (sample.presentationTime.nanoseconds, sample.duration.nanoseconds)
    let flags = (sample.isDiscontinuity ? 1 : 0) | (time == nil ? 0 : 2) | (length == nil ? 0 : 4)
    var header: [UInt8] = []
    for number in [Int64(sample.byteCount), Int64(flags), time ?? 0, length ?? 0] {
      for byte in 0..<8 { header.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
    let outcome = sample.withBytes { bytes in
      Result { () throws(File.Failure) in
        try file.write(header.span, at: end)
        try file.write(bytes, at: end + header.count)
      }
    }
    guard case .failure(let failure) = outcome else {
      end += header.count + sample.byteCount
      return
    }
    throw NodeError(
      "\(end) bytes are in a temporary file in `\(folder)`, and no more can be written: "
        + failure.text,
      remedy: "make room there, or set `TMPDIR` to a folder on a larger disk")
  }

  /// Has the samples read from the first on once more.
  public mutating func rewind() { offset = 0 }

  /// The next sample from the first on; `nil` after the last. None can be appended any more.
  public mutating func next() throws(NodeError) -> SampleBuffer? {
    guard let format, offset < end else { return nil }
    var header = SampleBuffer(byteCount: Self.headerSize, format: format)
    try read(into: &header)
    let numbers = header.withSamples(as: Int64.self) { span in span.indices.map { span[$0] } }
    var sample = SampleBuffer(byteCount: Int(numbers[0]), format: format)
    try read(into: &sample)
    sample.isDiscontinuity = numbers[1] & 1 != 0
    if numbers[1] & 2 != 0 { sample.presentationTime = MediaTime(nanoseconds: numbers[2]) }
    if numbers[1] & 4 != 0 { sample.duration = MediaTime(nanoseconds: numbers[3]) }
    return sample
  }

  private mutating func read(into sample: inout SampleBuffer) throws(NodeError) {
    let (offset, count) = (offset, sample.byteCount)
    let outcome = sample.withMutableBytes { bytes in
      Result { () throws(File.Failure) in try file.read(at: offset, count: count, into: &bytes) }
    }
    self.offset += count
    if case .success(count) = outcome { return }
    var reason = "it is shorter than what was written"
    if case .failure(let failure) = outcome { reason = failure.text }
    throw NodeError(
      "the temporary file in `\(folder)` can't be read back: \(reason)",
      remedy: "look after the disk, and run the graph again")
  }
}
