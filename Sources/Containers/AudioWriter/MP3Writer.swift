import Media

/// Writes an MP3 file: tags (ID3v2), a frame that describes it (Xing, with the fields of LAME), and
/// frames.
package struct MP3Writer: AudioFileWriter {
  private var file: AppendedFile
  private let tags: [UInt8]
  private let lead: Int?
  private var description: XingFrame?

  /// Begins a file.
  package init(_ settings: AudioFileSettings, to destination: any MovieDestination & Sendable) {
    file = AppendedFile(destination)
    tags = ID3Writer.bytes(settings.tags)
    lead = settings.lead
  }

  package mutating func append(_ packet: Span<UInt8>, frames: Int) throws {
    if description == nil {
      guard let header = MP3FrameHeader(packet), let frame = XingFrame(like: header) else {
        throw NodeError(
          "what comes isn't a frame of MP3", remedy: "decode it and encode it again")
      }
      description = frame
      try file.begin(tags + frame.bytes(at: nil, lead: nil))
    }
    description?.add(packet)
    try file.append(packet)
  }

  package mutating func flush() throws { try file.flush() }

  package mutating func finish(at end: Int) throws {
    guard let description else { return }
    try file.finish(replacing: description.bytes(at: end, lead: lead), at: tags.count)
  }

  package var finishByteCount: Int { 1 << 15 }

  package func faults(of path: String) throws -> [String] { try file.faults(of: path) }
}
