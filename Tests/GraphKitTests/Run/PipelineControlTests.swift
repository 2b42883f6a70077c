import Synchronization
import TestTools
import Testing

@testable import GraphKit

/// What a pipeline keeps behind its lock, without one.
@Suite(.inTurn) struct PipelineControlTests {
  private func report(_ state: PipelineState) -> Report {
    Report(state: state, failure: nil, wallSeconds: 0, cpuSeconds: 0, outputs: [], wires: [:])
  }

  @Test func theFirstWhoAsksRunsThePipeline() {
    var control = PipelineControl()
    let isFirst = [control.begin(), control.begin()]
    #expect(isFirst == [true, false])
    let isConcluded = control.cancelUnstarted()
    #expect(!isConcluded && control.state == .idle)
  }

  @Test func aPipelineThatWasCancelledBeforeItsStartIsConcludedOnceAndNeverRuns() {
    var control = PipelineControl()
    let isConcluded = [control.cancelUnstarted(), control.cancelUnstarted()]
    #expect(isConcluded == [true, false] && control.state == .cancelled)
    let runs = control.begin()
    #expect(!runs)
  }

  @Test func inputsComeInOrderAndOnce() {
    var control = PipelineControl()
    for input in [PipelineInput.start, .pause, .resume] { control.add(input) }
    #expect(control.takeInputs() == [.start, .pause, .resume])
    #expect(control.takeInputs() == [])
  }

  @Test func onlyAnotherStateIsNews() {
    var control = PipelineControl()
    let (first, isNew) = control.advance(.start, hasFailed: false)
    #expect(first == [.prepare] && isNew && control.state == .preparing)
    let (second, isNewer) = control.advance(.pause, hasFailed: false)
    #expect(second == [] && !isNewer && control.state == .preparing)
    control.markFailed()
    #expect(control.state == .failed)
  }

  @Test func whoWaitsHearsOfTheReportAndWhoComesLaterGetsIt() {
    var control = PipelineControl()
    let calls = Atomic<Int>(0)
    for _ in 0..<2 {
      let known = control.wait { _ in calls.add(1, ordering: .relaxed) }
      #expect(known == nil)
    }
    for waiter in control.conclude(report(.completed)) { waiter(report(.completed)) }
    #expect(calls.load(ordering: .relaxed) == 2)
    let known = control.wait { _ in }
    #expect(known?.state == .completed)
  }

  /// What its files hold may not be what was asked for.
  @Test func aReportOfAFailureMakesItAFailedOne() {
    var control = PipelineControl()
    for input in [PipelineInput.start, .prepared, .sinksEnded] {
      _ = control.advance(input, hasFailed: false)
    }
    #expect(control.state == .completed)
    _ = control.conclude(report(.failed))
    #expect(control.state == .failed)
  }
}

/// What is made of a run in which nothing moves: times and processors are the tests' own.
@Suite(.inTurn) struct SupervisionTests {
  private let start = ContinuousClock.now

  /// After how many seconds something is found, of a run that gets nowhere from the first on.
  private func finding(
    _ supervision: inout Supervision, at state: PipelineState, isBusy: Bool = false,
    from first: Double = 0, to last: Double = 60
  ) -> (Supervision.Finding, Double)? {
    for tenth in Int(first * 10)...Int(last * 10) {
      let seconds = Double(tenth) / 10
      let finding = supervision.look(
        at: state, progress: 7, now: start + .milliseconds(tenth * 100), cpuSeconds: 0,
        isBusy: { isBusy })
      if finding != .nothing { return (finding, seconds) }
    }
    return nil
  }

  @Test(arguments: [PipelineState.preparing, .running])
  func aRunThatGetsNowhereIsAStall(state: PipelineState) throws {
    var supervision = Supervision(stallTimeout: 5)
    let (found, seconds) = try #require(finding(&supervision, at: state))
    #expect(found == .stalled(5) && seconds == 5.1)
  }

  @Test func aRunThatWasAskedToEndHasLessTime() throws {
    var supervision = Supervision(stallTimeout: 5)
    let (found, seconds) = try #require(finding(&supervision, at: .finishing))
    #expect(found == .unended && seconds == 0.6)
  }

  @Test func aRunThatEndsSlowlySinceItWorksIsNoneBeforeItIsAStall() throws {
    var supervision = Supervision(stallTimeout: 5)
    let (found, seconds) = try #require(finding(&supervision, at: .finishing, isBusy: true))
    #expect(found == .stalled(5) && seconds == 50.1)
  }

  @Test func aPauseCountsForNothing() throws {
    var supervision = Supervision(stallTimeout: 5)
    #expect(finding(&supervision, at: .running, to: 4) == nil)
    #expect(finding(&supervision, at: .paused, from: 4, to: 30) == nil)
    let (_, seconds) = try #require(finding(&supervision, at: .running, from: 30))
    #expect(seconds == 35.1)
  }

  @Test func aStandstillOfTheProcessCountsForNothing() throws {
    var supervision = Supervision(stallTimeout: 5)
    #expect(finding(&supervision, at: .finishing, to: 0.4) == nil)
    supervision.restartAfterStandstill()
    let (found, seconds) = try #require(finding(&supervision, at: .finishing, from: 20))
    #expect(found == .unended && seconds == 20.6)
  }
}
