import GraphKit

extension PadFilter {
  /// Puts the channels of interleaved audio into another order, by how many there are: first the one of
  /// the first number, and so on.
  static func channels(in orders: [Int: [Int]]) -> PadFilter {
    .samples { sample in
      guard case .audio(let audio) = sample.format.format, let order = orders[audio.channels]
      else { return }
      sample.reorderChannels(order, frameSize: audio.bytesPerFrame)
    }
  }
}

extension SampleBuffer {
  fileprivate mutating func reorderChannels(_ order: [Int], frameSize size: Int) {
    let width = size / order.count
    var frame = [UInt8](repeating: 0, count: size)
    withMutableBytes { bytes in
      for start in stride(from: 0, to: bytes.count - size + 1, by: size) {
        for index in 0..<size { frame[index] = bytes[start + index] }
        for (channel, source) in order.enumerated() where channel != source {
          for byte in 0..<width {
            bytes[start + channel * width + byte] = frame[source * width + byte]
          }
        }
      }
    }
  }
}
