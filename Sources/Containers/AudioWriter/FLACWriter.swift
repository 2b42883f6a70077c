import Media

/// Writes a FLAC file (RFC 9639): the first block of the stream, tags, a picture, and frames.
package struct FLACWriter: AudioFileWriter {
  private var file: AppendedFile
  private var block: FLACStreamBlock

  /// Begins a file; throws where the stream's header isn't there.
  package init(
    _ settings: AudioFileSettings, to destination: any MovieDestination & Sendable
  ) throws {
    block = try FLACStreamBlock(settings)
    var head = Array("fLaC".utf8) + [0, 0, 0, 34] + block.bytes
    let pictures = settings.tags.covers
    let comments = VorbisComment(settings.tags, kept: Array(settings.headers.dropFirst()))
    head += Self.metadata(4, comments.bytes, isLast: pictures.isEmpty)
    for (index, picture) in pictures.enumerated() {
      head += Self.metadata(
        6, FLACPicture.block(picture), isLast: index == pictures.count - 1)
    }
    file = AppendedFile(destination)
    try file.begin(head)
  }

  private static func metadata(_ type: UInt8, _ bytes: [UInt8], isLast: Bool) -> [UInt8] {
    let size = [16, 8, 0].map { UInt8(truncatingIfNeeded: bytes.count >> $0) }
    return [isLast ? 0x80 | type : type] + size + bytes
  }

  package mutating func append(_ packet: Span<UInt8>, frames: Int) throws {
    block.note(packet.count)
    try file.append(packet)
  }

  package mutating func flush() throws { try file.flush() }

  package mutating func finish(at end: Int) throws {
    block.finish(at: end)
    try file.finish(replacing: block.bytes, at: 8)
  }

  package var finishByteCount: Int { 1 << 15 }

  package func faults(of path: String) throws -> [String] { try file.faults(of: path) }
}

/// A picture as FLAC files and Vorbis comments have it (RFC 9639, 8.8).
enum FLACPicture {
  /// The block of a picture, without its head. How large the picture is, readers find in it.
  static func block(_ picture: AttachedPicture) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let type = Array(picture.mediaType.utf8)
    return number(picture.kind) + number(type.count) + type + number(0)
      + [UInt8](repeating: 0, count: 16) + number(picture.bytes.count) + picture.bytes
  }
}

extension AttachedPicture {
  /// What it is, as MIME calls it.
  var mediaType: String { bytes.first == 0x89 ? "image/png" : "image/jpeg" }
}
