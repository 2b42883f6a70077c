import AssetIO
import GraphKit
import Nodes

/// Hands a movie's first video on in segments of two seconds, as it is stored.
func segment(
  _ path: String, to send: @escaping @Sendable (MediaSegment) throws -> Void
) async throws {
  let asset = try await MediaAsset(path: path)
  guard let track = asset.tracks(.video).first else { return }
  let reader = try AssetReader(asset)
  let packets = try reader.outputProvider(for: .stored(track))
  try reader.start()
  guard let first = try await packets.next() else { return }
  let writer = AssetWriter(segmentInterval: MediaTime(value: 2, timescale: 1), onSegment: send)
  let video = try writer.inputReceiver(for: .stored(first.format))
  try writer.start()
  try writer.startSession(at: first.presentationTime)
  try await video.append(first)
  while let packet = try await packets.next() { try await video.append(packet) }
  try await writer.finishWriting()
}
