import Containers
import GraphKitSystem

/// A file that a process of its own reads and decodes, seen from this one.
///
/// One thread uses it. That process ends with the last use, or before; what it has given stays.
package final class IsolatedReader: Sendable {
  /// What a track has now.
  package enum Step: Sendable {
    case sample(IsolatedSample)
    /// Nothing yet.
    case nothingYet
    case ended
  }

  private struct State {
    var lanes: [IsolatedTrackState]
    /// How long nothing has come that gets on.
    var waited = Duration.zero
    /// Why the process doesn't go on; what it had given before is there still.
    var failure: NodeError?
    var confinement: Confinement?
    var warnings: [String] = []
    /// The parts of the file that have titles.
    var chapters: [MovieChapter] = []
  }

  private let input: IsolatedInput
  private let process: HelperProcess
  private let program: String
  private let state: Monitor<State>

  /// How many pieces a track's process has to fill: one while the last is on its way, and one more.
  private static let lentCount = 3
  /// Bytes of a piece at first: some blocks of audio.
  private static let firstByteCount = 128 << 10

  /// Starts a process that reads a file: some of its streams, or without any to say which it has.
  package init(_ input: IsolatedInput, _ streams: [IsolatedStream]) throws(NodeError) {
    self.input = input
    let file = try InputFile(input.path)
    program = try HelperProgram.path()
    do throws(File.Failure) {
      process = try HelperProcess(program, [HelperProgram.word])
    } catch {
      throw NodeError(
        "`isolate` can't start its process `\(program)`: \(error.text)",
        remedy: "check that this is GraphKit's program `graphctl`, and the machine's limits",
        key: "isolate")
    }
    let budget = SharedSlots.Budget(input.memoryLimit)
    state = Monitor(
      State(
        lanes: streams.enumerated().map { number, stream in
          IsolatedTrackState(
            stream,
            slots: SharedSlots(byteCount: Self.firstByteCount, first: number, budget: budget))
        }))
    // Where it isn't taken, the process has ended, which shows next.
    _ = process.socket.send(
      IsolationRequest.open(input, streams).message, file: file.file)
  }

  /// Waits for the streams of the file; with what the process isn't refused, in words, though it should
  /// be.
  package func streams() throws(NodeError) -> (streams: [DiscoveredStream], shortfall: String?) {
    try state.withLock { (state) throws(NodeError) in
      while true {
        if case .streams(var streams)? = try step(within: 100, &state) {
          for index in streams.indices { streams[index].chapters = state.chapters }
          return (streams, state.confinement?.shortfall)
        }
      }
    }
  }

  /// The next sample of a track, waiting for so long at most. Throws where the process can't go on, or
  /// has brought nothing for as long as it may; before that, the track gives all that had come.
  package func next(of track: Int, milliseconds: Int32) throws(NodeError) -> Step {
    try state.withLock { (state) throws(NodeError) in
      if let step = state.lanes[track].next() { return step }
      if let failure = state.failure { throw failure }
      do throws(NodeError) {
        for index in state.lanes.indices { try lend(to: index, &state) }
        _ = try step(within: milliseconds, &state)
      } catch {
        state.failure = error
        throw error
      }
      return state.lanes[track].next() ?? .nothingYet
    }
  }

  /// What the process has warned of since the last call.
  package func takeWarnings() -> [String] {
    state.withLock { state in
      defer { state.warnings = [] }
      return state.warnings
    }
  }

  /// Sends a track's process pieces to be filled, as long as that is no more than it needs.
  private func lend(to index: Int, _ state: inout State) throws(NodeError) {
    while !state.lanes[index].hasEnded, state.lanes[index].busyCount < Self.lentCount {
      let lane = state.lanes[index]
      let found: (slot: SharedSlot, isNew: Bool, gone: [Int])
      do throws(SharedSlots.Problem) {
        found = try lane.slots.take(step: state.lanes.count)
      } catch {
        // What is in use may become free.
        if case .beyondLimit = error, lane.busyCount > 0 { return }
        throw end(input.error(error))
      }
      state.lanes[index].lent[found.slot.number] = found.slot
      var isTaken = true
      for number in found.gone where !send(.forget(memory: number)) { isTaken = false }
      let new = found.isNew ? found.slot.region : nil
      guard isTaken, send(.fill(memory: found.slot.number, track: index), new) else {
        throw end(input.garbledError)
      }
    }
  }

  /// Sends a request; `false` where the process doesn't read those before.
  private func send(_ request: IsolationRequest, _ memory: SharedMemory? = nil) -> Bool {
    // Where the socket is closed, the process has ended, which shows next.
    process.socket.send(request.message, memory: memory) != .full
  }

  /// Waits for what the process says, and takes it; `nil` where nothing came in time. Only what gets on
  /// counts as brought.
  private func step(
    within milliseconds: Int32, _ state: inout State
  ) throws(NodeError) -> IsolationReply? {
    let start = ContinuousClock.now
    var reply: IsolationReply?
    switch process.socket.receive(within: milliseconds) {
    case .message(let bytes, _):
      let read = try read(bytes, state)
      let ended = Set(state.lanes.indices.filter { state.lanes[$0].hasEnded })
      let getsOn = read.getsOn { ended.contains($0) }
      try take(read, &state)
      if getsOn {
        state.waited = .zero
        return read
      }
      reply = read
    case .nothing: break
    case .closed:
      process.kill()
      throw error(ofEnding: process.ending(), state)
    }
    state.waited += .now - start
    guard state.waited < .seconds(input.timeLimit) else { throw end(input.lateError) }
    return reply
  }

  private func read(_ bytes: [UInt8], _ state: State) throws(NodeError) -> IsolationReply {
    if let reply = IsolationReply(bytes) { return reply }
    guard state.confinement != nil else {
      throw end(HelperProgram.error(program, "says other things"))
    }
    throw end(input.garbledError)
  }

  private func error(ofEnding ending: Program.Ending, _ state: State) -> NodeError {
    switch ending {
    case .exited(Confinement.noMemoryCode): input.memoryError
    // What ends by itself before it is confined has never seen the file.
    case .exited where state.confinement == nil: HelperProgram.error(program, ending.text)
    default: input.error(ending.text)
    }
  }

  private func end(_ error: NodeError) -> NodeError {
    process.kill()
    return error
  }

  private func take(_ reply: IsolationReply, _ state: inout State) throws(NodeError) {
    switch reply {
    case .confined(let confinement):
      guard state.confinement == nil else { throw end(input.garbledError) }
      state.confinement = confinement
    case .warning(let text): if state.warnings.count < 100 { state.warnings.append(text) }
    case .failed(let error): throw end(error)
    case .streams: guard state.lanes.isEmpty else { throw end(input.garbledError) }
    case .chapters(let chapters):
      state.chapters += chapters
      guard state.lanes.isEmpty, state.chapters.count <= MovieChapter.most else {
        throw end(input.garbledError)
      }
    case .format(let track, _, _), .tag(let track, _, _, _), .picture(let track, _, _, _, _),
      .samples(let track, _, _), .needs(let track, _, _), .end(let track):
      guard state.lanes.indices.contains(track),
        state.lanes[track].take(reply, forget: { send(.forget(memory: $0)) })
      else { throw end(input.garbledError) }
    }
  }
}

extension IsolationReply {
  /// Whether the process brings something with it, so that it isn't late; by whether a track has ended.
  func getsOn(hasEnded: (Int) -> Bool) -> Bool {
    switch self {
    case .streams: true
    case .samples(_, _, let samples): !samples.isEmpty
    case .end(let track): !hasEnded(track)
    default: false
    }
  }
}
