import GStreamer
import GraphKitSystem

extension PipelineStorage {
  /// Compares every track that was written with what entered it. What is missing is a warning, and
  /// is booked as dropped on its wire.
  func compareFiles() {
    guard state == .completed else { return }
    for node in plan.nodes {
      guard let accounts = lowered.accounts[node.name],
        let output = lowered.fileOutputs[node.name]
      else { continue }
      let tracks = output.writtenTracks()
      for account in accounts {
        let writer = lowered.writers[node.name]
        let reason = writer?.lossReason(track: account.number - 1)
        let omitted = writer?.omittedCount(track: account.number - 1) ?? 0
        if omitted > 0 { lowered.book(.notRecorded, count: omitted, onWire: account.wire) }
        guard let tracks, let path = output.file?.path else { continue }
        compare(account, tracks[account.number], of: node.name, path, omitted, reason)
      }
      if let tracks, let path = output.file?.path {
        warnOfEmpty(accounts, tracks, of: node.name, path)
      }
    }
  }

  /// Warns of tracks that a file with others lacks since nothing came for them, unless a node before the
  /// file has said why. Subtitles may have nothing to say.
  private func warnOfEmpty(
    _ accounts: [TrackAccount], _ tracks: [Int: WrittenTrack], of node: String, _ path: String
  ) {
    guard tracks.values.contains(where: { $0.sampleCount > 0 }) else { return }
    for account in accounts where account.entered.samples == 0 && !isLeftOut(account.wire) {
      guard let wire = plan.inputs(of: node).first(where: { $0.name == account.wire }),
        wire.format.kind != .text, !hasWarned(before: wire)
      else { continue }
      context.log.send(
        .warning(
          node: node, message: "no sample came on \(wire.name): `\(path)` has nothing of it"))
    }
  }

  /// Whether a node that a wire's samples come from has warned of something.
  private func hasWarned(before wire: PlanWire) -> Bool {
    let warned = Set(context.log.warnings.kept().entries.compactMap(\.node))
    var (found, rest): (Set<String>, [String]) = ([], [wire.from.node])
    while let node = rest.popLast() {
      if found.insert(node).inserted { rest += plan.inputs(of: node).map(\.from.node) }
    }
    return !found.isDisjoint(with: warned)
  }

  private func isLeftOut(_ wire: String) -> Bool {
    lowered.groups.contains { group in
      group.wires.firstIndex { $0.name == wire }.map(group.isLeftOut) ?? false
    }
  }

  private func compare(
    _ account: TrackAccount, _ track: WrittenTrack?, of node: String, _ path: String,
    _ omitted: Int, _ reason: String?
  ) {
    let entered = account.entered
    let missing = entered.missing(of: track, omitting: omitted)
    if missing > 0 {
      lowered.book(.notWritten, count: missing, onWire: account.wire)
      context.log.send(
        .warning(
          node: node,
          message: "\(missing) of the \(entered.samples) samples that came on \(account.wire) "
            + "aren't in `\(path)`" + (reason.map { ": \($0)" } ?? "")))
    } else if let track, omitted == 0, entered.isShortened(in: track) {
      context.log.send(
        .warning(
          node: node,
          message:
            "what came on \(account.wire) is \(entered.seconds.toTheMillisecond) s long, and "
            + "its track in `\(path)` \(track.duration.toTheMillisecond) s"))
    }
  }
}

extension PipelineStorage {
  /// Warns of the packets that readers left out, and books them as dropped on the stream's wires.
  func bookUnread() {
    for account in lowered.unread {
      guard let loss = account.loss else { continue }
      for wire in plan.outputs(of: account.port.node) where wire.from == account.port {
        lowered.book(.notRead, count: loss.count, onWire: wire.name)
      }
      context.log.send(.warning(node: account.port.node, message: loss.message))
    }
  }
}

extension Lowered {
  /// Books samples as dropped that were lost before a wire, or after it.
  fileprivate func book(_ reason: DropReason, count: Int, onWire wire: String) {
    for group in groups { group.book(reason, count: count, onWire: wire) }
    for (name, counter) in counters where name == wire { counter.book(reason, count: count) }
  }
}

extension Double {
  fileprivate var toTheMillisecond: Double { (self * 1_000).rounded() / 1_000 }
}
