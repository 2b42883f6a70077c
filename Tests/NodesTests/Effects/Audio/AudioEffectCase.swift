import GraphKit
import GraphTesting
import Nodes
import Testing

/// An audio effect in the table of what all of them must do.
struct AudioEffectCase: Sendable, CustomTestStringConvertible {
  var name: String
  /// Runs the node, at work, on sound in every cut, and gives what came out.
  var work: @Sendable (Sound) throws -> Sound
  /// The same at the settings at which it changes nothing; `nil` where there are none.
  var rest: (@Sendable (Sound) throws -> Sound)?
  /// The sample formats, the layouts and the numbers of channels that it takes.
  var samples = [SampleFormat.f32, .s16]
  var layouts = ChannelLayout.allCases
  var channels = [1, 2, 6]
  /// Whether it takes more than a few milliseconds until it changes anything.
  var isSlow = false

  var testDescription: String { name }
}

/// Interleaved levels of one of the formats that effects work on.
enum Sound: Equatable {
  case floats([Float], AudioFormat)
  case integers([Int16], AudioFormat)

  /// Passes the sound through a node in every cut.
  func through<N: SwiftNode>(_ makeNode: () -> N) throws -> Sound {
    switch self {
    case .floats(let values, let format):
      .floats(try outputOfEveryCut(of: values, format: format, makeNode), format)
    case .integers(let values, let format):
      .integers(try outputOfEveryCut(of: values, format: format, makeNode), format)
    }
  }

  /// Full scale is 1.
  var levels: [Double] {
    switch self {
    case .floats(let values, _): values.map(Double.init)
    case .integers(let values, _): values.map { Double($0) / 32_768 }
    }
  }

  init(_ signal: AudioSignal, frames: Int, _ format: AudioFormat) {
    let range = 0..<frames
    self =
      format.sampleFormat == .f32
      ? .floats(
        signal.values(range, sampleRate: format.sampleRate, channels: format.channels), format)
      : .integers(
        signal.values16(range, sampleRate: format.sampleRate, channels: format.channels), format)
  }
}

extension AudioEffectCase {
  init<N: SwiftNode>(_ name: String, _ node: N, rest: N?) {
    self.name = name
    work = { sound in try sound.through { node } }
    if let rest { self.rest = { sound in try sound.through { rest } } }
  }

  /// Every effect of the catalog that is written in Swift.
  static let all: [AudioEffectCase] = {
    var fade = Fade()
    (fade.fadeIn, fade.fadeOut, fade.fadeOutAt) = (0.02, 0.01, 0.03)
    var compressor = Compressor()
    compressor.threshold = -30
    var neutral = Compressor()
    neutral.ratio = 1
    var gate = Gate()
    (gate.threshold, gate.hold) = (-2, 10)
    var open = Gate()
    open.reduction = 0
    var limiter = Limiter()
    limiter.ceiling = -12
    var transparent = Limiter()
    transparent.ceiling = 0
    var normalize = LoudnessNormalize()
    normalize.target = -30
    var pan = AudioEffectCase("pan", Pan(position: 0.3), rest: Pan())
    pan.channels = [2]
    var loudness = AudioEffectCase("loudnessNormalize", normalize, rest: nil)
    (loudness.layouts, loudness.isSlow) = ([.interleaved], true)
    var mixer = AudioEffectCase("mixAudio", MixAudio(), rest: nil)
    mixer.layouts = []
    return [
      AudioEffectCase("gain", Gain(decibels: -6), rest: Gain()),
      AudioEffectCase("fade", fade, rest: Fade()), pan,
      AudioEffectCase(
        "equalizer",
        Equalizer([
          EqualizerBand(.highPass, frequency: 100), EqualizerBand(.peak, frequency: 1000, gain: 6),
        ]), rest: Equalizer([EqualizerBand(.peak, frequency: 1000)])),
      AudioEffectCase("compressor", compressor, rest: neutral),
      AudioEffectCase("gate", gate, rest: open),
      AudioEffectCase("limiter", limiter, rest: transparent), loudness, mixer,
    ]
  }()
}
