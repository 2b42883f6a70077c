import Foundation
import Synchronization
import Testing

@testable import GraphKit
@testable import Nodes

extension FileTests {
  /// Copies in pieces that are ended before their file is: the test holds their reader meanwhile.
  @Suite struct PieceCopyEndTests {
    let scratch: TestFolder

    init() throws { scratch = try TestFolder() }

    /// The length of a piece, in seconds.
    private static let piece = 0.5

    /// A copy of twelve seconds of video and audio whose reader is held before its fourth piece.
    private func held(_ options: String = "") throws -> (run: Pipeline, turnstile: Turnstile) {
      let path = scratch.path("in.mp4")
      try ffmpeg(
        "-f lavfi -i testsrc2=s=160x120:r=25:d=12 -f lavfi -i sine=r=48000:d=12",
        "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 25 -c:a aac", to: path)
      let turnstile = Turnstile(holding: 4, isLookedThrough: options.contains("optimize"))
      HeldFile.turnstiles.withLock { $0[path] = turnstile }
      var catalog = Catalog.builtIn
      _ = catalog.add(NodeType(HeldFile.self))
      let run = try pipeline(
        """
        { "nodes": { "in": { "type": "heldFile", "path": "\(path)" },
            "movie": { "type": "mp4Sink", "path": "\(scratch.path("out.mp4"))",
              "fragmentDuration": \(Int(1_000 * Self.piece))\(options) } },
          "wires": ["in.video -> movie.video", "in.audio -> movie.audio"] }
        """, catalog: catalog)
      return (run, turnstile)
    }

    private func packets(_ name: String, _ kind: String) throws -> [Substring] {
      let words = [
        "-v", "error", "-select_streams", "\(kind):0", "-show_data_hash", "md5", "-show_entries",
        "packet=pts_time,dts_time,size,flags,data_hash", "-of", "csv=p=0", scratch.path(name),
      ]
      return String(decoding: try tool("ffprobe", words), as: UTF8.self).split(separator: "\n")
    }

    @Test(arguments: ["", ", \"optimizeForNetworkUse\": true", ", \"crashSafe\": false"])
    func finishingWritesWhatWasCopied(_ options: String) async throws {
      let (run, turnstile) = try held(options)
      turnstile.open { [context = run.storage.context] in
        context.isFinishing.load(ordering: .relaxed)
      }
      run.start()
      await turnstile.reached()
      run.finish()
      let report = await run.report()
      #expect(report.state == .completed && report.unbalanced == [], "\(report)")
      #expect(report.warnings == nil)
      #expect(turnstile.count == 4)
      let path = scratch.path("out.mp4")
      #expect(try BoxChecker(path).faults == [])
      let streams = try probe(path)
      // The piece that was held came after the finish was asked for, and is written.
      for stream in streams {
        #expect(abs(stream.end - 4 * Self.piece) <= Self.piece, "\(stream)")
      }
      #expect(abs(streams[0].end - streams[1].end) <= Self.piece)
      for kind in ["v", "a"] {
        let (copied, all) = (try packets("out.mp4", kind), try packets("in.mp4", kind))
        #expect(!copied.isEmpty && copied.count < all.count / 2 && all.starts(with: copied))
      }
      #expect(try decodeComplaints(path) == "")
    }

    @Test func cancellingEndsWithThePieceThatIsRead() async throws {
      let (run, turnstile) = try held()
      turnstile.open { [gate = run.storage.context.gate] in gate.isAbandoned }
      run.start()
      await turnstile.reached()
      run.cancel()
      let report = await run.report()
      #expect(report.state == .cancelled && report.unbalanced == [])
      #expect(turnstile.count == 4)
      // What was written until then can be played.
      let movie = try MovieReader.read(scratch.path("out.mp4"))
      #expect(movie.isFragmented && movie.tracks.allSatisfy { $0.sampleCount > 0 })
      for kind in ["v", "a"] {
        let (copied, all) = (try packets("out.mp4", kind), try packets("in.mp4", kind))
        #expect(!copied.isEmpty && copied.count < all.count / 2)
      }
    }
  }
}

/// Counts what passes, and holds what comes as a number of it until something holds. The thread that is
/// held looks for that itself: a task might be late, and a run that comes to rest is given up.
private final class Turnstile: Sendable {
  private struct State {
    var count = 0
    var isCounting: Bool
    var isOpen: @Sendable () -> Bool = { true }
  }

  private let number: Int
  private let state: Mutex<State>
  private let isReached: AsyncStream<Void>
  private let reach: AsyncStream<Void>.Continuation

  /// A turnstile that holds what comes as this number; where all is looked through first, the second
  /// time.
  init(holding number: Int, isLookedThrough: Bool) {
    self.number = number
    state = Mutex(State(isCounting: !isLookedThrough))
    (isReached, reach) = AsyncStream.makeStream()
  }

  /// Has it let pass what it holds once something holds.
  func open(once isOpen: @escaping @Sendable () -> Bool) {
    state.withLock { $0.isOpen = isOpen }
  }

  func pass() {
    let isOpen = state.withLock { state -> (@Sendable () -> Bool)? in
      state.count += state.isCounting ? 1 : 0
      return state.isCounting && state.count == number ? state.isOpen : nil
    }
    guard let isOpen else { return }
    reach.yield()
    while !isOpen() { sched_yield() }
  }

  /// Nothing more comes, but for the second time.
  func noteEnd() { state.withLock { $0.isCounting = true } }

  /// Returns once something is held.
  func reached() async { for await _ in isReached { return } }

  /// How much has come.
  var count: Int { state.withLock { $0.count } }
}

/// A file whose pieces go through a turnstile.
private struct HeldFile: ElementNode {
  static let turnstiles = Mutex<[String: Turnstile]>([:])

  private var file = FileSource()

  static let declaration = NodeDeclaration<HeldFile>(
    "heldFile", role: .source, help: "A file that a test holds.", example: "in.video -> movie",
    parameters: [.path("path", \.file.path, help: "The file.")])
  static let ports = FileSource.ports

  var portDeclarations: [PortDeclaration] { file.portDeclarations }
  var fileStreams: [String: FileStream]? { file.fileStreams }

  mutating func resolve(in environment: any Environment) throws(NodeError) -> [String] {
    try file.resolve(in: environment)
  }

  func elements(
    in environment: any Environment, formats: [String: FormatConstraint]
  ) throws(NodeError) -> [ElementChain] {
    try file.elements(in: environment, formats: formats)
  }

  func pieces(of ports: [String]) -> (any PieceReader)? {
    guard let turnstile = Self.turnstiles.withLock({ $0[file.path] }) else { return nil }
    return file.pieces(of: ports).map { HeldPieces(reader: $0, turnstile: turnstile) }
  }
}

private struct HeldPieces: PieceReader {
  var reader: any PieceReader
  let turnstile: Turnstile

  func first(of stream: Int) -> FileSample? { reader.first(of: stream) }

  mutating func next(duration: Int64) throws(NodeError) -> FilePiece? {
    turnstile.pass()
    let piece = try reader.next(duration: duration)
    if piece == nil { turnstile.noteEnd() }
    return piece
  }
}
