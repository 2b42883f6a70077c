import AssetIO
import GraphKit

/// The loudest sample of a file's first audio track, from 0 to 1.
func peak(of path: String) async throws -> Float {
  let asset = try await MediaAsset(path: path)
  guard let track = asset.tracks(.audio).first else { return 0 }
  let reader = try AssetReader(asset)
  let blocks = try reader.outputProvider(for: .audio(track, .init(.f32)))
  try reader.start()
  var peak: Float = 0
  for try await block in blocks {
    block.withSamples(as: Float.self) { samples in
      for index in samples.indices { peak = max(peak, abs(samples[index])) }
    }
  }
  return peak
}
