import GraphKit
import GraphKitSystem
import GraphTesting
import Nodes

/// A picture as its planes' rows one after another, without padding: what ffmpeg calls raw video.
struct RawPicture: Equatable {
  var format: VideoFormat
  /// For each plane its rows, as wide as they are used.
  var planes: [[[UInt8]]]

  var bytes: [UInt8] { planes.flatMap { $0.flatMap { $0 } } }

  /// A picture made byte by byte.
  init(
    _ pixelFormat: PixelFormat, _ width: Int, _ height: Int,
    _ byte: (_ plane: Int, _ row: Int, _ column: Int) -> UInt8
  ) {
    let format = VideoFormat(pixelFormat, width: width, height: height)
    self.format = format
    planes = format.planes.indices.map { plane in
      let size = format.plane(plane)
      return (0..<size.height).map { row in
        (0..<size.width * size.bytesPerPixel).map { byte(plane, row, $0) }
      }
    }
  }

  /// A picture of noise that is the same each time.
  static func noise(
    _ pixelFormat: PixelFormat, _ width: Int, _ height: Int, seed: UInt64 = 1
  ) -> RawPicture {
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    return RawPicture(pixelFormat, width, height) { _, _, _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }

  /// A picture whose every plane is one value.
  static func plain(
    _ pixelFormat: PixelFormat, _ width: Int, _ height: Int, _ values: [UInt8]
  ) -> RawPicture {
    RawPicture(pixelFormat, width, height) { plane, _, column in
      values.count == 4 ? values[column % 4] : values[plane]
    }
  }

  /// A picture out of raw bytes.
  init(_ format: VideoFormat, bytes: [UInt8]) {
    var rest = bytes[...]
    self.init(format.pixelFormat, format.width, format.height) { _, _, _ in
      rest.popFirst() ?? 0
    }
    self.format = format
  }

  /// The picture as a sample, its rows `padding` bytes further apart than they need.
  func sample(padding: Int = 0, at time: Double = 0, lasting: Double = 0.04) throws -> SampleBuffer
  {
    let description = try FormatDescription(.video(format))
    var sample =
      padding > 0
      ? try SampleBuffer(description, format, padding: padding)
      : SampleBuffer(byteCount: format.frameSize, format: description)
    do {
      var frame = try sample.videoFrame()
      for (index, rows) in planes.enumerated() {
        let stride = frame.bytesPerRow(ofPlane: index)
        var plane = frame.plane(index)
        for (number, row) in rows.enumerated() {
          for column in 0..<row.count { plane[number * stride + column] = row[column] }
        }
      }
    }
    sample.presentationTime = MediaTime(seconds: time, preferredTimescale: 1_000_000)
    sample.duration = MediaTime(seconds: lasting, preferredTimescale: 1_000_000)
    return sample
  }

  /// The picture that a sample holds.
  init?(_ collected: CollectedSample) {
    guard case .video(let format) = collected.format else { return nil }
    self.format = format
    planes = format.planes.indices.map { plane in
      let size = format.plane(plane)
      return collected.sample.withPlane(plane) { span, stride in
        (0..<size.height).map { row in
          let begin = row * stride
          return Array(
            copying: span.extracting(begin..<begin + size.width * size.bytesPerPixel))
        }
      }
    }
  }
}

extension SwiftNode {
  /// What the node makes of one picture.
  func output(of picture: RawPicture, padding: Int = 0) throws -> RawPicture {
    let harness = NodeHarness(self)
    // Late enough for what has to begin.
    try harness.push(picture.sample(padding: padding, at: 1))
    try harness.finish()
    guard let result = try harness.samples().first.flatMap(RawPicture.init) else {
      throw NodeError("nothing came out", remedy: "look at the node")
    }
    return result
  }
}

/// What ffmpeg makes of a raw picture.
func filtered(_ picture: RawPicture, _ filter: String, to format: VideoFormat) throws -> RawPicture
{
  let folder = try TestFolder()
  let names: [PixelFormat: String] = [
    .i420: "yuv420p", .nv12: "nv12", .bgra: "bgra", .rgba: "rgba",
  ]
  let name = names[picture.format.pixelFormat] ?? ""
  let input = try folder.write(picture.bytes, to: "in.raw")
  let data = try tool(
    "ffmpeg",
    [
      "-v", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", name, "-s",
      "\(picture.format.width)x\(picture.format.height)", "-i", input, "-vf", filter, "-pix_fmt",
      name, "-f", "rawvideo", "-",
    ])
  return RawPicture(format, bytes: Array(data))
}
