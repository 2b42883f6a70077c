import AssetIO
import GraphKit

/// Writes two seconds of frames that go from black to white.
func writeFade(to path: String) async throws {
  let format = VideoFormat(.i420, width: 640, height: 360, frameRate: Rational(25))
  let writer = AssetWriter(path: path) { $0.title = "Fade" }
  let pictures = try writer.pixelBufferReceiver(for: .video(format))
  try writer.start()
  try writer.startSession(at: .zero)
  for number in 0..<50 {
    var frame = try pictures.frame()
    frame.withMutableBytes { bytes in
      let gray = UInt8(16 + number * 4)
      for index in bytes.indices { bytes[index] = index < 640 * 360 ? gray : 128 }
    }
    try await pictures.append(frame, at: MediaTime(value: Int64(number), timescale: 25))
  }
  try await writer.finishWriting()
}
