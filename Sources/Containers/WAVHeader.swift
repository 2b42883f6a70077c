import Media
import GraphKitSystem

/// Reads the header of a WAV file: RIFF as Microsoft and IBM published it in 1991, with the
/// extensible format of 1998 and the 64-bit sizes of RF64 (EBU Tech 3306).
///
/// Sizes in headers are believed only as far as the file reaches, and no size at all is taken from
/// what a recorder leaves there that was cut off, or that wrote to a pipe: 0 or 2³²−1, or about 2³¹.
/// The samples that are in the file count then.
package struct WAVHeader {
  private let file: File
  private let size: Int
  private var format: AudioFormat?
  private var dataSize64: Int?
  private var wholeSize64: Int?
  private var hasTooManyChunks = false
  /// The offset of the fields of the format chunk, where the audio is packets that say themselves
  /// what they are.
  private var packetFormat: Int?
  /// Bytes of a sample of PCM, where they are more than any has.
  private var hugeSample: Int?

  private static let mostChunks = 1_000

  /// The position of the file's PCM; `nil` where it is no WAV file, or holds something other than
  /// PCM.
  package static func locate(_ path: String, _ file: File) -> PCMLocation? {
    var header = WAVHeader(file: file, size: file.size)
    return header.locate(path)
  }

  /// What keeps the samples of a WAV file from being found; `nil` for other files, too.
  package static func fault(of path: String, _ file: File) -> NodeError? {
    var header = WAVHeader(file: file, size: file.size)
    guard header.isWAV else { return nil }
    let data = header.data()
    // GStreamer's parser (1.22) would read such samples in blocks of no bytes, for ever.
    if let size = header.hugeSample {
      return NodeError(
        "`\(path)` says that a sample has \(size) bytes",
        remedy: "give a whole WAV file; the header of this one is damaged", key: "path")
    }
    guard data == nil else { return nil }
    guard !header.hasTooManyChunks else {
      return NodeError(
        "`\(path)` has more than \(mostChunks) chunks before its audio data",
        remedy: "write the WAV file anew, for example with ffmpeg", key: "path")
    }
    return NodeError(
      "`\(path)` ends before its audio data begins",
      remedy: "give a whole WAV file; this one was cut off", key: "path")
  }

  /// Where the samples of a WAV file end by its header; `nil` where it doesn't say.
  static func statedEnd(of file: File) -> Int? {
    var header = WAVHeader(file: file, size: file.size)
    guard header.isWAV, let data = header.data() else { return nil }
    return header.stated(data.length).map { data.start + $0 }
  }

  /// How GStreamer's parser (1.22) is to read a WAV file; `nil` for other files.
  ///
  /// It looks for chunks after the samples, but doesn't skip the byte that pads an odd number of
  /// bytes (Multimedia Programming Interface and Data Specifications 1.0, "RIFF chunks"), and gives
  /// up without any sample where fewer bytes follow than the head of a chunk has. So the file ends
  /// for it where the samples do.
  package static func edit(of file: File) -> StreamEdit? {
    var header = WAVHeader(file: file, size: file.size)
    guard header.isWAV, let data = header.data() else { return nil }
    var edit = StreamEdit()
    edit.keepsSegments = true
    if let length = header.stated(data.length), length < file.size - data.start {
      edit.fileEnd = data.start + length
    }
    if let format = header.packetFormat {
      edit.patches[format + 2] = packetFields.channels
      edit.patches[format + 8] = packetFields.rateAndBlock
    }
    return edit
  }

  /// What the header says of packets in place of its own numbers: one channel, no byte rate, and
  /// blocks of a byte. GStreamer's parser leaves out what is no whole block at the end, and packets
  /// are rarely as long as the block that a header states. The packets' own parser needs none of
  /// these.
  private static let packetFields: (channels: [UInt8], rateAndBlock: [UInt8]) = (
    [1, 0], [0, 0, 0, 0, 1, 0]
  )

  private init(file: File, size: Int) {
    self.file = file
    self.size = size
  }

  private mutating func locate(_ path: String) -> PCMLocation? {
    guard isWAV, let data = data() else { return nil }
    return location(path, at: data.start, length: data.length)
  }

  private var isWAV: Bool {
    guard let head = bytes(0, 12) else { return false }
    return ["RIFF", "RF64", "BW64"].contains(text(head, 0)) && text(head, 8) == "WAVE"
  }

  /// Where the samples begin, and how many bytes they are said to be; what comes before is read.
  private mutating func data() -> (start: Int, length: Int)? {
    var offset = 12
    // A file of nothing but chunks of no length would be walked for ever.
    for _ in 0..<Self.mostChunks {
      guard let chunk = bytes(offset, 8) else { return nil }
      let (name, length) = (text(chunk, 0), number(chunk, 4, 4))
      let start = offset + 8
      switch name {
      case "ds64":
        wholeSize64 = bytes(start, 16).map { number($0, 0, 8) }
        dataSize64 = bytes(start, 16).map { number($0, 8, 8) }
      case "fmt ":
        let said = bytes(start, min(length, WAVFormat.byteCount)).flatMap(WAVFormat.init)
        (format, hugeSample) = (said?.pcm, said?.hugeSample)
        packetFormat = said?.holdsPackets == true ? start : nil
      case "data": return (start, length)
      default: break
      }
      offset = start + length + length % 2
    }
    hasTooManyChunks = true
    return nil
  }

  private func location(_ path: String, at start: Int, length: Int) -> PCMLocation? {
    guard let format else { return nil }
    let room = size - start
    let bytes = min(stated(length) ?? room, room)
    guard bytes >= 0 else { return nil }
    var location = PCMLocation(
      path: path, format: format, offset: start, frameCount: bytes / format.bytesPerFrame)
    location.shortfall = stated(length).flatMap { stated in
      FileExtent.shortfall(of: path, size, stated: start + stated)
    }
    location.tags = WAVTags.texts(of: file, samplesEndingAt: start + bytes)
    return location
  }

  /// How many bytes the samples are said to be; `nil` where nothing is said.
  private func stated(_ length: Int) -> Int? {
    guard length == 0 || Self.isPlaceholder(length) else { return length }
    if let dataSize64, dataSize64 > 0, dataSize64 < 1 << 60 { return dataSize64 }
    return length == 0 && isWhole ? 0 : nil
  }

  /// Whether the header's size of the whole file is that of the file, but for a byte that pads it.
  private var isWhole: Bool {
    guard let length = bytes(4, 4).map({ number($0, 0, 4) }) else { return false }
    let whole = length == 0xffff_ffff ? wholeSize64 ?? 0 : length
    return (0...1).contains(whole - (size - 8))
  }

  /// What programs write that don't know: ALSA's and SoX' are about 2 GiB.
  private static func isPlaceholder(_ length: Int) -> Bool {
    length >= 0xffff_ff00 || (0x7fff_f000...0x8000_0000).contains(length)
  }

  private func bytes(_ offset: Int, _ count: Int) -> [UInt8]? {
    guard offset + count <= size, let bytes = try? file.read(at: offset, count: count),
      bytes.count == count
    else { return nil }
    return bytes
  }

  private func text(_ bytes: [UInt8], _ offset: Int) -> String {
    String(decoding: bytes[offset..<offset + 4], as: UTF8.self)
  }

  private func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    let value = (0..<count).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + $1]) << (8 * $1) }
    return Int(clamping: value)
  }
}
