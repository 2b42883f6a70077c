import GraphKit

extension Codec {
  /// The parsers that a muxer needs before it: without one it may wait for ever, or refuse packets
  /// that are framed otherwise than it takes them. Packets of Opus need none, and those of MP3 would
  /// lose what they say of their length: the last of a stream is shorter.
  var parsers: [ElementSpec] {
    parserElements.map { element in
      var element = element
      element.isParser = true
      return element
    }
  }

  /// The elements that make packets what a movie takes.
  var framedForMovies: [ElementSpec] {
    parsers + [ElementSpec("capsfilter", plugin: "coreelements", ["caps": movieCaps])]
  }

  private var parserElements: [ElementSpec] {
    switch self {
    case .h264: [ElementSpec("h264parse", plugin: "videoparsersbad")]
    case .hevc: [ElementSpec("h265parse", plugin: "videoparsersbad")]
    case .aac: [ElementSpec("aacparse", plugin: "audioparsers")]
    case .mp2: [ElementSpec("mpegaudioparse", plugin: "audioparsers")]
    case .dts: [ElementSpec("dcaparse", plugin: "audioparsers")]
    case .mpeg4: [ElementSpec("mpeg4videoparse", plugin: "videoparsersbad")]
    case .mpeg2: [ElementSpec("mpegvideoparse", plugin: "videoparsersbad")]
    case .ac3: [ElementSpec("ac3parse", plugin: "audioparsers")]
    case .flac: [ElementSpec("flacparse", plugin: "audioparsers")]
    case .eac3: [ElementSpec("ac3parse", plugin: "audioparsers")]
    case .vp9: [ElementSpec("vp9parse", plugin: "videoparsersbad")]
    case .av1: [ElementSpec("av1parse", plugin: "videoparsersbad")]
    case .jpeg: [ElementSpec("jpegparse", plugin: "jpegformat")]
    default: []
    }
  }
}
