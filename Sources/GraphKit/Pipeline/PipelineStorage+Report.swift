import GStreamer
import GraphKitSystem

extension PipelineStorage {
  /// The files that the run has written.
  private var writtenFiles: [OutputReport] {
    // What is there already isn't this run's where nothing has begun to write it, or where it is
    // as it was before.
    let kept = plan.outputs.map(\.path).filter { path in
      filesBefore[path].map { $0 == FileStamp(path) } ?? false
    }
    let unwritten = lowered.claims.filter { !$0.isWritten || $0.isLost }.map(\.node)
    return plan.inspectOutputs(but: Set(unwritten), kept: Set(kept))
  }

  /// The accounts of the run, as they stand.
  func makeReport() -> Report {
    var wires: [String: WireLedger] = [:]
    for group in lowered.groups {
      for (name, ledger) in group.ledgers() { wires[name] = ledger }
    }
    for (name, counter) in lowered.counters { wires[name] = counter.ledger }
    var report = Report(
      state: state, failure: context.failure,
      wallSeconds: (ContinuousClock.now - context.log.start) / .seconds(1),
      cpuSeconds: ProcessTime.cpuSeconds,
      outputs: writtenFiles, wires: wires)
    let warnings = context.log.warnings.kept()
    report.warnings = warnings.entries.isEmpty ? nil : warnings.entries
    report.omittedWarnings = warnings.omitted
    let economies = context.log.economies
    report.economies = economies.isEmpty ? nil : economies
    let marks = context.log.marks
    report.marks = marks.isEmpty ? nil : marks
    let connections = context.log.connections
    report.connections = connections.isEmpty ? nil : connections
    account(for: &report)
    let changes = context.log.changes
    (report.changes, report.omittedChanges) =
      changes.kept(with: lowered.changes.values.flatMap(\.waiting).byRequest)
    if report.state == .completed, let failure = report.shortcoming(self) {
      (report.state, report.failure) = (.failed, failure)
    }
    return report
  }
}

extension PipelineStorage {
  /// How threads spent the run, and what limited it.
  private func account(for report: inout Report) {
    let now = context.log.active.now
    let stages = stageReports(until: now)
    report.stages = stages.isEmpty ? nil : stages
    let unpaused = report.wallSeconds - context.log.active.paused / .seconds(1)
    report.limitedBy =
      RunLimit(
        stages, live: liveSources, seconds: now / .seconds(1),
        processors: unpaused > 0 ? report.cpuSeconds / unpaused : 0)?.text
  }
}

extension Report {
  /// What is wrong with what a run has done, though nothing failed.
  fileprivate func shortcoming(_ storage: PipelineStorage) -> PipelineFailure? {
    if !unbalanced.isEmpty {
      return PipelineFailure(
        node: nil, message: "samples are unaccounted for on \(unbalanced.joined(separator: ", "))",
        remedy: "this is a fault of GraphKit: please report it with the graph")
    }
    // A writer that got no sample leaves what was there.
    let unwritten = storage.lowered.claims.first { claim in
      !claim.isWritten && !claim.file.isFolder
        && (claim.element != nil
          || storage.plan.inputs(of: claim.node).allSatisfy { wires[$0.name]?.samplesIn == 0 })
    }
    if let claim = unwritten {
      return .holdsNothing(claim.file.path, of: claim.node)
    }
    // What elements write on their own, and what a device was given, can't be looked into.
    let own = outputs.filter { output in
      storage.lowered.claims.contains { $0.node == output.node } && FileStamp(output.path) != nil
    }
    return own.lazy.compactMap { missing(in: $0, storage) }.first
  }

  /// What a written file lacks of what was sent to it.
  private func missing(
    in output: OutputReport, _ storage: PipelineStorage
  ) -> PipelineFailure? {
    let isRead = output.contents != nil || output.problem != nil
    guard isRead || storage.lowered.fileOutputs[output.node] != nil else { return nil }
    let lost = DropReason.notWritten.rawValue
    let sent = storage.plan.inputs(of: output.node).count {
      wires[$0.name].map { $0.samplesOut > 0 || $0.dropped[lost] != nil } ?? true
    }
    let path = "`\(output.path)`"
    func failure(_ message: String, _ remedy: String) -> PipelineFailure {
      PipelineFailure(node: output.node, message: "\(path) \(message)", remedy: remedy)
    }
    // A file of some formats can't even be read where nothing came.
    if sent > 0, let problem = output.problem {
      return failure(
        "was written and can't be read: \(problem)",
        "look whether another program changes it, then record again")
    }
    // Of a file in parts, one may lack a track that has ended.
    let parts = outputs.filter { $0.node == output.node }.compactMap(\.contents)
    let tracks = parts.map { $0.tracks.count { $0.sampleCount > 0 } }.max() ?? 0
    guard isRead ? tracks < max(sent, 1) : sent == 0 else { return nil }
    guard sent > 0 else { return .holdsNothing(output.path, of: output.node) }
    return failure(
      "holds \(tracks) of the \(sent) tracks that were sent to it",
      "decode what enters it to see whether that is damaged, look whether another program "
        + "changes the file, and run again")
  }
}

extension PipelineFailure {
  /// That a file isn't written, or is one of nothing, as no sample came.
  fileprivate static func holdsNothing(_ path: String, of node: String) -> PipelineFailure {
    PipelineFailure(
      node: node, message: "`\(path)` holds nothing: no sample came for it",
      remedy: "look at what the sources give, or record for longer")
  }
}
