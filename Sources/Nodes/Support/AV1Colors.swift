import Containers
import GraphKit

extension PadFilter {
  /// Packets of AV1 say what their colours are as their stream does: GStreamer's encoder (1.22) leaves
  /// that out, and decoders take full range for limited.
  static let describedAV1 = PadFilter.stream { AV1Colors() }
}

/// Writes the colours that a stream states into the sequence headers of its packets.
private struct AV1Colors: StreamFilter {
  func pass(_ packet: inout SampleBuffer) -> Bool {
    // Sequence headers come with key frames.
    guard packet.isSync,
      let caps = CapsStructure.all(in: packet.format.capsText)?.first,
      let color = caps.text("colorimetry").flatMap({ ColorNumbers(colorimetry: $0) })
    else { return true }
    let bytes = packet.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    if let described = AV1Configuration.describing(color, inSample: bytes) {
      packet = packet.replacing(bytes: described)
    }
    return true
  }
}
