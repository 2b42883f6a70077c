import GraphKit

/// What random graphs may name: a machine with files, devices and elements, and files for the nodes
/// that read theirs themselves.
struct FakeWorld {
  var environment = FakeEnvironment()
  /// Paths for the nodes of a type that read a file.
  private(set) var paths: [String: [String]] = [:]
  /// Elements for `gst`.
  var elements: [String] { environment.inspections.keys.sorted() }
  private let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    environment.files = Self.files
    environment.inspections = Self.inspections
    environment.screen = ScreenSize(width: 1280, height: 720)
    paths["file"] = Self.files.keys.sorted()
    paths["rawFile"] = [try folder.write(Array(repeating: 0, count: 4096), to: "raw.pcm")]
    let table = "LUT_3D_SIZE 2\n" + String(repeating: "0.5 0.5 0.5\n", count: 8)
    paths["lut"] = [try folder.write(table.utf8, to: "grey.cube")]
    let points =
      #"{"version":2,"channels":1,"sample_rate":48000,"samples_per_pixel":512,"bits":16,"#
      + #""length":2,"data":[-1,1,-2,2]}"#
    paths["assOverlay"] = [
      try folder.write("[Script Info]\n[V4+ Styles]\n[Events]\n".utf8, to: "none.ass")
    ]
    paths["peaksSource"] = [try folder.write(points.utf8, to: "points.json")]
    let picture = try folder.png(2, 2, [255, 128, 0, 128])
    for type in ["overlay", "watermark", "sticker"] { paths[type] = [picture] }
  }

  private static func video(
    _ codec: Codec, _ width: Int?, _ height: Int?, _ rate: Rational?, rotation: Rotation? = nil
  ) -> DiscoveredStream {
    var format = EncodedFormat(codec)
    (format.width, format.height, format.frameRate) = (width, height, rate)
    var stream = DiscoveredStream(
      identifier: "\(codec)", format: .encoded(format), duration: MediaTime(value: 2, timescale: 1))
    stream.rotation = rotation
    return stream
  }

  private static func audio(_ codec: Codec, _ rate: Int?, _ channels: Int?) -> DiscoveredStream {
    var format = EncodedFormat(codec)
    (format.sampleRate, format.channels) = (rate, channels)
    return DiscoveredStream(
      identifier: "\(codec)", format: .encoded(format), duration: MediaTime(value: 2, timescale: 1))
  }

  private static func other(_ caps: String) -> DiscoveredStream {
    DiscoveredStream(identifier: caps, format: .other(caps: caps), duration: nil)
  }

  private static let files: [String: [DiscoveredStream]] = [
    "film.mp4": [video(.h264, 640, 360, Rational(25)), audio(.aac, 48_000, 2)],
    "phone.mov": [
      video(.hevc, 320, 180, Rational(30), rotation: .rotate90), audio(.aac, 44_100, 1),
    ],
    "tracks.mkv": [
      video(.vp9, nil, nil, nil), audio(.opus, 48_000, 6), audio(.flac, 96_000, 2),
    ],
    "small.avi": [video(.mpeg4, 33, 17, Rational(30_000, over: 1001)), audio(.mp3, 22_050, 2)],
    "song.flac": [audio(.flac, 44_100, 2)],
    "wide.wv": [audio(.wavpack, 192_000, 16)],
    "still.png": [video(.png, 64, 48, nil)],
    "odd.ape": [other("audio/x-ape, rate=(int)44100")],
    "raw.wav": [
      DiscoveredStream(
        PCMLocation(
          path: "raw.wav", format: AudioFormat(.s16, sampleRate: 44_100, channels: 2), offset: 44,
          frameCount: 4_000_000))
    ],
    "raw.y4m": [
      DiscoveredStream(
        identifier: "raw",
        format: .video(VideoFormat(.i420, width: 320, height: 240, frameRate: Rational(25))),
        duration: nil)
    ],
  ]

  private static func element(_ pads: ElementInspection.Pad...) -> ElementInspection {
    ElementInspection(pads: pads, properties: [], plugin: "fake")
  }

  private static func pad(
    _ direction: PortDirection, _ caps: String, _ presence: ElementInspection.Pad.Presence = .always
  ) -> ElementInspection.Pad {
    let name = direction == .input ? "sink" : "src"
    return ElementInspection.Pad(
      name: presence == .request ? "\(name)_%u" : name, direction: direction, presence: presence,
      caps: caps)
  }

  private static let inspections: [String: ElementInspection] = [
    "identity": element(pad(.input, "ANY"), pad(.output, "ANY")),
    "videoflip": element(
      pad(.input, "video/x-raw, format=(string){ I420, BGRA }"),
      pad(.output, "video/x-raw, format=(string){ I420, BGRA }")),
    "grey": element(
      pad(.input, "video/x-raw, format=(string)NV12, width=(int)320"),
      pad(.output, "video/x-raw, format=(string)BGRA")),
    "volume": element(
      pad(.input, "audio/x-raw, format=(string){ S16LE, F32LE }, layout=(string)interleaved"),
      pad(.output, "audio/x-raw, format=(string){ S16LE, F32LE }, layout=(string)interleaved")),
    "audiomixer": element(
      pad(.input, "audio/x-raw, format=(string)F32LE, rate=(int)48000", .request),
      pad(.output, "audio/x-raw, format=(string)F32LE, rate=(int)48000")),
    "opusenc": element(
      pad(.input, "audio/x-raw, format=(string)S16LE, rate=(int){ 48000, 16000 }"),
      pad(.output, "audio/x-opus")),
    "vp8enc": element(
      pad(.input, "video/x-raw, format=(string)I420"), pad(.output, "video/x-vp8")),
    "noise": element(pad(.output, "audio/x-raw, format=(string)S16LE, channels=(int)1")),
    "snow": element(pad(.output, "video/x-raw, format=(string){ I420, NV12 }")),
    "hole": element(pad(.input, "ANY")),
  ]
}
