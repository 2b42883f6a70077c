import GraphKit
import GraphTesting
import Nodes
import Testing

/// An audio effect, as the questions that all of them answer need it.
struct AudioEffectCase: Sendable, CustomTestStringConvertible {
  /// Parameters as a graph would give them.
  typealias Values = [String: JSONValue]

  var type: NodeType
  /// The parameters with which it changes noise within a few milliseconds; `nil` where none are known.
  var work: Values?
  /// The parameters with which it changes nothing; `nil` where none are known.
  var rest: Values?

  var testDescription: String { type.name }

  /// Passes audio through the effect in every cut.
  func pass(_ sound: Sound, _ values: Values) throws -> Sound {
    var node = type.make()
    for (name, value) in values {
      let isTaken = type.set(name, to: value, of: &node)
      try #require(isTaken, "\(name)")
    }
    let effect = try #require(node.work.swiftNode)
    return try sound.through(effect)
  }

  /// The formats that enter and leave without another number of channels, of those worth trying.
  var formats: [AudioFormat] {
    guard let input = type.ports.first(where: { $0.direction == .input })?.format,
      let output = type.ports.first(where: { $0.direction == .output })?.format
    else { return [] }
    return [SampleFormat.f32, .s16].flatMap { sample in
      ChannelLayout.allCases.flatMap { layout in
        [1, 2, 6].map {
          AudioFormat(sample, sampleRate: 48_000, channels: $0, layout: layout)
        }
      }
    }.filter { input.accepts(.audio($0)) && output.accepts(.audio($0)) }
  }

  /// Every effect of the catalog that is written in Swift and has one input of audio.
  static let all = Catalog.withExample.all.filter { type in
    type.role == .effect && type.make().work.swiftNode != nil
      && type.ports.filter { $0.direction == .input }.map(\.format.kind) == [.audio]
      && !type.ports.contains(where: \.isRepeatable)
  }.map { type in
    AudioEffectCase(type: type, work: settings[type.name]?.work, rest: settings[type.name]?.rest)
  }

  private static let settings: [String: (work: Values?, rest: Values?)] = [
    "gain": (["decibels": -6], [:]), "pan": (["position": 0.3], [:]),
    "fade": (["fadeIn": 0.02, "fadeOut": 0.01, "fadeOutAt": 0.03], [:]),
    "equalizer": (
      [
        "bands": .array([
          .object(["type": "highPass", "frequency": 100]),
          .object(["type": "peak", "frequency": 1000, "gain": 6]),
        ])
      ], ["bands": .array([.object(["type": "peak", "frequency": 1000])])]
    ),
    "compressor": (["threshold": -30], ["ratio": 1]),
    "gate": (["threshold": -2, "hold": 10], ["reduction": 0]),
    "limiter": (["ceiling": -12], ["ceiling": 0]),
  ]
}

extension Catalog {
  /// The built-in node types and the one that CONTRIBUTING.md adds, of which the same is asked.
  static let withExample = {
    var catalog = Catalog.builtIn
    _ = catalog.add(NodeType(Polarity.self))
    return catalog
  }()
}

/// Interleaved levels of one of the formats that effects work on.
enum Sound: Equatable {
  case floats([Float], AudioFormat)
  case integers([Int16], AudioFormat)

  /// Passes the sound through a node in every cut.
  func through(_ node: some SwiftNode) throws -> Sound {
    switch self {
    case .floats(let values, let format):
      .floats(try outputOfEveryCut(of: values, format: format) { node }, format)
    case .integers(let values, let format):
      .integers(try outputOfEveryCut(of: values, format: format) { node }, format)
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
