import AssetIO
import GraphKit

/// Writes a movie anew: its video at most 720 pixels high as H.264, its sound as it is.
struct Transcoder {
  var source: String
  var destination: String

  /// Reads and writes to the end, as fast as it goes; returns how many samples were written.
  func run() async throws -> Int {
    let asset = try await MediaAsset(path: source)
    let reader = try AssetReader(asset)
    var providers: [SampleProvider] = []
    if let track = asset.tracks(.video).first { providers.append(try frames(of: track, reader)) }
    for track in asset.tracks(.audio) {
      providers.append(try reader.outputProvider(for: .stored(track)))
    }
    try reader.start()

    let writer = AssetWriter(path: destination) { $0.optimizeForNetworkUse = true }
    var pumps: [Pump] = []
    for provider in providers {
      // The first sample says what the writer has to know of the others.
      guard let first = try await provider.next() else { continue }
      pumps.append(Pump(provider, first, into: try writer.inputReceiver(for: input(for: first))))
    }
    try writer.start()
    try writer.startSession(at: .zero)
    let count = try await withThrowingTaskGroup(of: Int.self) { group in
      for pump in pumps { group.addTask { try await pump.run() } }
      return try await group.reduce(0, +)
    }
    try await writer.finishWriting()
    return count
  }

  private func frames(of track: AssetTrack, _ reader: AssetReader) throws -> SampleProvider {
    let size = size(of: track)
    return try reader.outputProvider(
      for: .video(track, .init(.i420, width: size?.width, height: size?.height)))
  }

  /// Frames are encoded, packets stay as they are.
  private func input(for sample: ReadySampleBuffer) throws -> AssetWriterInput {
    if case .video(let video) = sample.format.format { return .video(video) }
    return try .stored(sample.format)
  }

  /// The size of a track's frames, made smaller where they are higher than 720 pixels.
  private func size(of track: AssetTrack) -> (width: Int, height: Int)? {
    track.naturalSize.map { width, height in
      guard height > 720 else { return (width, height) }
      return (Int((Double(width) * 720 / Double(height) / 2).rounded()) * 2, 720)
    }
  }
}

/// Moves the samples of a provider into an input, each as soon as it is ready.
private struct Pump: Sendable {
  let samples: SampleProvider
  let first: ReadySampleBuffer
  let input: SampleReceiver

  init(_ samples: SampleProvider, _ first: ReadySampleBuffer, into input: SampleReceiver) {
    (self.samples, self.first, self.input) = (samples, first, input)
  }

  /// Returns how many there were.
  func run() async throws -> Int {
    try await input.append(first)
    var count = 1
    for try await sample in samples {
      try await input.append(sample)
      count += 1
    }
    input.finish()
    return count
  }
}
