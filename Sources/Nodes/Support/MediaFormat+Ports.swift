import GraphKit

extension MediaFormat {
  /// What its port is called; `nil` for what is neither audio, video nor text.
  var family: String? {
    switch self {
    case .audio: "audio"
    case .video: "video"
    case .encoded(let encoded): encoded.codec.kind == .encodedAudio ? "audio" : "video"
    case .peaks, .measurement: nil
    case .other(let caps):
      if caps.hasPrefix("audio/") {
        "audio"
      } else if kind == .text {
        "text"
      } else if caps.hasPrefix("video/") || caps.hasPrefix("image/") {
        "video"
      } else {
        nil
      }
    }
  }

  /// All that is known, as a constraint.
  func constraint(isVideo: Bool) -> FormatConstraint {
    switch self {
    case .audio(let audio):
      return .audio(
        [audio.sampleFormat], layouts: [audio.layout], sampleRates: [audio.sampleRate],
        channels: [audio.channels])
    case .video(let video):
      return .video(
        [video.pixelFormat], width: video.width, height: video.height, frameRate: video.frameRate)
    case .encoded(let encoded):
      var constraint = FormatConstraint.encoded(encoded.codec)
      constraint.sampleRates = encoded.sampleRate.map { [$0] } ?? []
      constraint.channels = encoded.channels.map { [$0] } ?? []
      constraint.bitDepth = encoded.bitDepth
      (constraint.width, constraint.height) = (encoded.width, encoded.height)
      constraint.frameRate = encoded.frameRate
      return constraint
    case .peaks, .measurement: return FormatConstraint(self)
    case .other where kind == .text: return FormatConstraint(.text)
    case .other(let caps):
      if caps.hasPrefix("audio/x-raw") || caps.hasPrefix("video/x-raw") {
        return isVideo ? FormatConstraint(.video) : FormatConstraint(foreignAudio: caps)
      }
      var constraint = FormatConstraint(isVideo ? .encodedVideo : .encodedAudio)
      constraint.otherCaps = caps
      return constraint
    }
  }
}
