import GStreamer
import Synchronization
import GraphKitSystem

/// What every part of a running pipeline shares.
final class RunContext: Sendable {
  let log: RunLog
  /// Closed while the pipeline is paused: sinks that are written in Swift wait here.
  let gate = Gate()
  /// Where what may never return is done.
  let states = StateThread()
  /// Whether the sources were asked to end.
  let isFinishing = Atomic<Bool>(false)
  /// Whether something has failed, or is about to be booked as failed.
  let isFailing = Atomic<Bool>(false)
  /// Whether a cancelled run leaves no files.
  let removesFiles = Atomic<Bool>(false)
  private let firstFailure = Monitor<PipelineFailure?>(nil)
  private let early = Monitor<PipelineFailure?>(nil)
  private let partial = Monitor<PipelineFailure?>(nil)
  private let descriptions = Monitor<[FormatDescription]>([])
  private let wake = Monitor<(@Sendable () -> Void)?>(nil)
  /// What tells the time of the run, and the sources that wait for their connections.
  private let clock = Monitor<(@Sendable () -> UInt64?)?>(nil)
  private let awaiting = Monitor<Set<String>>([])
  /// The run's number among those that hear of the library's complaints.
  private let complaints = Monitor<Int?>(nil)

  init(log: RunLog) { self.log = log }

  /// The description of caps, the same for all who ask: of a stream with a long header, to read the
  /// caps takes as long as to decode a second of it.
  func description(of caps: Caps) -> FormatDescription {
    descriptions.withLock { known in
      if let found = known.last(where: { $0.caps.isEqual(to: caps) }) { return found }
      let new = FormatDescription(caps: caps)
      if known.count == 16 { known.removeFirst() }
      known.append(new)
      return new
    }
  }

  /// Calls `body` when something failed.
  func onFailure(_ body: @escaping @Sendable () -> Void) { wake.withLock { $0 = body } }

  /// Books a failure; the first one names the cause, later ones are its echo. In a run that ends early
  /// for a reason, that is the cause: a node that has got too little may fail at the end.
  func fail(_ failure: PipelineFailure) {
    guard let cause = earlyEnd, !failure.isStall else {
      isFailing.store(true, ordering: .relaxed)
      return book(failure)
    }
    if !failure.isEcho, failure != cause {
      log.send(.warning(node: failure.node, message: failure.message))
    }
    book(cause)
  }

  private func book(_ failure: PipelineFailure) {
    let isFirst = firstFailure.withLock { first in
      // A flow that stopped is only an echo: an element or a node knows more.
      guard first == nil || (first?.isEcho == true && !failure.isEcho) else { return false }
      first = failure
      first?.node = failure.node.map(PlanNode.original(of:))
      return true
    }
    guard isFirst, let wake = wake.withLock({ $0 }) else { return }
    wake()
  }

  /// Has the run end in order, as if its sources had, with a reason that makes it a failed one at its
  /// end. The first counts.
  func endEarly(_ reason: PipelineFailure) { early.withLock { $0 = $0 ?? reason } }

  /// Why the run is to end early.
  var earlyEnd: PipelineFailure? { early.withLock { $0 } }

  /// Has the run be a failed one at its end, whatever becomes of the rest of it. The first counts.
  func failPartly(_ reason: PipelineFailure) {
    log.send(.warning(node: reason.node, message: reason.message))
    partial.withLock { $0 = $0 ?? reason }
  }

  /// Why the run has failed in a part of it.
  var partialFailure: PipelineFailure? { partial.withLock { $0 } }

  /// Has `body` tell how long the run has played, in nanoseconds.
  func setClock(_ body: @escaping @Sendable () -> UInt64?) { clock.withLock { $0 = body } }

  /// The sources that wait for their connections.
  var awaitingSources: Set<String> { awaiting.withLock { $0 } }

  /// The run as a source sees it.
  func sourceRun(of node: String) -> SourceRun {
    var run = SourceRun { [clock] in
      clock.withLock { $0 }?().map { MediaTime(nanoseconds: Int64(clamping: $0)) }
    }
    run.report = { [log] in log.connected($0, node: node) }
    run.await = { [awaiting] isAwaiting in
      awaiting.withLock { state in
        if isAwaiting { _ = state.insert(node) } else { state.remove(node) }
      }
    }
    run.advance = { [log] in log.advance() }
    run.isStopped = { [gate] in gate.isAbandoned }
    run.isCancelled = { [gate] in gate.isCancelled }
    run.hasFailed = { [weak self] in self?.isFailing.load(ordering: .relaxed) ?? true }
    run.end = { [weak self] in self?.endEarly(PipelineFailure(node: node, $0)) }
    run.fail = { [weak self] in self?.failPartly(PipelineFailure(node: node, $0)) }
    return run
  }

  /// Changes the words of the failure so far, where there is one.
  func reword(_ body: (inout PipelineFailure) -> Void) {
    firstFailure.withLock { failure in
      guard var known = failure else { return }
      body(&known)
      failure = known
    }
  }

  /// The cause of failure so far.
  var failure: PipelineFailure? { firstFailure.withLock { $0 } }

  /// Makes warnings of the run of what the library complains about: with the node whose thread it
  /// is, given the nodes of the elements; not of what has some text.
  func takeComplaints(owners: [String: String], except groundless: [String], _ bus: Bus?) {
    let number = Complaints.listen { [log] complaint in
      guard !groundless.contains(where: complaint.message.contains) else { return }
      let node = complaint.element.map { owners[$0] ?? $0 }
      log.send(.warning(node: node, message: complaint.message))
    }
    complaints.withLock { $0 = number }
    bus?.followThreads(of: number)
  }

  /// Has the calling thread count as the run's own in the meantime, or as a node's.
  func asOwnThread(of node: String? = nil, _ body: () -> Void) {
    if let number = complaints.withLock({ $0 }) { Complaints.enter(number, element: node) }
    body()
    Complaints.leave()
  }

  /// Hears no more of what the library complains about.
  func leaveComplaints() {
    if let number = complaints.withLock({ $0.take() }) { Complaints.stopListening(number) }
  }
}

/// A gate that threads pass while it is open.
final class Gate: Sendable {
  private let monitor = Monitor(true)
  private let isClosed = Atomic<Bool>(false)
  private let wasAbandoned = Atomic<Bool>(false)
  private let wasCancelled = Atomic<Bool>(false)

  /// Returns at once where the gate is open, or when it opens.
  func pass() {
    guard isClosed.load(ordering: .acquiring) else { return }
    monitor.withLock { isOpen in
      while !isOpen && !isAbandoned { monitor.wait(&isOpen) }
    }
  }

  func setOpen(_ isOpen: Bool) {
    monitor.withLock { $0 = isOpen }
    isClosed.store(!isOpen, ordering: .releasing)
    monitor.wakeAll()
  }

  /// Whether the run's threads are being stopped.
  var isAbandoned: Bool { wasAbandoned.load(ordering: .acquiring) }

  /// Whether nothing is worked on to its end, since the run was cancelled.
  var isCancelled: Bool { wasCancelled.load(ordering: .acquiring) }

  /// Opens for good. Of a run that wasn't cancelled, nodes may still have something to send and finish.
  func abandon(isCancelled: Bool) {
    if isCancelled { wasCancelled.store(true, ordering: .releasing) }
    monitor.withLock { _ in wasAbandoned.store(true, ordering: .releasing) }
    monitor.wakeAll()
  }
}
