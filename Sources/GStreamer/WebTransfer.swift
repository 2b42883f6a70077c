import CGStreamer
import GraphKitSystem

/// What a reader of a ``WebFile`` waits for.
struct WebReader {
  let range: Range<Int>
  /// Whether the connection goes where this reader needs it; others wait meanwhile.
  fileprivate(set) var hasTurn = false
  fileprivate var arrived = -1
  fileprivate var since = ContinuousClock.now

  init(_ range: Range<Int>) { self.range = range }
}

/// What has come of a file of the web, and what is to come: one connection writes, and any number of
/// readers wait.
final class WebTransfer: Sendable {
  /// What a reader is to do.
  enum Step {
    /// Its bytes are there.
    case done
    /// Ask again: something may have come.
    case wait
    /// Have the connection, or another, go on at an offset.
    case move(Int, WebConnection?)
  }

  fileprivate struct State {
    var connection: WebConnection?
    /// The number of the newest connection; what others still bring is left out.
    var number = 0
    var fetched = RangeSet<Int>()
    /// The offset of what comes next.
    var next = 0
    /// Up to where bytes are wanted.
    var wanted = 0
    var readers = 0
    var isMoving = false
    var isTurnTaken = false
    /// Bytes that have come, and those of them that hadn't before.
    var (arrived, gained) = (0, 0)
    /// What was gained when the connection began, and where it did.
    var (gainedBefore, start) = (0, 0)
    var size: Int?
    var takesRanges = true
    var hasTakenRange = false
    var hasEndedForNothing = false
    var failure: File.Failure?
  }

  private let copy: File
  private let monitor = Monitor(State())

  /// How far the connection reads ahead of its readers, and how far ahead a reader waits for it rather
  /// than have it go there, in bytes.
  private static let readAhead = 2 << 20
  fileprivate static let near = 1 << 20

  init(_ copy: File) { self.copy = copy }

  /// The connection that brings bytes, once it is where it was to go.
  var connection: WebConnection? { monitor.withLock { $0.isMoving ? nil : $0.connection } }
  var failure: File.Failure? { monitor.withLock { $0.failure } }
  var hasFailed: Bool { failure != nil }
  var size: Int? { monitor.withLock { $0.size } }
  var isAwaited: Bool { monitor.withLock { $0.readers > 0 } }

  // MARK: Readers

  /// A reader wants bytes; it says when it leaves.
  func enter(_ range: Range<Int>) -> WebReader {
    monitor.withLock { $0.readers += 1 }
    return WebReader(range)
  }

  /// What a reader is to do now; waits for a moment where that is nothing.
  func step(_ reader: inout WebReader) throws(File.Failure) -> Step {
    try monitor.withLock { (state: inout State) throws(File.Failure) -> Step in
      guard let missing = state.missing(in: reader.range) else { return .done }
      try state.watch(&reader)
      if state.willBring(missing) {
        state.wanted = max(state.wanted, reader.range.upperBound)
      } else if !state.isMoving, reader.hasTurn || !state.isTurnTaken {
        (reader.hasTurn, state.isTurnTaken) = (true, true)
        // The connection's thread, which may be waiting, is to leave.
        monitor.wakeAll()
        return state.move(to: missing, for: reader.range)
      }
      monitor.wakeAll()
      monitor.wait(&state, nanoseconds: 50_000_000)
      return .wait
    }
  }

  /// A reader waits no longer.
  func leave(_ reader: inout WebReader) {
    let hadTurn = reader.hasTurn
    reader.hasTurn = false
    monitor.withLock { state in
      state.readers -= 1
      if hadTurn { state.isTurnTaken = false }
    }
    monitor.wakeAll()
  }

  // MARK: Connections

  /// The number of a connection that is about to be made.
  func nextNumber() -> Int {
    monitor.withLock { state in
      state.number += 1
      state.connection = nil
      return state.number
    }
  }

  /// A connection goes on where it was to.
  func begin(_ connection: WebConnection) {
    monitor.withLock { state in
      state.connection = connection
      state.isMoving = false
      state.gainedBefore = state.gained
    }
    monitor.wakeAll()
  }

  /// Takes bytes, and waits while no reader wants more; on the connection's thread.
  func take(_ buffer: borrowing Buffer, from number: Int) {
    guard let map = BufferMap(buffer), map.size > 0 else { return }
    let stated = buffer.fileOffset.flatMap { Int(exactly: $0) }
    guard let start = monitor.withLock({ $0.number == number ? stated ?? $0.next : nil }) else {
      return
    }
    var failure: File.Failure?
    do throws(File.Failure) {
      try copy.write(map.span(of: UInt8.self, from: 0, count: map.size), at: start)
    } catch { failure = error }
    let end = start + map.size
    monitor.withLock { state in
      state.add(start..<end, failure)
      monitor.wakeAll()
      while state.number == number, !state.isMoving, end >= state.wanted + Self.readAhead {
        monitor.wait(&state)
      }
    }
  }

  /// Takes what a connection that has begun says of the file.
  func learn(of connection: WebConnection) {
    let (size, takesRanges) = (connection.size, connection.takesRanges)
    monitor.withLock { state in
      guard state.size == nil, let size else { return }
      (state.size, state.takesRanges) = (size, takesRanges)
    }
  }

  /// Has every reader fail.
  func fail(_ failure: File.Failure) {
    monitor.withLock { $0.failure = $0.failure ?? failure }
    monitor.wakeAll()
  }

  /// Takes what became of a connection.
  func take(_ news: WebConnection.News, of connection: WebConnection) {
    learn(of: connection)
    let isOver = monitor.withLock { state in
      guard state.connection === connection, !state.isMoving else { return false }
      if state.hasAll(from: state.start), case .ended = news {
        state.connection = nil
        return true
      }
      state.recover(from: news)
      return true
    }
    if isOver { connection.stop() }
    monitor.wakeAll()
  }

  /// Lets nothing more come; returns the connection, which is to be stopped.
  func close() -> WebConnection? {
    defer { monitor.wakeAll() }
    return monitor.withLock { state in
      state.number += 1
      defer { state.connection = nil }
      return state.connection
    }
  }
}

extension WebTransfer.State {
  /// The first byte of a range that isn't there.
  fileprivate func missing(in range: Range<Int>) -> Int? {
    guard let known = fetched.ranges.first(where: { $0.contains(range.lowerBound) }) else {
      return range.lowerBound
    }
    return known.upperBound < range.upperBound ? known.upperBound : nil
  }

  /// Whether all from an offset on is there.
  fileprivate func hasAll(from offset: Int) -> Bool {
    guard let size, size > 0 else { return false }
    return offset >= size || missing(in: offset..<size) == nil
  }

  /// Whether the connection will come to a byte soon.
  fileprivate func willBring(_ offset: Int) -> Bool {
    guard connection != nil, !isMoving, offset >= next else { return false }
    return !takesRanges || offset - next <= WebTransfer.near
  }

  fileprivate mutating func move(to offset: Int, for range: Range<Int>) -> WebTransfer.Step {
    isMoving = true
    start = takesRanges ? offset : 0
    (next, wanted) = (start, range.upperBound)
    return .move(start, connection)
  }

  /// Looks whether anything comes; throws where it doesn't.
  fileprivate mutating func watch(_ reader: inout WebReader) throws(File.Failure) {
    if let failure { throw failure }
    if reader.arrived != arrived {
      (reader.arrived, reader.since) = (arrived, .now)
    } else if (ContinuousClock.now - reader.since) / .seconds(1) >= WebFile.patience {
      let failure = File.Failure.saying(
        "the server has sent nothing for \(Int(WebFile.patience)) s")
      self.failure = failure
      throw failure
    }
  }

  fileprivate mutating func add(_ range: Range<Int>, _ failure: File.Failure?) {
    var new = RangeSet(range)
    new.subtract(fetched)
    arrived += range.count
    gained += new.ranges.reduce(0) { $0 + $1.count }
    fetched.formUnion(RangeSet(range))
    if start > 0 { hasTakenRange = true }
    hasEndedForNothing = false
    if !isMoving || range.lowerBound == next { next = range.upperBound }
    if let failure { self.failure = self.failure ?? failure }
  }

  /// Has another connection made, where that may help; else the file has failed.
  fileprivate mutating func recover(from news: WebConnection.News) {
    connection = nil
    if gained > gainedBefore { return }
    // One that was sent elsewhere may have been at its end just then.
    if case .ended = news, start > 0, !hasEndedForNothing { return hasEndedForNothing = true }
    if start > 0, !hasTakenRange, takesRanges { return takesRanges = false }
    failure = failure ?? File.Failure.saying(words(for: news))
  }

  private func words(for news: WebConnection.News) -> String {
    if gained > 0 {
      return "the connection was cut after \(next) bytes\(size.map { " of \($0)" } ?? "")"
        + (takesRanges ? "" : ", and the server gives no parts of files")
    }
    return switch news {
    // GStreamer (1.22) says no more of a server that isn't there, or that isn't who it says.
    case .failed(let text) where text.hasPrefix("Internal data stream error"):
      "its server can't be reached, or has no certificate that can be trusted"
    case .failed(let text): "the server answers “\(text)”"
    case .ended: "the server sends nothing of it"
    }
  }
}
