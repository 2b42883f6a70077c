public import GraphKit
import Nodes

/// What is in a media file, to be shown or written as JSON: `graphctl info` prints it.
///
/// Times are in seconds. What the file doesn't say is `nil`, and left out of JSON.
public struct MediaInfo: Hashable, Sendable, Encodable {
  /// A track.
  public struct Track: Hashable, Sendable, Encodable {
    /// Its number in the file, from 1.
    public var number: Int
    /// Audio, video or text.
    public var kind: String
    /// The coding format as GraphKit calls it, `h264`; `pcm` or `raw` of what isn't encoded. Of texts it is
    /// how the file stores them: `subrip`, `ass`, `webvtt`, `tx3g`.
    public var codec: String
    /// All of the format in words: `H.264 1280x720 at 30/s`, `SubRip`.
    public var format: String
    /// The size of its frames in pixels, before they are turned.
    public var width: Int?
    /// The height of its frames.
    public var height: Int?
    /// Frames a second: `30`, `30000/1001`.
    public var frameRate: String?
    /// The colours in words: `bt709 of full range`.
    public var colorWords: String? { colors.map(ColorNumbers.words) }
    /// How players turn its frames.
    public var rotation: String?
    /// The colours as GStreamer names them: `bt709`, or `range:matrix:transfer:primaries`.
    public var colors: String?
    /// Samples a second of each channel.
    public var sampleRate: Int?
    /// The number of channels.
    public var channels: Int?
    /// When it begins, counted from the file's beginning.
    public var start: Double?
    /// How long it is; where the file doesn't say that of it alone, how long the file is.
    public var duration: Double?
    /// Its language as a tag of BCP 47.
    public var language: String?
    /// What the file calls it.
    public var name: String?
    /// Whether players present it unless users choose another; of one of several tracks of a kind.
    public var isDefault: Bool?
    /// Whether it has subtitles that are shown though users want none.
    public var isForced: Bool?
    /// What the file says of it alone.
    public var metadata: [String: String]
  }

  /// A part that has a title.
  public struct Chapter: Hashable, Sendable, Encodable {
    /// When it begins.
    public var time: Double
    /// What it is called.
    public var title: String
  }

  /// A picture beside the media.
  public struct Picture: Hashable, Sendable, Encodable {
    /// What it shows: `front cover`.
    public var kind: String
    /// The format of its own file: `JPEG`.
    public var format: String
    /// How large that is, in bytes.
    public var byteCount: Int
  }

  /// Where the file is.
  public var path: String
  /// How large it is, in bytes.
  public var byteCount: Int
  /// What kind of file it is, in words.
  public var container: String?
  /// When the last track ends.
  public var duration: Double?
  /// Bits a second of the whole file; `nil` where its duration isn't known.
  public var bitRate: Int?
  /// The tracks, those with video first.
  public var tracks: [Track]
  /// What the file says of itself: `title`, `artist`.
  public var metadata: [String: String]
  /// The parts that have titles.
  public var chapters: [Chapter]
  /// The pictures that are attached to it, such as its cover.
  public var pictures: [Picture]
  /// How loud its first audio is; `nil` where that wasn't measured.
  public var loudness: LoudnessMeasurement?

  /// Looks into a file.
  ///
  /// Throws a `NodeError` where it can't be opened or holds no media that GStreamer can read.
  public init(path: String) async throws(NodeError) {
    let asset = try await MediaAsset(path: path)
    let file = try InputFile(path)
    self.path = path
    byteCount = file.byteCount
    container = try Self.container(of: asset, file)
    duration = asset.duration > .zero ? asset.duration.seconds : nil
    bitRate = duration.map { Int((Double(file.byteCount) * 8 / $0).rounded()) }
    tracks = zip(asset.tracks, FileSource.ports(of: asset.streams)).map { track, found in
      Track(track, found.stream, isOneOfSeveral: asset.tracks(track.kind).count > 1)
    }
    metadata = asset.metadata.filter { $0.key != "container-format" }
    chapters = asset.chapters.map { Chapter(time: $0.time.seconds, title: $0.title) }
    pictures = Self.pictures(of: asset.streams)
  }

  /// The pictures of all streams, each once: those of the file come with every stream.
  private static func pictures(of streams: [DiscoveredStream]) -> [Picture] {
    var seen: Set<AttachedPicture> = []
    return streams.flatMap(\.pictures).filter { seen.insert($0).inserted }.map {
      Picture(
        kind: $0.kindWords, format: $0.format ?? "unknown format", byteCount: $0.bytes.count)
    }
  }

  /// What kind of file it is, as GStreamer's reader says, or else by its first bytes.
  private static func container(
    of asset: MediaAsset, _ file: InputFile
  ) throws(NodeError) -> String? {
    // Tags in front of audio are no container.
    let stated = asset.streams.lazy.compactMap { $0.tags["container-format"] }
      .first { !$0.hasSuffix(" tag") }
    let start = try file.bytes(at: 0, count: 64)
    // Some programs put a tag in front of FLAC that isn't its own.
    if start.starts(with: "ID3".utf8) {
      let rest = try? file.bytes(at: ID3Tag.end(in: file.file), count: 4)
      if rest?.starts(with: "fLaC".utf8) == true { return "FLAC" }
    }
    // It may be read as another kind of file.
    if start.starts(with: "caff".utf8) { return "CAF" }
    if let stated {
      // Its header names the one as a kind of the other (RFC 8794, `DocType`).
      let isWebM = stated == "Matroska" && String(decoding: start, as: UTF8.self).contains("webm")
      return isWebM ? "WebM" : stated
    }
    let kinds: [(String, Int, String)] = [
      ("WAV", 0, "RIFF"), ("WAV", 0, "RF64"), ("QuickTime", 4, "ftyp"), ("QuickTime", 4, "moov"),
      ("GIF", 0, "GIF8"), ("FLAC", 0, "fLaC"), ("AIFF", 0, "FORM"), ("Ogg", 0, "OggS"),
      ("Wave64", 0, "riff"),
      ("MPEG audio", 0, "ID3"), ("JPEG", 6, "JFIF"), ("PNG", 1, "PNG"),
    ]
    return kinds.first { start.dropFirst($0.1).starts(with: $0.2.utf8) }?.0
  }
}

extension MediaInfo.Track {
  fileprivate init(_ track: AssetTrack, _ stream: DiscoveredStream, isOneOfSeveral: Bool) {
    (number, kind, format) = (track.number, track.kind.rawValue, "\(track.format)")
    (width, height) = (track.naturalSize?.width, track.naturalSize?.height)
    frameRate = track.frameRate.flatMap { $0.numerator > 0 ? "\($0)" : nil }
    rotation = track.rotation == .none ? nil : track.rotation.rawValue
    colors = stream.colors
    start = track.start.isNumeric ? track.start.seconds : nil
    duration = track.duration.isNumeric ? track.duration.seconds : nil
    (sampleRate, channels) = (track.sampleRate, track.channels)
    (language, metadata) = (track.language, track.metadata)
    name = track.name
    isDefault = isOneOfSeveral || track.kind == .text ? stream.label?.isDefault : nil
    isForced = track.isForced ? true : nil
    switch track.format {
    case .encoded(let encoded): codec = encoded.codec.rawValue
    case .audio: codec = "pcm"
    case .video: codec = "raw"
    default:
      codec = stream.textFormat?.rawValue ?? format
      format = stream.textFormat?.spoken ?? format
    }
  }
}
