import GraphKit

/// The highest rate of audio that is resampled: GStreamer's converter (1.22) makes tables whose size grows
/// with it, and ends the process where it doesn't get the memory. What comes near it is a damaged header.
enum RateLimit {
  private static let most = 100_000_000

  /// Why audio of a rate can't be resampled; `nil` where it can.
  static func problem(_ sampleRate: Int) -> NodeError? {
    guard sampleRate > most else { return nil }
    return NodeError(
      "audio of \(sampleRate) Hz can't be resampled: at most \(most / 1_000_000) MHz",
      remedy: "look at the file's header, whose rate is probably damaged")
  }
}

extension PadFilter {
  /// Ends the run at audio whose rate is too high to be resampled.
  static let limitedRate = PadFilter.checked { format in
    guard case .audio(let audio) = format else { return nil }
    return RateLimit.problem(audio.sampleRate)
  }
}
