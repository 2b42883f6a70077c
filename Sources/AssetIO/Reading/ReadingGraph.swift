import GraphKit
import Nodes

/// The graph that an output of a reader is: the file's tracks, decoded and converted, to the program.
struct ReadingGraph {
  let asset: MediaAsset
  let output: AssetReaderOutput
  /// Which part of the file is read; `nil` for all.
  let range: MediaTimeRange?

  /// The name of the node by which samples leave.
  static let exit = "samples"

  /// A pipeline that hasn't been started. Throws what the graph's checks find.
  func pipeline() throws -> Pipeline {
    let environment = AssetEnvironment(asset: asset)
    return try Pipeline(try Plan(try graph(in: environment)), environment: environment)
  }

  private func graph(in environment: AssetEnvironment) throws -> Graph {
    try checkTracks()
    var builder = GraphBuilder(catalog: .builtIn)
    let file = builder.add("file", FileSource()) { file in
      file.path = asset.path
      // Packets are cut by the reader: what decoding the part begins with belongs to it.
      guard let range, !isStored else { return }
      file.from = range.start.seconds
      if range.duration.isNumeric { file.duration = range.duration.seconds }
    }
    let samples = builder.add(Self.exit, AppOutput())
    let streams: [OutputEnd<AnyMedia>] = output.tracks.map { file.port($0.port, as: AnyMedia.self) }
    switch output.content {
    case .stored: builder.connect(streams[0], to: samples.input)
    case .audio(_, let settings):
      let decoder = decoder(.audio, of: streams[0], 1, in: &builder)
      convert(decoder, settings, to: samples, in: &builder)
    case .video(let track, let settings):
      let decoder = decoder(.video, of: streams[0], 1, in: &builder)
      convert(decoder, settings, of: track, to: samples, in: &builder)
    case .mix(_, let settings): mix(streams, settings, to: samples, in: &builder)
    case .composition(let layers, let settings):
      compose(streams, layers, settings, to: samples, in: &builder)
    }
    return try builder.build(in: environment)
  }

  /// Whether packets are handed out as they are.
  var isStored: Bool { if case .stored = output.content { true } else { false } }

  private func checkTracks() throws(NodeError) {
    guard !output.tracks.isEmpty else {
      throw NodeError("an output of no tracks", remedy: "give it at least one")
    }
    for track in output.tracks where !asset.tracks.contains(track) {
      throw NodeError(
        "track \(track.number) is of another asset", remedy: "give a track of `\(asset.path)`")
    }
    let wanted: AssetTrack.Kind? =
      switch output.content {
      case .stored: nil
      case .audio, .mix: .audio
      case .video, .composition: .video
      }
    if let wanted, let wrong = output.tracks.first(where: { $0.kind != wanted }) {
      throw NodeError(
        "track \(wrong.number) of `\(asset.path)` is \(wrong.kind.rawValue), and the output is of "
          + wanted.rawValue,
        remedy: "take one of `tracks(.\(wanted.rawValue))`")
    }
  }

  private func decoder(
    _ media: Decoder.Media, of stream: OutputEnd<AnyMedia>, _ number: Int,
    in builder: inout GraphBuilder
  ) -> OutputEnd<AnyMedia> {
    let decoder = builder.add("decoder\(number)", Decoder()) { $0.media = media }
    builder.connect(stream, to: decoder.input)
    return decoder.output
  }

  private func convert(
    _ end: OutputEnd<AnyMedia>, _ settings: AssetReaderOutput.AudioSettings,
    to samples: NodeHandle<AppOutput>, in builder: inout GraphBuilder
  ) {
    let converter = builder.add("converter", AudioConvert()) { converter in
      (converter.sampleFormat, converter.layout) = (settings.sampleFormat, settings.madeLayout)
      (converter.sampleRate, converter.channels) = (settings.sampleRate, settings.channels)
    }
    builder.connect(end, to: converter.input)
    builder.connect(converter.output, to: samples.input)
  }

  private func convert(
    _ end: OutputEnd<AnyMedia>, _ settings: AssetReaderOutput.VideoSettings,
    of track: AssetTrack? = nil, to samples: NodeHandle<AppOutput>, in builder: inout GraphBuilder
  ) {
    let rotation = track?.rotation ?? .none
    var end = end
    if settings.isUpright, rotation != .none {
      let upright = builder.add("upright", Orientation())
      builder.connect(end, to: upright.input)
      end = upright.port("out", as: AnyMedia.self)
    }
    let isUpright = settings.isUpright || rotation == .none
    let getsBorders = settings.isScaled && settings.hasScaledFormat && isUpright
    let converter = builder.add("converter", VideoConvert()) { converter in
      converter.pixelFormat = settings.pixelFormat
      guard !getsBorders else { return }
      (converter.width, converter.height) = (settings.width, settings.height)
    }
    builder.connect(end, to: converter.input)
    guard getsBorders else { return builder.connect(converter.output, to: samples.input) }
    let scale = builder.add("scale", Scale()) { scale in
      (scale.width, scale.height) = (settings.width, settings.height)
      if settings.hasShape(of: track) { scale.mode = .stretch }
    }
    builder.connect(converter.output, to: scale.input)
    builder.connect(scale.output, to: samples.input)
  }

  private func mix(
    _ streams: [OutputEnd<AnyMedia>], _ settings: AssetReaderOutput.AudioSettings,
    to samples: NodeHandle<AppOutput>, in builder: inout GraphBuilder
  ) {
    let mixer = builder.add("mixer", MixAudio()) { mixer in
      let rates = output.tracks.map { $0.sampleRate ?? mixer.sampleRate }
      let channels = output.tracks.map { min($0.channels ?? mixer.channels, MixAudio.mostChannels) }
      if let rate = settings.sampleRate ?? rates.max() { mixer.sampleRate = rate }
      if let count = settings.channels ?? channels.max() { mixer.channels = count }
      // What is over full scale is clipped by whole numbers alone.
      mixer.clip = .none
    }
    for (index, stream) in streams.enumerated() {
      let decoder = decoder(.audio, of: stream, index + 1, in: &builder)
      builder.connect(decoder, to: mixer.input[index + 1])
    }
    convert(mixer.port("out", as: AnyMedia.self), settings, to: samples, in: &builder)
  }

  private func compose(
    _ streams: [OutputEnd<AnyMedia>], _ layers: [AssetReaderOutput.Layer],
    _ settings: AssetReaderOutput.VideoSettings, to samples: NodeHandle<AppOutput>,
    in builder: inout GraphBuilder
  ) {
    let mixer = builder.add("mixer", MixVideo()) { mixer in
      for (index, layer) in layers.enumerated().dropFirst() {
        mixer.places["in.\(index + 1)"] = layer.place(above: index)
      }
    }
    for (index, stream) in streams.enumerated() {
      let decoder = decoder(.video, of: stream, index + 1, in: &builder)
      builder.connect(decoder, to: mixer.input[index + 1])
    }
    convert(mixer.port("out", as: AnyMedia.self), settings, to: samples, in: &builder)
  }
}

extension AssetReaderOutput.VideoSettings {
  fileprivate var isScaled: Bool { width != nil || height != nil }

  /// Whether a track's frames keep their shape but for rounding, for which they need no borders.
  fileprivate func hasShape(of track: AssetTrack?) -> Bool {
    guard let width, let height else { return true }
    guard let track, var (wide, high) = track.naturalSize else { return false }
    if isUpright, track.rotation.orientation.transposes { swap(&wide, &high) }
    return abs(width * high - height * wide) <= 2 * max(wide, high)
  }

  /// Whether frames are to be in a format in which they can be scaled with borders.
  fileprivate var hasScaledFormat: Bool {
    pixelFormat.map { Scale.ports.input.declaration.format.pixelFormats.contains($0) } ?? false
  }
}

extension AssetReaderOutput.Layer {
  /// The layer's place as `mixVideo` takes it.
  fileprivate func place(above order: Int) -> JSONValue {
    var place: [String: JSONValue] = [
      "x": .number(Double(x)), "y": .number(Double(y)), "opacity": .number(opacity),
      "z": .number(Double(order)),
    ]
    if let width { place["width"] = .number(Double(width)) }
    if let height { place["height"] = .number(Double(height)) }
    return .object(place)
  }
}
