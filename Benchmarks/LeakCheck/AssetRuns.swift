import AssetIO
import GraphKit
import GraphKitSystem

/// Readers and writers that end in every way there is.
enum AssetRuns {
  /// To the end, in the middle, and before the first sample.
  static func read(_ path: String) async throws {
    let asset = try await MediaAsset(path: path)
    for most in [Int.max, 3, 0] {
      let reader = try AssetReader(asset)
      let outputs = [AssetReaderOutput.stored(asset.tracks[0]), .audio(asset.tracks[1])]
      let providers = try outputs.map { try reader.outputProvider(for: $0) }
      try reader.start()
      for provider in providers {
        var count = 0
        while count < most, try await provider.next() != nil { count += 1 }
      }
      if most == 0 { reader.cancelReading() }
    }
  }

  /// Finished, cancelled, let go of, and never started.
  static func write(to path: String) async throws {
    let format = AudioFormat(.s16, sampleRate: 48_000, channels: 1)
    for end in 0..<4 {
      let writer = AssetWriter(path: path) { $0.overwrite = true }
      let blocks = try writer.inputReceiver(for: .audio(format))
      if end == 3 { continue }
      try writer.start()
      try writer.startSession(at: .zero)
      for number in 0..<20 {
        var block = SampleBuffer(byteCount: 1_920, format: try FormatDescription(.audio(format)))
        block.presentationTime = MediaTime(frames: number * 960, at: 48_000)
        try await blocks.append(block)
      }
      if end == 0 { try await writer.finishWriting() }
      if end == 1 { await writer.cancelWriting() }
    }
  }
}
