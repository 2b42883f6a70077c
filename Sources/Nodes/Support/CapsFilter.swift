import GraphKit

extension ElementSpec {
  /// Lets pass only what a constraint admits, and makes the converters before it produce that.
  static func filter(_ constraint: FormatConstraint) -> ElementSpec {
    ElementSpec("capsfilter", plugin: "coreelements", ["caps": constraint.capsText])
  }

  /// What makes an `audioconvert` before it produce channels for those speakers, where they are to be such.
  static func filter(_ targets: ChannelTargets) -> [ElementSpec] {
    targets.capsText.map { [ElementSpec("capsfilter", plugin: "coreelements", ["caps": $0])] } ?? []
  }

  /// Converts frames of any format, size and rate to those of the filter that follows.
  static let videoConversion = [
    ElementSpec("videoconvert", plugin: "videoconvertscale"),
    ElementSpec("videoscale", plugin: "videoconvertscale"),
    frameRate,
  ]

  /// Repeats and leaves out frames for the rate of the filter that follows.
  static var frameRate: ElementSpec {
    var rate = ElementSpec("videorate", plugin: "videorate")
    rate.keepsLength = true
    return rate
  }

  /// Converts PCM of any format to that of the filter that follows. The resampler takes few sample
  /// formats, hence a conversion on either side.
  static let audioConversion = [
    ElementSpec("audioconvert", plugin: "audioconvert"),
    resampler,
    ElementSpec("audioconvert", plugin: "audioconvert"),
  ]

  private static var resampler: ElementSpec {
    var resampler = ElementSpec("audioresample", plugin: "audioresample")
    resampler.keepsLength = true
    return resampler
  }
}

extension FormatConstraint {
  /// The same, with the pixel format that the plan chose for the wire; I420 where it left that open.
  func choosing(_ wire: FormatConstraint?) -> FormatConstraint {
    guard pixelFormats.isEmpty else { return self }
    var chosen = self
    chosen.pixelFormats = [wire?.pixelFormats.first ?? .i420]
    return chosen
  }
}
