import TestTools
import Testing

@testable import GraphKit

@Suite("What notices that time passed without anything happening", .inTurn)
struct StandstillTests {
  @Test("a gap between two looks in which the process did nothing is one")
  func gap() {
    let start = ContinuousClock.now
    var watch = Standstill()
    _ = watch.end(at: start, cpuSeconds: 1)
    #expect(watch.end(at: start + .milliseconds(50), cpuSeconds: 1.04) == nil)
    #expect(watch.end(at: start + .milliseconds(5_050), cpuSeconds: 1.05) == 5)
    #expect(watch.end(at: start + .milliseconds(5_100), cpuSeconds: 1.05) == nil)
    // Somebody else needed the processor for what the loop had to wait for.
    #expect(watch.end(at: start + .milliseconds(8_100), cpuSeconds: 3) == nil)
  }

  @Test("a run is at rest where nothing moves and no thread works")
  func quiet() {
    var watch = ProgressWatch(.rest(0))
    let answers = [1, 1, 2, 2].map { watch.isAtRest(progress: $0, isBusy: { false }) }
    #expect(answers == [false, true, false, true])
    var busy = ProgressWatch(.rest(0))
    #expect(
      [1, 1, 1].map { busy.isAtRest(progress: $0, isBusy: { true }) } == [false, false, false])
    var urgent = ProgressWatch(.rest(0, most: 0))
    #expect([1, 1].map { urgent.isAtRest(progress: $0, isBusy: { true }) } == [false, true])
  }
}
