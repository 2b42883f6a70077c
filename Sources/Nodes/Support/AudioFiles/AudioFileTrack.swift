import Containers
import GraphKit

/// Hands a run's packets to the writer of a file of audio.
///
/// The file begins with the first packet, when all is known that its head says. One that a failure
/// or a signal ends has its length all the same, and ends with the last packet that came.
struct AudioFileTrack: TrackWriter {
  private let output: AudioFileOutput
  private let file: WritableFile
  private let track: OutputTrack
  private var tags: MovieTags
  private var settings: AudioFileSettings?
  private var writer: (any AudioFileWriter)?
  private var lengths: PacketLengths?
  private var vorbis: VorbisPackets?
  private var byteCount = 0
  private var flushedPosition = 0

  init(_ track: OutputTrack, of output: AudioFileOutput, to file: WritableFile) {
    (self.track, self.output, self.file, tags) = (track, output, file, output.tags)
  }

  mutating func prepare(for format: FormatDescription, track number: Int) throws {
    guard writer == nil else { return }
    guard var described = AudioFileSettings(format, lead: track.lead) else {
      throw NodeError(
        "the file can't hold \(format), or its caps lack the codec's headers",
        remedy: "decode it and encode it again")
    }
    described.lead = lead(at: described.sampleRate)
    settings = described
    vorbis = VorbisPackets(described.headers)
  }

  /// What decoders leave out at the beginning; `nil` where it isn't known.
  private func lead(at sampleRate: Int) -> Int? {
    if let lead = track.lead, lead > .zero { return lead.frames(at: sampleRate) }
    return track.priming
  }

  /// What the graph says stays; the stream says the same again and again.
  mutating func note(_ tags: StreamTags, track: Int) {
    if self.tags.pictures.isEmpty { self.tags.pictures = tags.pictures.covers() }
    self.tags.texts.merge(tags.texts) { first, _ in first }
  }

  mutating func write(_ sample: borrowing SampleBuffer, to track: Int) throws {
    guard let settings else { return }
    try sample.withBytes { bytes in
      guard let frames = try frames(of: bytes, settings.codec), bytes.count > 0 else { return }
      if writer == nil { try begin(settings) }
      lengths?.add(frames: frames, stated: sample.duration)
      byteCount += bytes.count
      try writer?.append(bytes, frames: frames)
      try flush(after: settings.sampleRate / 2)
    }
  }

  /// A process that is killed loses little: what is held back is written after so many frames.
  private mutating func flush(after count: Int) throws {
    guard let position = lengths?.position, position - flushedPosition >= count else { return }
    flushedPosition = position
    try writer?.flush()
  }

  private mutating func begin(_ settings: AudioFileSettings) throws {
    var settings = settings
    settings.tags = tags
    let room = output.mostPictures(settings.codec) - tags.cover.count
    guard room >= 0 else {
      throw NodeError(
        "a cover of \(tags.cover.count) bytes, and such a file has room for "
          + "\(output.mostPictures(settings.codec))", remedy: "give a smaller `cover`",
        key: "cover")
    }
    settings.tags.pictures = tags.otherPictures.covers(
      upTo: AudioFileOutput.largestPicture, together: room)
    let count = tags.otherPictures.count - settings.tags.pictures.count
    if count > 0 {
      file.warn(
        "\(count) \(count == 1 ? "picture is" : "pictures are") left out, since such a file has room for "
          + "\(output.mostPictures(settings.codec)) bytes of them, and "
          + "\(AudioFileOutput.largestPicture) of one: make them smaller in the source")
    }
    if let digest = self.track.digest {
      settings.digest = { (digest.value.bytes, digest.value.byteCount) }
    }
    let end = track.length.flatMap { $0.frames(at: settings.sampleRate) }
    lengths = PacketLengths(
      sampleRate: settings.sampleRate, end: end.map { $0 + (settings.lead ?? 0) },
      isEncoded: track.priming != nil)
    writer = try output.writer(settings, to: file)
  }

  /// How many frames a packet decodes to; `nil` for what is none.
  private mutating func frames(of packet: Span<UInt8>, _ codec: Codec) throws -> Int? {
    switch codec {
    case .opus: OpusPacket.frames(packet)
    case .vorbis: vorbis?.frames(packet)
    case .flac: FLACFrame(packet)?.blockSize
    default: MP3FrameHeader.samples(in: packet)
    }
  }

  mutating func end(track: Int) throws {}

  var finishByteCount: Int? { writer?.finishByteCount }
  var bytesPerSecond: Int {
    guard let settings, let lengths, lengths.position > settings.sampleRate else { return 0 }
    return byteCount / (lengths.position / settings.sampleRate)
  }

  mutating func finish() throws {
    guard let lengths else { throw NodeError.isEmpty("file", no: "audio") }
    try writer?.finish(at: lengths.streamEnd)
  }

  func check() throws {
    guard let writer else { return }
    let path = output.place.path
    let faults = try writer.faults(of: path)
    guard !faults.isEmpty else { return }
    throw NodeError(
      "the finished `\(path)` isn't what was written: \(faults.joined(separator: "; "))",
      remedy: "look what else writes to the file or what the system says of its disk (`dmesg`), "
        + "then write it again; where it is neither, report it as a fault of GraphKit")
  }

  /// What came is whole packets: the file ends with them. The failure has been reported.
  mutating func giveUp() { try? finish() }
}

extension AudioFileSettings {
  /// What the format of a stream says; `nil` where a header of its codec is missing.
  fileprivate init?(_ description: FormatDescription, lead: MediaTime?) {
    guard case .encoded(let format) = description.format,
      let track = MovieTrackFormat(description, lead: lead)
    else { return nil }
    let rate = format.codec == .opus ? OpusPacket.sampleRate : track.sampleRate
    self.init(format.codec, sampleRate: rate, channels: track.channels)
    let found = StreamHeaders(capsText: description.capsText).packets
    switch format.codec {
    case .opus:
      headers = [OpusHead.bytes(of: track.configuration)] + found.dropFirst()
    case .flac: headers = [track.configuration] + found.dropFirst()
    case .vorbis:
      guard found.count >= 3 else { return nil }
      headers = found
    default: break
    }
  }
}

/// The headers that the caps of a stream have.
struct StreamHeaders {
  /// The headers, in the order of the stream.
  let packets: [[UInt8]]

  /// Reads the field `streamheader` of caps as text.
  init(capsText: String) {
    guard let mark = capsText.firstRange(of: "streamheader=") else {
      packets = []
      return
    }
    let list = capsText[mark.upperBound...].drop { $0 != "<" }.dropFirst().prefix { $0 != ">" }
    packets = list.split(separator: ",").map { word in
      MovieTrackFormat.bytes(word.split(separator: ")").last ?? "")
    }
  }
}

/// The first packet of a stream of Opus (RFC 7845, 5.1).
enum OpusHead {
  /// The packet by what movies have of it, whose numbers have their highest byte first.
  static func bytes(of configuration: [UInt8]) -> [UInt8] {
    guard configuration.count >= 11 else { return [] }
    return Array("OpusHead".utf8) + [1, configuration[1]] + configuration[2..<4].reversed()
      + configuration[4..<8].reversed() + configuration[8..<10].reversed() + configuration[10...]
  }
}
