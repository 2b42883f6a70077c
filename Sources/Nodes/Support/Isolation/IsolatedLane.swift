import GraphKit
import GraphKitSystem

/// One stream of a file that this process reads for another one: a thread of its own takes the samples
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
  /// Whether the samples are packets.
  private let arePackets: Bool
  private let first: FirstPacket?
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
    _ output: SampleOutput, of pipeline: Pipeline, track: Int, arePackets: Bool,
    first: FirstPacket?, open: Monitor<Int>, to socket: MessageSocket
  ) {
    (self.output, self.pipeline, self.track) = (output, pipeline, track)
    (self.arePackets, self.first) = (arePackets, first)
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
    /// What the stream has said of itself before the sample that comes next.
    private var tags: [StreamTags] = []
    private var hasBegun = false
    /// The sample that comes next.
    private var held: SampleBuffer?
    /// What is wrong with it.
    private var problem: NodeError?

    init(_ lane: IsolatedLane) { self.lane = lane }

    func run() {
      while problem == nil, takeNext() {
        sendTags()
        let (number, memory) = lane.nextMemory()
        fill(memory, number)
      }
      lane.finish(problem)
    }

    private func takeNext() -> Bool {
      if held == nil { held = take(lane.output.waitForNext()) }
      return held != nil
    }

    private func take(_ sample: consuming SampleBuffer?) -> SampleBuffer? {
      if lane.arePackets { tags += lane.output.takeTags() }
      defer { hasBegun = true }
      guard !hasBegun, let first = lane.first else { return sample }
      guard let sample else { return nil }
      return first.restored(sample)
    }

    /// Puts the next sample into memory, and those after it that are there already.
    private func fill(_ memory: SharedMemory, _ number: Int) {
      var (samples, end) = ([IsolationReply.Placed](), 0)
      while samples.count < IsolatedLane.mostSamples, let sample = held.take() {
        guard announce(sample.format, isFirst: samples.isEmpty) else {
          held = consume sample
          break
        }
        guard let count = lane.copy(sample, to: memory, from: end) else {
          problem = NodeError("a sample can't be read", remedy: "check the file", key: "path")
          break
        }
        guard count <= memory.byteCount - end else {
          held = consume sample
          if samples.isEmpty { return needs(count, number) }
          break
        }
        samples.append(lane.placed(sample, at: end, byteCount: count))
        end = (end + count + IsolatedLane.alignment - 1) & -IsolatedLane.alignment
        held = take(lane.output.nextIfAvailable())
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
      guard isFirst || tags.isEmpty else { return false }
      if self.format === format { return true }
      guard isFirst else { return false }
      self.format = format
      lane.send(format)
      return true
    }

    private func sendTags() {
      for tags in tags {
        for (name, text) in tags.texts.sorted(by: { $0.key < $1.key }) {
          let text = text.prefix(utf8Count: IsolationReply.longestTag)
          lane.send(.tag(track: lane.track, ofFile: tags.areOfFile, name: name, text: text))
        }
        for picture in tags.pictures { send(picture, ofFile: tags.areOfFile) }
      }
      tags = []
    }

    /// Puts a picture into memory of its own.
    private func send(_ picture: AttachedPicture, ofFile: Bool) {
      guard picture.bytes.count <= CoverPicture.largest else {
        return lane.send(
          .warning(
            "a picture of \(picture.bytes.count) bytes is left out: with `isolate` one has at most "
              + "\(CoverPicture.largest)"))
      }
      while true {
        let (number, memory) = lane.nextMemory()
        guard memory.write(picture.bytes, at: 0) else {
          needs(picture.bytes.count, number)
          continue
        }
        return lane.send(
          .picture(
            track: lane.track, ofFile: ofFile, kind: picture.kind, memory: number,
            byteCount: picture.bytes.count))
      }
    }
  }

  private func copy(
    _ sample: borrowing SampleBuffer, to memory: SharedMemory, from offset: Int
  ) -> Int? {
    arePackets
      ? sample.copyPacket(to: memory, from: offset) : sample.copy(to: memory, from: offset)
  }

  private func placed(
    _ sample: borrowing SampleBuffer, at offset: Int, byteCount: Int
  ) -> IsolationReply.Placed {
    var placed = IsolationReply.Placed(sample, at: offset, byteCount: byteCount)
    if arePackets { placed.packet = sample.packet }
    return placed
  }

  /// Says the format of what follows, in parts where it has a long header.
  private func send(_ format: FormatDescription) {
    var rest = Substring(format.capsText)
    while rest.utf8.count > IsolationReply.longestCaps {
      let part = rest.prefix(IsolationReply.longestCaps)
      send(.format(track: track, caps: String(part), isWhole: false))
      rest = rest.dropFirst(part.count)
    }
    send(.format(track: track, caps: String(rest)))
  }

  /// Says that no sample follows, and why where it should have.
  private func finish(_ problem: NodeError?) {
    if let problem { return send(.failed(problem)) }
    let isLast = open.withLock { open in
      open -= 1
      return open == 0
    }
    // What fails elsewhere ends it, too.
    if !output.hasEnded || pipeline.isFailing {
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
