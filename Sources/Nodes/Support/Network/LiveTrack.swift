import GraphKit

/// A track of a live stream, as it leaves.
struct LiveTrack: Sendable {
  let isVideo: Bool
  /// With which it leaves; `nil` where it is decoded.
  let codec: Codec?

  var port: String { isVideo ? "video" : "audio" }

  var isEncoded: Bool { codec != nil }

  /// What leaves, as far as it is known.
  var format: FormatConstraint {
    if let codec { return .encoded(codec) }
    return isVideo ? .video([.i420]) : .audio([.f32], layouts: [.interleaved])
  }

  /// What comes over a connection, as far as it is known.
  private var receivedFormat: FormatConstraint {
    codec.map { .encoded($0) } ?? FormatConstraint(isVideo ? .video : .audio)
  }

  /// An output that gives it in a format: by default as it comes.
  func output(of format: FormatConstraint? = nil) -> PortDeclaration {
    PortDeclaration(
      port, .output, format ?? receivedFormat, isRequired: false, help: "The \(port).")
  }

  /// What a connection's elements are to give.
  var caps: String {
    guard let codec else { return isVideo ? "video/x-raw" : "audio/x-raw" }
    // What a parser has framed, so that its format is known.
    switch codec {
    case .h264, .hevc: return codec.mediaType + ", parsed=(boolean)true, alignment=(string)au"
    // AAC has the same type.
    case .mp3, .mp2: return codec.mediaType + ", mpegversion=(int)1, parsed=(boolean)true"
    case .aac, .ac3, .eac3, .dts: return codec.mediaType + ", framed=(boolean)true"
    default: return codec.mediaType
    }
  }

  /// Wires the track of a connection to an exit of a name, each sample as the first connection's were.
  func connect<Connection: Node>(
    _ source: NodeHandle<Connection>, as exit: String, like format: MediaFormat?,
    in builder: inout GraphBuilder
  ) {
    let output = builder.add(exit, AppOutput())
    let port: OutputEnd<AnyMedia> = source.port(self.port, as: AnyMedia.self)
    guard codec == nil else { return builder.connect(port, to: output.input) }
    if isVideo {
      let conversion = builder.add("\(exit)-format", videoConversion(like: format))
      builder.connect(port, to: conversion.input)
      builder.connect(conversion.output, to: output.input)
    } else {
      let conversion = builder.add("\(exit)-format", audioConversion(like: format))
      builder.connect(port, to: conversion.input)
      builder.connect(conversion.output, to: output.input)
    }
  }

  private func videoConversion(like format: MediaFormat?) -> VideoConvert {
    var conversion = VideoConvert()
    conversion.pixelFormat = .i420
    if case .video(let video) = format {
      (conversion.width, conversion.height) = (video.width, video.height)
    }
    return conversion
  }

  private func audioConversion(like format: MediaFormat?) -> AudioConvert {
    var conversion = AudioConvert()
    (conversion.sampleFormat, conversion.layout) = (.f32, .interleaved)
    if case .audio(let audio) = format {
      (conversion.sampleRate, conversion.channels) = (audio.sampleRate, audio.channels)
    }
    return conversion
  }
}

extension [LiveTrack] {
  /// What decodes tracks, or gives them encoded.
  func decodingElement(_ factory: String, _ properties: [String: String] = [:]) -> ElementSpec {
    var all = properties
    all["caps"] = map(\.caps).joined(separator: ";")
    // What it plugs together depends on what comes, so all plug-ins must be known.
    return ElementSpec(factory, plugin: nil, all)
  }

  /// The ports of a connection that gives them.
  var ports: [PortDeclaration] { map { $0.output() } }

  /// The pads at which elements show them.
  var pads: [String: PadReference] {
    Dictionary(map { ($0.port, .first($0.isVideo ? .video : .audio)) }) { first, _ in first }
  }
}
