import Containers
public import GraphKit

/// The elements that make an MPEG transport stream of encoded tracks.
struct TransportMuxer {
  /// The languages of tracks by their ports.
  var languages: [String: LanguageTag] = [:]

  /// The muxer with what each input needs before it, and the elements that take the stream.
  func chain(
    _ formats: [String: FormatConstraint], _ properties: [String: String], to end: [ElementSpec]
  ) throws(NodeError) -> ElementChain {
    guard !formats.isEmpty else {
      throw NodeError(
        "nothing is wired to the stream", remedy: "wire encoded video or audio to it")
    }
    var chain = ElementChain(
      [ElementSpec("mpegtsmux", plugin: "mpegtsmux", properties)] + end,
      inputs: ["video": .request("sink_%d"), "audio": .request("sink_%d")], outputs: [:])
    for (port, format) in formats {
      chain.inputElements[port] = Self.elements(for: format) + language(of: port)
    }
    return chain
  }

  /// Parameter sets are before each key frame, so that players can begin there.
  private static func elements(for format: FormatConstraint) -> [ElementSpec] {
    var elements = format.codecs.first?.parsers ?? []
    // It takes none that aren't said to be parsed.
    if format.codecs == [.mp3] { elements = Codec.mp2.parsers }
    if [[.h264], [.hevc]].contains(format.codecs) {
      for index in elements.indices { elements[index].properties["config-interval"] = "-1" }
    }
    return elements
  }

  private func language(of port: String) -> [ElementSpec] {
    languages[port].map { [.language($0)] } ?? []
  }
}

/// The inputs of a transport stream.
public struct TransportPorts: PortSet {
  /// Video, one track each.
  public let video = InputPort<EncodedVideo>(
    "video", .encoded(.h264, .hevc, .mpeg2), isRepeatable: true, isRequired: false,
    help: "Video; a track each, the second as `video.2`.")
  /// Audio, one track each.
  public let audio = InputPort<EncodedAudio>(
    "audio", .encoded(.aac, .mp3, .ac3, .mp2, .opus), isRepeatable: true, isRequired: false,
    help: "Audio; a track each, the second as `audio.2`.")
}

/// The file of a transport stream.
struct TransportOutput: FileOutput {
  let place: OutputFile
  var file: OutputFile? { place }

  init(file: OutputFile) { place = file }

  /// Players skip nothing of such a file.
  var tracks: TrackRules? {
    var rules = TrackRules(fileName: "transport stream")
    (rules.skipLeads, rules.haveOneFormat) = (false, false)
    return rules
  }

  func padFilters(for format: FormatConstraint, _ track: OutputTrack) -> [PadFilter] {
    format.codecs == [.opus] ? [.timedOpusPackets] : []
  }

  func writtenTracks() -> [Int: WrittenTrack]? {
    (try? TransportReader.read(place.path))?.writtenTracks
  }
}

extension ElementSpec {
  /// Has a stream say its language.
  static func language(_ tag: LanguageTag) -> ElementSpec {
    ElementSpec("taginject", plugin: "debug", ["tags": "language-code=\(tag.threeLetters)"])
  }
}

extension TrackLanguages {
  /// What is wrong with them beside what is wired; `nil` where nothing is.
  func problem(formats: [String: FormatConstraint]) -> NodeError? {
    guard let port = tags.keys.sorted().first(where: { formats[$0] == nil }) else { return nil }
    return NodeError(
      "`languages` names \(port), to which nothing is wired",
      remedy: "name one of \(formats.keys.sorted().joined(separator: ", "))", key: "languages")
  }
}

extension NodeError {
  /// That a file doesn't say how players turn video; `nil` where none is to be turned.
  static func turned(in formats: [String: FormatConstraint]) -> NodeError? {
    let turned = formats.sorted { $0.key < $1.key }.first { $1.rotation ?? .none != .none }
    return turned.map { port, _ in
      NodeError(
        "the video at \(port) is to be turned by players, and such a file doesn't say that here",
        remedy: "decode it, put an `orientation` before the encoder, or write an .mp4")
    }
  }
}

extension ContainerSummary {
  /// What a finished file holds of its tracks, by their numbers.
  var writtenTracks: [Int: WrittenTrack] {
    let tracks = tracks.map { track in
      let written = WrittenTrack(sampleCount: track.sampleCount, duration: track.mediaDuration)
      return (track.identifier, written)
    }
    return Dictionary(tracks, uniquingKeysWith: { first, _ in first })
  }
}
