import AssetIO
import GraphKit

/// Writes a movie without its colors, and with its sound as it is stored.
func writeGray(_ source: String, to destination: String) async throws {
  let asset = try await MediaAsset(path: source)
  let reader = try AssetReader(asset)
  guard let picture = asset.tracks(.video).first, let sound = asset.tracks(.audio).first,
    let size = picture.naturalSize, let rate = picture.frameRate
  else { return }
  let frames = try reader.outputProvider(for: .video(picture, .init(.nv12)))
  let packets = try reader.outputProvider(for: .stored(sound))
  try reader.start()
  guard let first = try await packets.next() else { return }

  let writer = AssetWriter(path: destination)
  let format = VideoFormat(.nv12, width: size.width, height: size.height, frameRate: rate)
  let video = try writer.inputReceiver(for: .video(format))
  let audio = try writer.inputReceiver(for: .stored(first.format))
  try writer.start()
  try writer.startSession(at: .zero)

  async let sounds: Void = {
    try await audio.append(first)
    for try await packet in packets { try await audio.append(packet) }
    audio.finish()
  }()
  for try await frame in frames {
    var gray = frame.share()
    gray.withMutableBytes { bytes in
      for index in format.plane(1).offset..<bytes.count { bytes[index] = 128 }
    }
    try await video.append(gray)
  }
  video.finish()
  try await sounds
  try await writer.finishWriting()
}
