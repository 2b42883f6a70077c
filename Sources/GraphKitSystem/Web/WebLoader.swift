import Synchronization

/// Brings a file of a web server into its copy, one request after the other, on a thread of its own.
final class WebLoader: Sendable {
  fileprivate struct State {
    var progress = WebProgress()
    /// The request's program.
    var program: ChildProcess?
    var isClosed = false
    /// When the last request began and ended, and since when readers wait without a byte.
    var (begun, ended) = (ContinuousClock.now, ContinuousClock.now)
    var silent = ContinuousClock.now
  }

  private let address: String
  private let copy: File
  private let monitor = Monitor(State())

  /// How long a server may send nothing that is waited for, in seconds.
  fileprivate static let patience =
    Machine.variable("GRAPHKIT_WEB_TIMEOUT").flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? 8
  /// How often is looked whether readers still wait, in milliseconds.
  private static let look: Int32 = 50
  private static let blockSize = 1 << 16
  /// Bytes that have come so far, of all files of this process.
  static let arrivedBytes = Atomic(0)

  /// Begins to bring an address into a copy.
  static func start(_ address: String, _ copy: File) -> WebLoader {
    let loader = WebLoader(address, copy)
    _ = StreamingThread(name: "web", running: loader) { $0.run() }
    return loader
  }

  private init(_ address: String, _ copy: File) { (self.address, self.copy) = (address, copy) }

  var failure: WebFailure? { monitor.withLock { $0.progress.failure } }
  var size: Int? { monitor.withLock { $0.progress.size } }
  var isAwaited: Bool { monitor.withLock { $0.progress.readers > 0 } }

  // MARK: Readers

  /// Waits until bytes are there, or aren't wanted any more, which is `false`.
  func fetch(_ range: Range<Int>, while isWanted: () -> Bool) throws(WebFailure) -> Bool {
    try monitor.withLock { (state: inout State) throws(WebFailure) -> Bool in
      guard !state.progress.has(range) else { return true }
      state.enter()
      defer { state.progress.leave() }
      while !state.progress.has(range) {
        if let failure = state.progress.failure { throw failure }
        guard isWanted() else {
          if state.progress.readers == 1 { state.program?.kill() }
          return false
        }
        state.progress.want(range)
        if state.progress.isToMove { state.program?.kill() }
        monitor.wakeAll()
        monitor.wait(&state, nanoseconds: UInt64(Self.look) * 1_000_000)
      }
      return true
    }
  }

  /// Ends the request under way, where no reader waits for it. The last that waits does so itself.
  func rest() {
    monitor.withLock { state in
      if state.progress.readers == 0 { state.program?.kill() }
    }
  }

  /// Lets nothing more come.
  func close() {
    monitor.withLock { state in
      state.isClosed = true
      state.program?.kill()
    }
    monitor.wakeAll()
  }

  // MARK: The thread

  private func run() {
    var buffer = [UInt8](repeating: 0, count: Self.blockSize)
    while let request = nextRequest() { carryOut(request, &buffer) }
  }

  /// Waits for a request that is wanted; `nil` at the end.
  private func nextRequest() -> WebProgress.Request? {
    monitor.withLock { state in
      while !state.isClosed {
        state.endSilence()
        let pause = (ContinuousClock.now - state.ended) / .seconds(1)
        if let request = state.progress.nextRequest, pause >= request.pause * Self.patience {
          state.progress.begin(request)
          state.begun = .now
          return request
        }
        monitor.wakeAll()
        monitor.wait(&state, nanoseconds: UInt64(Self.look) * 1_000_000)
      }
      return nil
    }
  }

  private func carryOut(_ wanted: WebProgress.Request, _ buffer: inout [UInt8]) {
    var request: WebRequest
    do throws(File.Failure) { request = try WebRequest(address, from: wanted.start) } catch {
      return fail(.noCurl(error.text))
    }
    monitor.withLock { $0.program = request.program }
    while waitForRoom() {
      switch request.next(into: &buffer, milliseconds: Self.look) {
      case .none: giveUpSilence(of: request)
      case .bytes(let count): take(buffer.span.extracting(first: count), of: request)
      case .ended(let ending):
        let response = request.response
        return end {
          $0.end(ending.map { .exited(code: $0.code, words: $0.words) } ?? .killed, response)
        }
      }
    }
    request.program.kill()
    end { $0.end(.killed, nil) }
  }

  /// Waits while the request may not go on yet; `false` where it isn't wanted any more.
  private func waitForRoom() -> Bool {
    monitor.withLock { state in
      while !state.isClosed, !state.progress.isToMove, state.progress.failure == nil {
        if state.progress.hasRoom { return true }
        monitor.wait(&state)
      }
      return false
    }
  }

  /// A connection that says nothing for half of the time may have been lost: another is made.
  private func giveUpSilence(of request: borrowing WebRequest) {
    let isLost = monitor.withLock { state in
      state.endSilence()
      return state.isSilent(for: Self.patience / 2, since: state.begun)
    }
    if isLost { request.program.kill() }
  }

  private func take(_ bytes: Span<UInt8>, of request: borrowing WebRequest) {
    guard let response = request.response,
      let place = monitor.withLock({ $0.progress.take(response) ? $0.progress.place : nil })
    else { return }
    do throws(File.Failure) { try copy.write(bytes, at: place) } catch {
      return fail(.copy(error))
    }
    monitor.withLock { state in
      state.progress.add(bytes.count)
      state.silent = .now
    }
    Self.arrivedBytes.add(bytes.count, ordering: .relaxed)
    monitor.wakeAll()
  }

  private func fail(_ failure: WebFailure) { end { $0.fail(failure) } }

  private func end(_ body: (inout WebProgress) -> Void) {
    monitor.withLock { state in
      body(&state.progress)
      (state.program, state.ended) = (nil, .now)
    }
    monitor.wakeAll()
  }
}

extension WebLoader.State {
  fileprivate mutating func enter() {
    if progress.readers == 0 { silent = .now }
    progress.enter()
  }

  /// Whether readers have waited for so many seconds without a byte, from a moment on.
  fileprivate func isSilent(for seconds: Double, since start: ContinuousClock.Instant) -> Bool {
    progress.readers > 0 && (ContinuousClock.now - max(silent, start)) / .seconds(1) >= seconds
  }

  fileprivate mutating func endSilence() {
    let patience = WebLoader.patience
    if isSilent(for: patience, since: silent) { progress.fail(.silent(seconds: patience)) }
  }
}

extension WebFailure {
  fileprivate static func copy(_ failure: File.Failure) -> WebFailure {
    .copy(folder: WebFile.folder, words: failure.text)
  }
}
