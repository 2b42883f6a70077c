import AssetIO
import GraphKit
import Nodes

/// A movie of frames in 1080p that a program draws.
struct DrawnMovie {
  let count: Int
  let path: String

  private let format = VideoFormat(.i420, width: 1_920, height: 1_080, frameRate: Rational(30))

  /// The settings that samples.c gives its encoder.
  private var encoder: H264Encoder {
    var encoder = H264Encoder()
    (encoder.preset, encoder.bitRate, encoder.keyFrameInterval) = (.ultrafast, 4_000_000, 60)
    return encoder
  }

  func writeByGraph() async throws {
    var builder = GraphBuilder(catalog: .builtIn)
    let frames = builder.add("frames", AppInput()) {
      ($0.media, $0.width, $0.height) = (.video, format.width, format.height)
      $0.frameRate = format.frameRate
    }
    let encode = builder.add("encode", encoder)
    let sink = builder.add("movie", MP4Sink()) { ($0.path, $0.overwrite) = (path, true) }
    builder.connect(frames.output, to: encode.input)
    builder.connect(encode.output, to: sink.video)
    let machine = LiveEnvironment()
    let pipeline = try Pipeline(Plan(builder.build(in: machine)), environment: machine)
    let input = try pipeline.input("frames")
    async let report = pipeline.run()
    let pool = try PixelBufferPool(format)
    for number in 0..<count {
      var frame = try pool.take()
      frame.withMutableBytes { Stripes.draw(number, format, into: &$0) }
      frame.presentationTime = MediaTime(value: Int64(number), timescale: 30)
      try await input.append(frame)
    }
    input.markAsFinished()
    _ = try await report
  }

  func writeByWriter() async throws {
    try await write { number, pixels in
      Stripes.draw(number, format, into: &pixels)
      return number < count
    }
  }

  func writeByDelegate(_ delegate: any FrameDelegate) async throws {
    try await write { delegate.frame(at: $0, of: format, into: &$1) }
  }

  /// Writes the frames that `draw` draws, for as long as it says that there is one.
  private func write(_ draw: (Int, inout MutableSpan<UInt8>) -> Bool) async throws {
    let writer = AssetWriter(path: path) { $0.overwrite = true }
    let pictures = try writer.pixelBufferReceiver(for: .video(format, encoder))
    try writer.start()
    try writer.startSession(at: .zero)
    for number in 0... {
      var frame = try pictures.frame()
      guard frame.withMutableBytes({ draw(number, &$0) }) else { break }
      try await pictures.append(frame, at: MediaTime(value: Int64(number), timescale: 30))
    }
    try await writer.finishWriting()
  }
}

/// Who draws frames when it is asked for them.
protocol FrameDelegate {
  /// Draws the frame of a number; `false` where the movie has all of its frames.
  func frame(at number: Int, of format: VideoFormat, into pixels: inout MutableSpan<UInt8>) -> Bool
}

/// Horizontal stripes that move.
struct Stripes: FrameDelegate {
  let count: Int

  func frame(at number: Int, of format: VideoFormat, into pixels: inout MutableSpan<UInt8>) -> Bool
  {
    guard number < count else { return false }
    Self.draw(number, format, into: &pixels)
    return true
  }

  static func draw(_ number: Int, _ format: VideoFormat, into pixels: inout MutableSpan<UInt8>) {
    let width = format.width
    for row in 0..<format.height {
      let value = UInt8(16 + (row + number * 4) % 220)
      for index in row * width..<(row + 1) * width { pixels[index] = value }
    }
    for index in format.height * width..<pixels.count { pixels[index] = 128 }
  }
}
