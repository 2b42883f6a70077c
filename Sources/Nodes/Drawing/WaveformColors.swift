/// The colours of a picture of a waveform.
struct WaveformColors: Equatable, Sendable {
  var background: RGBA
  /// Those of the channels; begun again where there are more channels.
  var waveform: [RGBA]
  var border: RGBA
  var axisLabel: RGBA

  /// The colour of a channel.
  func waveform(_ channel: Int) -> RGBA { waveform[channel % waveform.count] }
}

extension WaveformImage.ColorScheme {
  /// The background, the waveform, the border and the labels.
  var texts: (background: String, waveform: String, border: String, axisLabel: String) {
    switch self {
    case .graphkit: ("ffffff", "4f46e5,0d9488", "d4d8e1", "5b6475")
    case .audacity: ("d6d6d6", "3f4d9b", "000000", "000000")
    case .audition: ("003f22", "86fcc7", "9d9d9d", "bebebe")
    }
  }
}
