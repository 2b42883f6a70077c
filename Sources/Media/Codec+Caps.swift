extension Codec {
  /// The media type in GStreamer's caps.
  public var mediaType: String {
    switch self {
    case .h264: "video/x-h264"
    case .hevc: "video/x-h265"
    case .vp8: "video/x-vp8"
    case .vp9: "video/x-vp9"
    case .av1: "video/x-av1"
    case .mpeg4, .mpeg2: "video/mpeg"
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .bmp: "image/bmp"
    case .prores: "video/x-prores"
    case .dnxhd: "video/x-dnxhd"
    case .theora: "video/x-theora"
    case .sorenson: "video/x-flash-video"
    case .aac, .mp3, .mp2: "audio/mpeg"
    case .opus: "audio/x-opus"
    case .vorbis: "audio/x-vorbis"
    case .flac: "audio/x-flac"
    case .alac: "audio/x-alac"
    case .ac3: "audio/x-ac3"
    case .eac3: "audio/x-eac3"
    case .dts: "audio/x-dts"
    case .alaw: "audio/x-alaw"
    case .mulaw: "audio/x-mulaw"
    case .adpcm: "audio/x-adpcm"
    case .wavpack: "audio/x-wavpack"
    }
  }

  /// The sampling rate of all that is decoded, for a codec with one; a file's header then says that of
  /// what was encoded (RFC 7845, 5.1).
  package var decodedSampleRate: Int? { self == .opus ? 48_000 : nil }

  /// The fields that tell the codec from others of its media type, each with the values that do,
  /// the usual one first. AAC is MPEG-4's, and MPEG-2's in older transport streams; frames of
  /// MPEG-1 are read as those of MPEG-2, which took them over.
  var tellingFields: [(name: String, type: String, values: [String])] {
    switch self {
    case .mpeg4: [("mpegversion", "int", ["4"]), ("systemstream", "boolean", ["false"])]
    case .mpeg2: [("mpegversion", "int", ["2", "1"]), ("systemstream", "boolean", ["false"])]
    case .aac: [("mpegversion", "int", ["4", "2"])]
    case .mp3: [("mpegversion", "int", ["1"]), ("layer", "int", ["3"])]
    case .mp2: [("mpegversion", "int", ["1"]), ("layer", "int", ["2", "1"])]
    case .sorenson: [("flvversion", "int", ["1"])]
    case .adpcm: [("layout", "string", ["dvi", "microsoft"])]
    default: []
    }
  }

  /// The codec of a structure of fixed caps. A flag that is absent is off, as elements take it.
  package init?(_ structure: CapsStructure) {
    let codec = Codec.allCases.first { codec in
      codec.mediaType == structure.name
        && codec.tellingFields.allSatisfy { field in
          structure.text(field.name).map(field.values.contains) ?? (field.type == "boolean")
        }
    }
    guard let codec else { return nil }
    self = codec
  }

  /// The codecs that a structure of a pad template admits.
  static func admitted(by template: CapsStructure) -> [Codec] {
    allCases.filter { codec in
      codec.mediaType == template.name
        && codec.tellingFields.allSatisfy { field in
          template.fields[field.name].map { field.values.contains(where: $0.admits) } ?? true
        }
    }
  }
}
