import Media

/// Writes a stream of Opus, Vorbis or FLAC as an Ogg file (RFC 3533).
///
/// Pages say up to which frame they go, and the last one where the stream ends (RFC 7845, 4.4): it is
/// held back until that is known.
package struct OggWriter: AudioFileWriter {
  private var file: AppendedFile
  private var page: OggPage
  private let settings: AudioFileSettings
  /// What the first page says of FLAC.
  private var block: FLACStreamBlock?
  /// The first page, which has the length of FLAC.
  private var firstPage: [UInt8] = []
  private var position = 0
  private var pageStart = 0

  /// Begins a file; throws where the stream's headers are missing.
  package init(_ settings: AudioFileSettings, to destination: any MovieDestination & Sendable)
    throws
  {
    self.settings = settings
    file = AppendedFile(destination)
    block = settings.codec == .flac ? try FLACStreamBlock(settings) : nil
    let headers = try OggHeaders.packets(settings, block)
    page = OggPage(serial: Self.serial(of: headers))
    var head: [UInt8] = []
    for (index, packet) in headers.enumerated() {
      var rest = packet[...]
      while !page.add(&rest) { head += page.take(granule: page.hasEnd ? 0 : -1) }
      // The first header has a page to itself, and the audio begins with one.
      if index == 0 || index == headers.count - 1 { head += page.take(granule: 0) }
      if index == 0 { firstPage = head }
    }
    try file.begin(head)
  }

  /// A number for the stream that files with other headers don't have.
  private static func serial(of headers: [[UInt8]]) -> UInt32 {
    headers.reduce(0) { OggPage.checksum($1, from: $0) } | 1
  }

  /// Players may begin at any page, and what is lost in a crash is one: RFC 7845 asks for one a
  /// second at least.
  private var isPageLong: Bool { position - pageStart >= settings.sampleRate / 2 }

  package mutating func append(_ packet: Span<UInt8>, frames: Int) throws {
    let isLong = isPageLong || page.isFull || page.size + packet.count > OggPage.usualSize
    if page.hasEnd, isLong { try endPage(granule: position) }
    block?.note(packet.count)
    var rest = packet.indices.map { packet[$0] }[...]
    // A page in which no packet ends says so.
    while !page.add(&rest) { try endPage(granule: page.hasEnd ? position : -1) }
    position += frames
  }

  private mutating func endPage(granule: Int) throws {
    try file.append(page.take(granule: granule).span)
    pageStart = position
  }

  package mutating func flush() throws { try file.flush() }

  package mutating func finish(at end: Int) throws {
    try file.append(page.take(granule: end, isLast: true).span)
    guard block != nil else { return try file.finish(replacing: [], at: 0) }
    block?.finish(at: end)
    OggHeaders.replace(block?.bytes ?? [], inFLAC: &firstPage)
    try file.finish(replacing: firstPage, at: 0)
  }

  package var finishByteCount: Int { page.size + 1 << 15 }

  package func faults(of path: String) throws -> [String] { try file.faults(of: path) }
}

/// The headers of streams in Ogg.
enum OggHeaders {
  /// The packets that a stream begins with, its tags among them.
  static func packets(
    _ settings: AudioFileSettings, _ block: FLACStreamBlock?
  ) throws(NodeError) -> [[UInt8]] {
    var comments = VorbisComment(settings.tags, kept: settings.headers)
    for picture in settings.tags.covers { comments.add(picture) }
    let headers = settings.headers
    switch settings.codec {
    case .opus:
      guard var head = headers.first, head.count >= 19 else { throw missing("Opus") }
      let skip = settings.lead ?? Int(head[10]) | Int(head[11]) << 8
      (head[10], head[11]) = (
        UInt8(truncatingIfNeeded: skip), UInt8(truncatingIfNeeded: skip >> 8)
      )
      return [head, Array("OpusTags".utf8) + comments.bytes]
    case .vorbis:
      guard headers.count >= 3 else { throw missing("Vorbis") }
      return [headers[0], [3] + Array("vorbis".utf8) + comments.bytes + [1], headers[2]]
    default:
      guard let block else { throw missing("FLAC") }
      return flac(block.bytes, comments)
    }
  }

  /// The mapping of FLAC to Ogg (RFC 9639, 10.1): a packet for each of the stream's blocks. A picture
  /// is in the comments, where more readers look for it than in a block of its own.
  private static func flac(_ block: [UInt8], _ comments: VorbisComment) -> [[UInt8]] {
    let bytes = comments.bytes
    let size = [16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
    let first =
      [0x7f] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8) + [0, 0, 0, 34] + block
    return [first, [0x84] + size + bytes]
  }

  /// Writes the first block of FLAC into its first page, whose only packet has 13 bytes of the mapping
  /// and the four of the block's head before it.
  static func replace(_ block: [UInt8], inFLAC page: inout [UInt8]) {
    let start = 28 + 17
    guard page.count >= start + block.count else { return }
    page.replaceSubrange(start..<start + block.count, with: block)
    OggPage.seal(&page)
  }

  private static func missing(_ codec: String) -> NodeError {
    NodeError(
      "the stream of \(codec) comes without its headers", remedy: "decode it and encode it again")
  }
}
