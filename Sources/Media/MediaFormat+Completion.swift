/// What samples that a program gives may say beyond the format that it has stated for them.
extension MediaFormat {
  /// The format with what it leaves open as samples say it: colours, the shape of pixels, and speakers
  /// where the usual ones are stated.
  package func completed(by sample: MediaFormat) -> MediaFormat {
    switch (self, sample) {
    case (.video(var video), .video(let frame)):
      if video.colorimetry.isEmpty { video.colorimetry = frame.colorimetry }
      video.pixelAspectRatio = video.pixelAspectRatio ?? frame.pixelAspectRatio
      return .video(video)
    case (.audio(var audio), .audio(let block)):
      if audio.speakers == .usual(audio.channels) {
        audio.speakers = block.speakers
      }
      return .audio(audio)
    default: return self
    }
  }

  /// Whether samples of a format may enter a stream of this one: what either of them leaves open fits.
  package func takes(_ sample: MediaFormat) -> Bool {
    switch (completed(by: sample), sample.completed(by: self)) {
    case (.video(let video), .video(var frame)):
      if video.frameRate == nil || frame.frameRate == nil { frame.frameRate = video.frameRate }
      return video == frame
    case (let wanted, let given): return wanted == given
    }
  }
}
