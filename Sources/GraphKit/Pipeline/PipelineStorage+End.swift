import GStreamer
import GraphKitSystem

/// The end of a pipeline's threads, or of the patience with them.
extension PipelineStorage {
  /// Stops every thread; `false` where one didn't come back in time and was given up. All that it
  /// may still touch stays as it is, until it does come back.
  func stop() -> Bool {
    let done = Completion()
    cancelFirstPass()
    states.perform { [self] in
      stopThreads()
      done.complete()
    }
    var patience = self.patience
    while !done.wait(0.05) {
      let isHurried = takeInputs().contains { $0 == .finish || $0 == .cancelRequested }
      if isHurried { patience = Self.hurry }
      guard patience.isAtRest(progress: movedSamples) else { continue }
      giveUp()
      return false
    }
    return true
  }

  private static let hurry = ProgressWatch(.rest(0.35, most: 1))

  /// How long the threads may take. Little where a run hangs or is cancelled; elsewhere, a device
  /// may take its time to close.
  private var patience: ProgressWatch {
    let isUrgent = state == .cancelled || context.failure?.isStall == true
    let time = configuration.closingTimeout
    return isUrgent ? Self.hurry : ProgressWatch(.rest(time, most: 3 * time))
  }

  /// Looks whether other programs have left the written files alone, and those that were read.
  func findDamage() {
    let read = state == .completed ? readFiles.findDamage() : []
    fail(with: lowered.claims.compactMap { $0.findDamage() } + read)
  }

  /// Opens the files to write before the run begins.
  func openOutputs() throws(PipelineFailure) {
    do throws(PipelineFailure) {
      for claim in lowered.claims { try claim.openEarly() }
    } catch {
      for claim in lowered.claims { try? claim.release() }
      throw error
    }
  }

  /// Takes away what the run has written.
  func removeFiles() { for claim in lowered.claims { claim.remove() } }

  /// Lets go of the written files.
  func releaseFiles(areThreadsStopped: Bool) {
    var failures: [PipelineFailure] = []
    // While they are locked: no other run has begun to write them.
    if state == .cancelled, context.removesFiles.load(ordering: .relaxed) { removeFiles() }
    for claim in lowered.claims {
      // A thread that was given up might write to the next file that gets the descriptor.
      guard areThreadsStopped || claim.isWhole else {
        claim.abandon()
        continue
      }
      do throws(PipelineFailure) { try claim.release() } catch {
        failures.append(error)
      }
    }
    fail(with: failures)
  }

  /// Has the run failed for what is found after its end: the first is the reason, if there is none.
  private func fail(with failures: [PipelineFailure]) {
    for failure in failures {
      if context.failure == nil {
        context.fail(failure)
      } else {
        context.log.send(.warning(node: failure.node, message: failure.message))
      }
    }
    if state == .completed, context.failure != nil { markFailed() }
  }

  /// A run that was ended early, or of which a part failed, has failed, though its files are whole.
  func failEndedEarly() {
    guard state == .completed, let reason = context.partialFailure ?? context.earlyEnd else {
      return
    }
    context.fail(reason)
    markFailed()
  }

  private func giveUp() {
    LostThreads.add()
    var lost = lostThread
    lost.node = lost.node.map(PlanNode.original(of:))
    let words = "the thread \(lost.place) didn't come back and was given up"
    context.log.send(.warning(node: lost.node, message: words))
    if state == .cancelled {
      context.fail(
        PipelineFailure(
          node: lost.node, message: words, remedy: "look at what it waits for"))
    }
    // All sinks have ended, without what the thread would have sent.
    if state == .completed { context.fail(StallDoctor.unended(wireSnapshots())) }
    context.reword { failure in
      guard failure.isStall else { return }
      failure.node = lost.node ?? failure.node
      failure.message += "; \(words)"
      failure.remedy = "look at what it waits for"
    }
  }

  /// Where the thread is that doesn't end, in words, and the node that it is in.
  private var lostThread: (node: String?, place: String) {
    if let place = lowered.pipeline.unfinished {
      let node = lowered.places[place.name]?.node ?? owner(of: place.name)
      // A stage's name is that of its nodes.
      let part = place.factory == place.name ? "`\(place.name)`" : "its element `\(place.factory)`"
      return (node, "in \(part)")
    }
    let source = lowered.loops.first(where: \.loop.isRunning)?.loop.name
    let stage = source.flatMap { name in lowered.places.values.first { $0.contains(name) } }
    return (stage?.node ?? source, source.map { "of `\($0)`" } ?? "that ends the pipeline")
  }
}
