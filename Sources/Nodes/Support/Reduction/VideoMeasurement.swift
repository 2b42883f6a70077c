import GraphKit
import Kernels

/// What measurements of video have in common: they are of the frames' own planes, and are sent as one
/// JSON object when the video has ended.
enum VideoMeasurement {
  /// Frames whose first plane is luma.
  static let formats: [PixelFormat] = [.i420, .nv12, .gray8]

  /// Sends an object of named values.
  static func send(_ values: [String: JSONValue], to outputs: NodeOutputs) throws {
    let text = try JSONTree(encoding: JSONValue.object(values)).jsonLine
    let sample = SampleBuffer(
      bytes: Array(text.utf8), format: try FormatDescription(.measurement))
    try outputs.announce(sample.format, on: 0)
    try outputs.send(sample)
  }

  /// A time in seconds, to the microsecond.
  static func number(_ time: MediaTime) -> JSONValue {
    .number((time.seconds * 1_000_000).rounded() / 1_000_000)
  }

  /// The mean difference of two frames' bytes, in parts of 256: of luma alone, or of all planes; `nil`
  /// where their formats differ.
  static func difference(
    _ one: HeldFrame, _ other: HeldFrame, planes: Int? = nil
  ) -> Double? {
    guard case .video(let video) = one.sample.format.format,
      case .video(let second) = other.sample.format.format,
      (video.pixelFormat, video.width, video.height)
        == (second.pixelFormat, second.width, second.height)
    else { return nil }
    var (sum, count) = (0, 0)
    for (index, plane) in video.planes.enumerated().prefix(planes ?? .max) {
      let width = plane.width * plane.bytesPerPixel
      sum += one.sample.withPlane(index) { first, firstStride in
        other.sample.withPlane(index) { second, secondStride in
          rows(plane.height, width, first.count, firstStride, second.count, secondStride)
            .reduce(0) { sum, row in
              sum
                + PlaneMeasure.difference(
                  first.extracting(row * firstStride..<row * firstStride + width),
                  second.extracting(row * secondStride..<row * secondStride + width))
            }
        }
      }
      count += width * plane.height
    }
    return Double(sum) / Double(max(1, count)) / 256
  }

  /// How many pixels of a frame's luma are at most a value, as a part of all.
  static func part(of frame: borrowing SampleBuffer, atMost value: UInt8) -> Double {
    guard case .video(let video) = frame.format.format else { return 0 }
    let count = frame.withPlane(0) { bytes, stride in
      rows(video.height, video.width, bytes.count, stride, bytes.count, stride)
        .reduce(0) { sum, row in
          sum
            + PlaneMeasure.count(
              atMost: value, in: bytes.extracting(row * stride..<row * stride + video.width))
        }
    }
    return Double(count) / Double(max(1, video.width * video.height))
  }

  /// The rows that both planes have.
  private static func rows(
    _ height: Int, _ width: Int, _ first: Int, _ firstStride: Int, _ second: Int,
    _ secondStride: Int
  ) -> Range<Int> {
    let isWhole =
      (height - 1) * firstStride + width <= first && (height - 1) * secondStride + width <= second
    return 0..<(isWhole ? height : 0)
  }
}

/// Stretches of time in which something holds, each at least so long.
struct FoundStretches: Sendable {
  private let shortest: MediaTime
  private(set) var values: [JSONValue] = []

  /// Stretches of at least a length.
  init(atLeast shortest: Double) { self.shortest = .parameter(shortest) }

  /// Takes a stretch, if it is long enough.
  mutating func add(from start: MediaTime, to end: MediaTime) {
    guard end - start >= shortest else { return }
    values.append(
      .object([
        "start": VideoMeasurement.number(start), "end": VideoMeasurement.number(end),
        "duration": VideoMeasurement.number(end - start),
      ]))
  }
}
