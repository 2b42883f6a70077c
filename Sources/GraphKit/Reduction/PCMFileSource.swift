import GStreamer
import GraphKitSystem

/// The PCM of a file, read just as it is there, past GStreamer.
public struct PCMFileSource: PiecewiseSource {
  private let location: PCMLocation
  private let share: PieceShare
  private let end: Int
  /// The file, where it is a web server's.
  private let fetched: InputFile?
  private var next = 0
  private var file: File?
  private var pool: BlockPool?

  /// Bytes of a block: they and what is made of them stay in the processor's second cache.
  private static let blockSize = 65_536

  /// No file; for the engine, which has a location.
  public init() {
    self.init(
      PCMLocation(
        path: "", format: AudioFormat(.s16, sampleRate: 48_000, channels: 2), offset: 0,
        frameCount: 0))
  }

  /// The PCM at a place.
  public init(_ location: PCMLocation) { self.init(location, in: nil) }

  /// The PCM at a place of a file of a web server, or of this machine.
  package init(_ location: PCMLocation, in fetched: InputFile?) {
    self.init(location, .whole, until: location.frameCount, fetched)
  }

  private init(
    _ location: PCMLocation, _ share: PieceShare, until end: Int, _ fetched: InputFile?
  ) {
    self.fetched = fetched
    self.location = location
    self.share = share
    self.end = end
  }

  public static let declaration = NodeDeclaration<PCMFileSource>(
    "pcmFile", role: .source, help: "The PCM of a file, read as it is.", example: "")

  public static let ports = SourcePorts<Audio>(help: "The samples.")

  public var portDeclarations: [PortDeclaration] {
    [
      PortDeclaration(
        "audio", .output, FormatConstraint(.audio(location.format)), help: "The samples.")
    ]
  }

  public var frameCount: Int { end }
  public var fileShortfall: String? { location.shortfall }
  public var openFiles: [InputFile] { fetched.map { [$0] } ?? [] }

  public func piece(_ share: PieceShare, until end: Int) -> PCMFileSource {
    PCMFileSource(location, share, until: min(end, self.end), fetched)
  }

  public mutating func start(to outputs: NodeOutputs) throws {
    do throws(File.Failure) {
      let file: File
      if let fetched { file = fetched.file } else { file = try File(location.path) }
      file.expectSequentialReading()
      self.file = file
    } catch {
      throw NodeError(
        "`\(location.path)` can't be opened: \(error.text)",
        remedy: "give a file that is there and may be read", key: "path")
    }
    let pool = try BlockPool(
      location.format, frameCount: max(1, Self.blockSize / location.format.bytesPerFrame))
    self.pool = pool
    try outputs.announce(pool.format, on: 0)
    guard !location.tags.isEmpty else { return }
    var tags = StreamTags(location.tags)
    tags.areOfFile = true
    outputs.note(tags, on: 0)
  }

  public mutating func produce(to outputs: NodeOutputs) throws -> Bool {
    guard let pool, let run = share.run(from: next, to: end) else { return false }
    next = run.lowerBound
    var block = try pool.take()
    let wanted = min(pool.frameCount, run.count)
    let read = try fill(&block, frames: wanted)
    guard read > 0 else { return false }
    if read < pool.frameCount {
      block.trim(offset: 0, byteCount: read * location.format.bytesPerFrame)
    }
    let timescale = Int32(clamping: location.format.sampleRate)
    block.presentationTime = MediaTime(value: Int64(next), timescale: timescale)
    block.duration = MediaTime(value: Int64(read), timescale: timescale)
    next += read
    try outputs.send(block)
    return next < end && read == wanted
  }

  private func fill(_ block: inout SampleBuffer, frames: Int) throws -> Int {
    let size = location.format.bytesPerFrame
    let offset = location.offset + next * size
    let bytes = try block.withMutableBytes { span throws -> Int in
      do throws(File.Failure) {
        return try file?.read(at: offset, count: frames * size, into: &span) ?? 0
      } catch {
        if let error = fetched?.fetchingError { throw error }
        throw NodeError(
          "`\(location.path)` can't be read at byte \(offset): \(error.text)",
          remedy: "check the disk", key: "path")
      }
    }
    return bytes / size
  }
}
