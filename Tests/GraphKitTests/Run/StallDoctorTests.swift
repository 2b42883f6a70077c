import TestTools
import Testing

@testable import GraphKit

@Suite("The stall doctor", .inTurn)
struct StallDoctorTests {
  private func wire(
    _ from: String, _ to: String, samples: Int = 0, waits: String? = nil, behind: String? = nil,
    finished: Bool = false
  ) -> WireSnapshot {
    WireSnapshot(
      name: "\(from).out -> \(to).in", from: from, to: to, samples: samples,
      seconds: Double(samples) / 30, capacitySamples: 60, capacitySeconds: 2,
      producerWaits: waits, behind: behind, consumerWaits: samples == 0, isFinished: finished)
  }

  /// A fork into an encoder that holds much and one that holds nothing, joined in a movie.
  private var fork: [WireSnapshot] {
    [
      wire("source", "slow", samples: 0),
      wire("source", "fast", samples: 60, waits: "full of samples"),
      wire("slow", "movie", samples: 0),
      wire(
        "fast", "movie", samples: 30, waits: "ahead of slow.out -> movie.in",
        behind: "slow.out -> movie.in"),
    ]
  }

  @Test("names the circle of those who wait, each once and in order")
  func cycle() {
    #expect(
      StallDoctor.findCycle(fork) == [
        "slow waits for a sample on source.out -> slow.in",
        "source waits since source.out -> fast.in is full of samples",
        "fast waits since fast.out -> movie.in is ahead of slow.out -> movie.in",
      ])
  }

  @Test("the failure says how long, who, and how full everything is")
  func failure() {
    let failure = StallDoctor.failure(fork, 10)
    #expect(failure.message.hasPrefix("nothing moved for 10 s: slow waits for a sample"))
    #expect(failure.remedy == "give the full wire more room, or take the delay off the empty one")
    #expect(
      failure.detail?.split(separator: "\n").first
        == "source.out -> slow.in: 0 of 60 samples, 0.0 of 2.0 s; slow waits for a sample")
    #expect(failure.detail?.contains("30 of 60 samples, 1.0 of 2.0 s; fast waits: ahead") == true)
  }

  @Test("where nodes wait in no circle it names the one that all of them wait for")
  func noCycle() {
    let wires = [
      wire("camera", "encoder"), wire("encoder", "movie"),
      wire("old", "movie", samples: 3, waits: "full of bytes", finished: true),
    ]
    #expect(StallDoctor.findCycle(wires).isEmpty)
    let failure = StallDoctor.failure(wires, 5)
    #expect(failure.node == "camera")
    #expect(failure.message == "nothing moved for 5 s")
    #expect(failure.remedy.hasPrefix("see why it gives no samples;"))
    #expect(failure.detail?.contains("old") == false)
    // An error that a program prints says as much as `graphctl` does.
    #expect("\(failure)".contains("\ncamera.out -> encoder.in: 0 of 60 samples"))
  }

  @Test("it names a node that neither takes nor gives samples, and none of several")
  func idleNodes() {
    let held = [
      wire("camera", "encoder", samples: 60, waits: "full of samples"), wire("encoder", "movie"),
    ]
    let failure = StallDoctor.failure(held, 5)
    #expect(failure.node == "encoder")
    #expect(failure.remedy == "see why it takes no samples and gives none")
    let several = StallDoctor.failure([wire("camera", "movie"), wire("microphone", "movie")], 5)
    #expect(several.node == nil && several.message == "nothing moved for 5 s")
    #expect(several.remedy == "look at the node that the empty wires come from")
  }

  @Test("a full wire whose consumer still works is no circle")
  func fullOnly() {
    let wires = [wire("source", "sink", samples: 60, waits: "full of media time")]
    #expect(StallDoctor.findCycle(wires).isEmpty)
  }

  /// Looks at a run ten times a second, and says after how many seconds it counts as stalled.
  private func stall(isBusy: Bool, cpuShare: Double, sharers: Int = 1) -> Double? {
    var watch = ProgressWatch(.stall(2))
    let start = ContinuousClock.now
    return (0..<400).lazy.map { Double($0) / 10 }.first { seconds in
      watch.isAtRest(
        progress: seconds < 1 ? Int(seconds * 10) : 10, at: start + .seconds(seconds),
        cpuSeconds: seconds * cpuShare, sharers: sharers, isBusy: { isBusy })
    }
  }

  @Test func aRunAtRestIsStalledAfterTheTimeout() throws {
    let seconds = try #require(stall(isBusy: false, cpuShare: 0.01))
    #expect(abs(seconds - 3.1) < 0.15)
  }

  @Test func aThreadThatSpinsIsStalledAfterTheTimeout() throws {
    let seconds = try #require(stall(isBusy: true, cpuShare: 1))
    #expect(abs(seconds - 3.1) < 0.15)
  }

  @Test func whatOthersInTheProcessUseIsTheirs() throws {
    let seconds = try #require(stall(isBusy: true, cpuShare: 2, sharers: 4))
    #expect(abs(seconds - 5.1) < 0.15)
  }

  @Test func aThreadThatABusyMachineSlowsDownHasMoreTime() throws {
    let seconds = try #require(stall(isBusy: true, cpuShare: 0.25))
    #expect(abs(seconds - 9.1) < 0.15)
    let least = try #require(stall(isBusy: true, cpuShare: 0))
    #expect(abs(least - 21.1) < 0.15)
  }
}
