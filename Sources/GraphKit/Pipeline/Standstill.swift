import GStreamer
import GraphKitSystem

/// Watches whether the whole process stands still for a while: stopped by a shell's job control,
/// say, or since the machine sleeps. Devices go on meanwhile.
struct Standstill {
  // This clock goes on while the machine sleeps.
  private var last = ContinuousClock.now
  private var cpuSeconds = ProcessTime.cpuSeconds

  /// The least that counts, in seconds: buffers of devices hold about as much.
  static let least = 1.0

  /// How long the process stood still since the last call, in seconds; `nil` where it didn't. To be
  /// called many times a second. A process that has merely too much to do still does something.
  mutating func end(
    at now: ContinuousClock.Instant = .now, cpuSeconds used: Double = ProcessTime.cpuSeconds
  ) -> Double? {
    defer { (last, cpuSeconds) = (now, used) }
    let seconds = (now - last) / .seconds(1)
    return seconds >= Self.least && used - cpuSeconds < seconds / 10 ? seconds : nil
  }
}

extension PipelineStorage {
  /// Says what live sources can't have taken while the process stood still.
  func warnOfStandstill(_ seconds: Double) {
    for node in plan.nodes where node.node.traits.isLive {
      let kinds = Set(plan.outputs(of: node.name).map(\.format.kind.decoded))
      let media = (kinds == [.audio] ? "audio" : kinds == [.video] ? "video" : "audio and video")
      context.log.send(
        .warning(
          node: node.name,
          message: "the process stood still for \(seconds.rounded(to: 1)) s, stopped or asleep: "
            + "\(media) of that time may be missing"))
    }
  }
}
