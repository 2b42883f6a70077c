import Containers
import GraphKit

/// Has packets of AAC say how long they are, as those over RTP and RTMP don't.
struct AACDurations {
  private var format: FormatDescription?
  private var duration = MediaTime.invalid

  mutating func pass(_ packet: inout SampleBuffer) {
    guard !packet.duration.isNumeric else { return }
    if format !== packet.format {
      format = packet.format
      let header = CapsStructure.all(in: packet.format.capsText)?.first?.text("codec_data")
      let configuration = header.map { MovieTrackFormat.bytes($0) } ?? []
      duration = AACFrameLength.duration(configuration: configuration) ?? .invalid
    }
    packet.duration = duration
  }
}
