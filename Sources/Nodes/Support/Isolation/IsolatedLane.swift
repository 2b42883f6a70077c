import GraphKit
import GraphKitSystem

/// One stream of a file that this process decodes for another one: a thread of its own takes the samples
/// as memory for them comes, so that no stream waits for another.
final class IsolatedLane: Sendable {
  private struct State {
    var memories: [Int: SharedMemory] = [:]
    /// Those to be filled, in their order.
    var waiting: [Int] = []
  }

  private let output: SampleOutput
  private let pipeline: Pipeline
  private let track: Int
  private let socket: MessageSocket
  private let state = Monitor(State())
  /// How many lanes haven't ended, of all.
  private let open: Monitor<Int>

  /// The samples of a message, which may have so many bytes.
  private static let mostSamples = 256
  /// Samples begin at multiples of it, as decoders and kernels of loops like it.
  private static let alignment = 64

  /// Gives the samples of an output as a track of some number.
  init(
    _ output: SampleOutput, of pipeline: Pipeline, track: Int, open: Monitor<Int>,
    to socket: MessageSocket
  ) {
    (self.output, self.pipeline, self.track) = (output, pipeline, track)
    (self.open, self.socket) = (open, socket)
    _ = StreamingThread(name: "track\(track)", running: Sender(self)) { $0.run() }
  }

  /// Has memory filled, which comes along where it is new.
  func fill(_ number: Int, _ new: SharedMemory?) {
    state.withLock { state in
      if let new { state.memories[number] = new }
      state.waiting.append(number)
    }
    state.wakeAll()
  }

  /// Forgets memory.
  func forget(_ number: Int) {
    state.withLock { state in _ = state.memories.removeValue(forKey: number) }
  }

  private func nextMemory() -> (number: Int, memory: SharedMemory) {
    state.withLock { state in
      while true {
        if !state.waiting.isEmpty {
          let number = state.waiting.removeFirst()
          if let memory = state.memories[number] { return (number, memory) }
        } else {
          self.state.wait(&state)
        }
      }
    }
  }

  private func send(_ reply: IsolationReply) { socket.tell(reply) }

  /// What a lane's thread has to itself.
  private final class Sender {
    private let lane: IsolatedLane
    private var format: FormatDescription?
    /// The sample that comes next.
    private var held: SampleBuffer?
    /// What is wrong with it.
    private var problem: NodeError?

    init(_ lane: IsolatedLane) { self.lane = lane }

    func run() {
      while problem == nil, takeNext() {
        let (number, memory) = lane.nextMemory()
        fill(memory, number)
      }
      lane.finish(problem)
    }

    private func takeNext() -> Bool {
      if held == nil { held = lane.output.waitForNext() }
      return held != nil
    }

    /// Puts the next sample into memory, and those after it that are there already.
    private func fill(_ memory: SharedMemory, _ number: Int) {
      var (samples, end) = ([IsolationReply.Placed](), 0)
      while samples.count < IsolatedLane.mostSamples, let sample = held.take() {
        guard announce(sample.format, isFirst: samples.isEmpty) else {
          held = consume sample
          break
        }
        guard let count = sample.copy(to: memory, from: end) else {
          problem = NodeError("a sample can't be read", remedy: "check the file", key: "path")
          break
        }
        guard count <= memory.byteCount - end else {
          held = consume sample
          if samples.isEmpty { return needs(count, number) }
          break
        }
        samples.append(IsolationReply.Placed(sample, at: end, byteCount: count))
        end = (end + count + IsolatedLane.alignment - 1) & -IsolatedLane.alignment
        held = lane.output.nextIfAvailable()
      }
      // The first can't be read.
      guard !samples.isEmpty else { return }
      lane.send(.samples(track: lane.track, memory: number, samples))
    }

    private func needs(_ count: Int, _ number: Int) {
      lane.send(.needs(track: lane.track, memory: number, byteCount: count))
    }

    /// Says what follows; `false` where it is something else than the samples before, which are to be
    /// sent first.
    private func announce(_ format: FormatDescription, isFirst: Bool) -> Bool {
      if self.format === format { return true }
      guard isFirst else { return false }
      self.format = format
      lane.send(.format(track: lane.track, caps: format.capsText))
      return true
    }
  }

  /// Says that no sample follows, and why where it should have.
  private func finish(_ problem: NodeError?) {
    if let problem { return send(.failed(problem)) }
    let isLast = open.withLock { open in
      open -= 1
      return open == 0
    }
    if !output.hasEnded {
      let failure = pipeline.waitForReport().failure
      let error = NodeError(
        failure?.message ?? "the file can't be read on",
        remedy: failure?.remedy ?? "check the file", key: "path")
      return send(.failed(error))
    }
    // What the reader says of the whole file comes with its end.
    if isLast {
      for warning in pipeline.waitForReport().warnings ?? [] { send(.warning(warning.message)) }
    }
    send(.end(track: track))
  }
}

extension IsolationReply.Placed {
  fileprivate init(_ sample: borrowing SampleBuffer, at offset: Int, byteCount: Int) {
    self.init(
      offset: offset, byteCount: byteCount,
      time: sample.presentationTime.nanoseconds.map { Int($0) },
      duration: sample.duration.nanoseconds.map { Int($0) },
      isDiscontinuity: sample.isDiscontinuity, fields: sample.fields)
  }
}
