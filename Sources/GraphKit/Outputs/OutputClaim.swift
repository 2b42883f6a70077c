import GStreamer
import GraphKitSystem

/// A run's hold on a file that it writes, from its start to its end.
final class OutputClaim: Sendable {
  let node: String
  /// The file that is written now; of a file in parts the newest.
  var file: OutputFile { current.withLock { $0 } }
  private let current: Monitor<OutputFile>
  /// The element that writes; `nil` where a ``TrackWriter`` does.
  let element: Element?
  /// Whether what is written is put on the disk once a second.
  private let isFlushed: Bool
  /// What the file asks of the encoders before it.
  private let keyFrames: KeyFrameRequests?
  private struct State {
    var open: WrittenFile?
    var flusher: FileFlusher?
    /// How far the disk keeps room for it.
    var reservedEnd = 0
    var isOutOfRoom = false
    var isBegun = false
    var hasEarlierParts = false
    var hasFailed = false
    var hasSamples = false
    /// What was written before the first sample came.
    var early: [(offset: Int, bytes: [UInt8])] = []
    var isEnded = false
    var haveTracksEnded = false
    var size = 0
    var isCut = false
    var damage: WrittenFile.Damage?
    /// What the file was when it was closed.
    var stamp: FileStamp?
  }
  private let state = Monitor(State())
  let context: RunContext

  /// A claim to a file, which is put on its disk once a second where it is recorded from a live
  /// source: such a run can't be done again.
  init(
    _ file: OutputFile, node: String, element: Element?, isLive: Bool,
    keyFrames: KeyFrameRequests? = nil, context: RunContext
  ) {
    self.context = context
    (isFlushed, self.keyFrames) = (isLive, keyFrames)
    current = Monitor(file)
    self.node = node
    self.element = element
    element?.pad("sink")?.onFirstData { [weak self] in self?.begin() ?? true }
    // What is written after a cut lets the file grow again, so each block looks.
    element?.pad("sink")?.onData { [weak self] _ in self?.noteWrite() }
  }

  /// The file for a writer.
  var writable: WritableFile { WritableFile(ClaimedFile(claim: self)) }

  /// The folder for a writer.
  func folder(clock: @escaping @Sendable () -> UInt64?) -> WritableFolder {
    WritableFolder(
      isBegun: { [weak self] in self.map { $0.isWritten || $0.begin() } ?? false },
      failure: { [weak self] path, error in self?.failure(writing: path, error) ?? error },
      warning: { [weak self] message in self?.warn(message) }, path: file.path, clock: clock)
  }

  fileprivate func warn(_ message: String) {
    context.log.send(.warning(node: node, message: message))
  }

  private func failure(writing path: String, _ error: File.Failure) -> any Error {
    state.withLock { $0.hasFailed = true }
    var failure = PipelineFailure(
      node: node, message: "`\(path)` can't be written: \(error.text)",
      remedy: error.writingRemedy)
    if error.isFull { failure.kind = .outOfRoom }
    return failure
  }

  /// Writes for a writer; what it writes before the first sample has come waits for that.
  fileprivate func write(_ bytes: Span<UInt8>, at offset: Int) throws(PipelineFailure) {
    if !state.withLock({ $0.isBegun || $0.hasSamples }) {
      let copy = (0..<bytes.count).map { bytes[$0] }
      return state.withLock { $0.early.append((offset, copy)) }
    }
    try change(upTo: offset + bytes.count) { file throws(File.Failure) in
      try file.write(bytes, at: offset)
    }
  }

  /// Copies bytes of another file.
  fileprivate func copy(_ range: Range<Int>, of source: File, at offset: Int) throws {
    guard range.upperBound <= source.size else { throw File.Failure.cutOff }
    // What fails here is no fault of the file that is written.
    try source.fetch(at: range.lowerBound, count: range.count)
    try change(upTo: offset + range.count) { file throws(File.Failure) in
      try source.copy(range, to: file, at: offset)
    }
  }

  private func change(
    upTo end: Int, _ body: (WrittenFile) throws(File.Failure) -> Void
  ) throws(PipelineFailure) {
    guard state.withLock({ $0.isBegun }) || begin() else { return }
    noteSize()
    guard let open = state.withLock({ $0.open }) else { return }
    do { try body(open) } catch { throw failure(error.text, detail: "") }
    state.withLock { state in
      state.size = max(state.size, end)
      return state.flusher
    }?.noteWrite()
  }

  /// Ends the file: what is written from now on goes to another.
  fileprivate func startNext(at path: String) throws(PipelineFailure) {
    try flush()
    if let damage = findDamage() { throw damage }
    stopFlushing()
    try close()
    state.withLock { state in
      (state.reservedEnd, state.isOutOfRoom) = (0, false)
      (state.isBegun, state.hasEarlierParts, state.size) = (false, true, 0)
    }
    current.withLock { $0.path = path }
    try open()
  }

  fileprivate func askForKeyFrame() { keyFrames?.ask() }

  private func noteWrite() {
    noteSize()
    state.withLock { $0.flusher }?.noteWrite()
  }

  /// Waits until all that was written is on the disk, where it is to be.
  func flush() throws(PipelineFailure) {
    guard let flusher = state.withLock({ $0.flusher }) else { return }
    do { try flusher.flush() } catch { throw unstored(error) }
  }

  /// How long the file was when the last flush began that has ended; `nil` where nothing is flushed.
  fileprivate var flushedCount: Int? {
    isFlushed ? state.withLock { $0.flusher }?.flushedCount ?? 0 : nil
  }

  private func startFlushing(_ file: WrittenFile) -> FileFlusher {
    FileFlusher(onFailure: { [weak self] error in
      guard let self else { return }
      context.fail(unstored(error))
    }) { () throws(File.Failure) in try file.synchronize() }
  }

  private func stopFlushing() { state.withLock { $0.flusher.take() }?.stop() }

  private func unstored(_ error: File.Failure) -> PipelineFailure {
    state.withLock { $0.hasFailed = true }
    var failure = PipelineFailure(
      node: node, message: "`\(file.path)` can't be put on its disk: \(error.text)",
      remedy: "the newest of it may be missing: \(error.writingRemedy)")
    if error.isFull { failure.kind = .outOfRoom }
    return failure
  }

  /// Reserves room for so many bytes after what is written, and for more; whether there is room for the
  /// former, and what is in the way of the latter, the first time.
  func takeRoom(for count: Int, more: Int) -> (isThere: Bool, limit: WrittenFile.Limit?) {
    state.withLock { state in
      guard let open = state.open, state.isBegun else { return (true, nil) }
      let least = state.size + count
      func reserve(upTo end: Int) -> WrittenFile.Limit? {
        guard end > state.reservedEnd else { return nil }
        let limit = open.reserve(from: max(state.size, state.reservedEnd), upTo: end)
        if limit == nil { state.reservedEnd = end }
        return limit
      }
      guard !state.isOutOfRoom else { return (reserve(upTo: least) == nil, nil) }
      guard least + more > state.reservedEnd else { return (true, nil) }
      // Seldom, and then for more; or for no more than is needed.
      guard reserve(upTo: least + 2 * more + (1 << 20)) != nil,
        let limit = reserve(upTo: least + more)
      else { return (true, nil) }
      state.isOutOfRoom = true
      return (reserve(upTo: least) == nil, limit)
    }
  }

  /// A writer has had the end of all its tracks.
  func noteEndOfTracks() { state.withLock { $0.haveTracksEnded = true } }

  /// Opens the file before the run begins, unless who opens it may have to wait, as with a pipe.
  func openEarly() throws(PipelineFailure) {
    if File.number(of: file.path) == nil || FileStamp(file.path) != nil { try open() }
  }

  /// Makes or opens the file, and hands it to the element, unless that was done before.
  func open() throws(PipelineFailure) {
    guard state.withLock({ $0.open == nil }) else { return }
    let opened: WrittenFile
    do throws(File.Failure) {
      opened =
        file.isFolder
        ? try WrittenFile(folder: file.path, replacing: file.replaces)
        : try WrittenFile(file.path, replacing: file.replaces)
    } catch {
      throw failure(error)
    }
    if element == nil, !file.isFolder, !opened.isRegular {
      throw failure(file.unwritable("it leads to a device or a pipe, and needs a file"))
    }
    state.withLock { $0.open = opened }
    _ = element?.set("fd", "\(opened.descriptor)")
  }

  private func failure(_ refusal: File.Failure) -> PipelineFailure {
    let error =
      refusal.isTaken
      ? file.isThere : file.unwritable(refusal.isBusy ? "another run writes it" : refusal.text)
    return failure(error)
  }

  private func failure(_ error: NodeError) -> PipelineFailure {
    var failure = PipelineFailure(node: node, error)
    failure.isOutput = true
    return failure
  }

  /// Why the element can't write any more, by what it says of it.
  func failure(_ text: String, _ debug: String) -> PipelineFailure {
    // The system's own words, where it gave any: `Error while writing to …: File too large`.
    let cause = debug.split(separator: "\n").first { $0.hasPrefix("Error while writing") }
    let reason = cause?.split(separator: ": ").last.map(String.init) ?? text.trimmingFullStop
    var failure = failure(reason, detail: debug)
    failure.isEcho = text.hasPrefix("Internal data")
    return failure
  }

  private func failure(_ reason: String, detail: String) -> PipelineFailure {
    let count = state.withLock { state in
      state.hasFailed = true
      return state.open?.byteCount ?? 0
    }
    var failure = PipelineFailure(
      node: node,
      message: "`\(file.path)` can't be written any further than \(count) bytes: \(reason)",
      remedy: File.Failure.writingRemedy(for: reason), detail: detail)
    if File.Failure.isFull(reason) { failure.kind = .outOfRoom }
    return failure
  }

  /// The first bytes are here: what was in the file goes. Where no sample has come for it, they are a
  /// header with nothing after it, which isn't worth that.
  private func begin() -> Bool {
    do throws(File.Failure) {
      return try state.withLock { (state) throws(File.Failure) in
        guard state.hasSamples else { return false }
        try state.open?.clear()
        state.isBegun = true
        for (offset, bytes) in state.early { try state.open?.write(bytes.span, at: offset) }
        state.early = []
        if isFlushed, state.flusher == nil { state.flusher = state.open.map(startFlushing) }
        return true
      }
    } catch {
      context.fail(uncleared(error))
      return false
    }
  }

  private func uncleared(_ error: File.Failure) -> PipelineFailure {
    state.withLock { $0.hasFailed = true }
    return PipelineFailure(
      node: node, message: "what is in `\(file.path)` can't be taken away: \(error.text)",
      remedy: error.writingRemedy)
  }

  /// Samples have come for the file, which may be begun.
  func expectSamples() { state.withLock { $0.hasSamples = true } }

  /// Whether the file is the run's own.
  var isWritten: Bool { state.withLock { $0.isBegun || $0.hasEarlierParts } }

  /// Looks whether the element has got all that it will, before that is forgotten. Where all sinks
  /// have said so, the last may still be on its way out of saying it.
  func noteEnd(haveAllEnded: Bool) {
    let hasEnded = haveAllEnded || element?.pad("sink")?.hasEnded == true
    state.withLock { $0.isEnded = hasEnded || $0.haveTracksEnded }
  }

  /// Whether all that there was for the file is in it, however the run ended.
  var isWhole: Bool { state.withLock { $0.isEnded && !$0.hasFailed && $0.damage == nil } }

  /// Notes how far the file has grown, and whether it is shorter than it was.
  func noteSize() {
    state.withLock { state in
      guard state.isBegun, let open = state.open else { return }
      let size = open.byteCount
      if size < state.size { state.isCut = true }
      state.size = max(state.size, size)
    }
  }

  /// Whether another file has the name, or none.
  var isLost: Bool { state.withLock { $0.damage == .isGone || $0.damage == .isReplaced } }

  /// What to say where another program has changed what was written, or taken it away.
  func findDamage() -> PipelineFailure? {
    let damage = state.withLock { state in
      guard state.isBegun else { return WrittenFile.Damage?.none }
      state.damage = state.open?.damage(at: file.path, grownTo: state.size)
      if state.damage == nil, state.isCut { state.damage = .isCut }
      return state.damage
    }
    let what =
      switch damage {
      case nil: String?.none
      case .isGone: "was removed or renamed by another program while it was written"
      case .isReplaced: "was replaced by another program while it was written: it is another file"
      case .isCut: "was cut off by another program while it was written: what it held is missing"
      }
    return what.map { what in
      PipelineFailure(
        node: node, message: "`\(file.path)` \(what)",
        remedy: "record again, to a path that no other program changes")
    }
  }

  /// Leaves the file to a thread that may still write to it, open: another file must not get its
  /// descriptor. One that was made for nothing loses its name.
  func abandon() {
    stopFlushing()
    state.withLock { state in
      if !state.isBegun { removeNew(state) }
    }
  }

  /// Closes the file, once nothing writes any more. One that was made for nothing goes again.
  func release() throws(PipelineFailure) {
    stopFlushing()
    state.withLock { state in
      if !state.isBegun { removeNew(state) }
    }
    try close()
  }

  /// Gives back the room that the file doesn't need, and closes it.
  private func close() throws(PipelineFailure) {
    let (open, hasRoom) = state.withLock { state in
      (state.open.take(), state.reservedEnd > 0)
    }
    guard let open else { return }
    do throws(File.Failure) {
      if hasRoom { try open.trim() }
      try open.close()
    } catch { throw unstored(error) }
    state.withLock { state in
      let isOwn = open.isRegular && state.isBegun && (state.damage == nil || state.damage == .isCut)
      state.stamp = isOwn ? FileStamp(file.path) : nil
    }
  }

  /// Takes away what the run has written, and no file that another has put there or changed since.
  func remove() {
    state.withLock { state in
      guard let open = state.open else {
        guard let stamp = state.stamp.take() else { return }
        return File.remove(file.path, ifStill: stamp)
      }
      guard state.isBegun, open.isRegular else { return }
      let damage = open.damage(at: file.path, grownTo: 0)
      guard damage != .isReplaced, damage != .isGone else { return }
      File.remove(file.path)
      state.damage = .isGone
    }
  }

  /// Removes a file that was made for nothing, and no other that has its name by now.
  private func removeNew(_ state: State) {
    guard let open = state.open, open.isNew,
      open.damage(at: file.path, grownTo: 0) != .isReplaced
    else { return }
    if file.isFolder { File.removeFolder(file.path) } else { File.remove(file.path) }
  }
}

/// A claim as a writer sees it. The writer may outlive the claim.
private struct ClaimedFile: WritableBody {
  weak let claim: OutputClaim?

  func write(_ bytes: Span<UInt8>, at offset: Int) throws { try claim?.write(bytes, at: offset) }
  func copy(_ range: Range<Int>, of file: File, at offset: Int) throws {
    try claim?.copy(range, of: file, at: offset)
  }
  func flush() throws { try claim?.flush() }
  var flushedCount: Int? { claim?.flushedCount ?? nil }
  func startNext(at path: String) throws { try claim?.startNext(at: path) }
  func askForKeyFrame() { claim?.askForKeyFrame() }
  func warn(_ message: String) { claim?.warn(message) }
}
